import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/**
 * A real OpenSearch node on a free port of loopback, without the checks of its own start (which refuse root).
 * Arguments: its home, a folder for its data, the file to write HOST:PORT to. Ends when its standard input does.
 */
public class OpenSearchNode {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Path data = Path.of(arguments[1]).toAbsolutePath();
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", data.toString())
            .put("path.logs", data.toString())
            .put("cluster.name", "tests")
            .put("node.name", "one")
            .put("node.processors", 2)
            .put("discovery.type", "single-node")
            .put("http.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.host", "127.0.0.1")
            .put("transport.port", "0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("action.auto_create_index", false)
            .build();
        LogConfigurator.registerErrorListener();
        Node node = new Node(InternalSettingsPreparer.prepareEnvironment(
            settings, Collections.emptyMap(), home.resolve("config"), () -> "one"));
        node.start();
        HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
        tell(Path.of(arguments[2]), "127.0.0.1:" + http.boundAddress().publishAddress().getPort());
        while (System.in.read() >= 0) { }
        node.close();
        System.exit(0);
    }

    private static void tell(Path file, String address) throws Exception {
        Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".part"), address);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
