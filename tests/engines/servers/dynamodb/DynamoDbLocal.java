import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local in memory on a free port of loopback; its own main listens on every interface and calls home.
 * Arguments: the file to write HOST:PORT to. Ends when its standard input does.
 */
public class DynamoDbLocal {
    public static void main(String[] arguments) throws Exception {
        DynamoDBProxyServer local = ServerRunner.createServerFromCommandLineArgs(
            new String[] {"-inMemory", "-sharedDb", "-disableTelemetry"});
        Field inside = DynamoDBProxyServer.class.getDeclaredField("server");
        inside.setAccessible(true);
        ServerConnector connector = (ServerConnector) ((Server) inside.get(local)).getConnectors()[0];
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        local.start();
        Path file = Path.of(arguments[0]);
        Path written = Files.writeString(
            file.resolveSibling(file.getFileName() + ".part"), "127.0.0.1:" + connector.getLocalPort());
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        while (System.in.read() >= 0) { }
        System.exit(0);
    }
}
