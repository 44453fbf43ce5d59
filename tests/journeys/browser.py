"""Chromium at the console: a window that writes down what went wrong in it, and what a person does there."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

SWITCHED_OFF = (
    # Pages of the address bar that every window would load though nobody sees it: more work than the console's own.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # What Playwright switches off; of two such lists Chromium takes the last alone.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
FLAGS = (
    f"--disable-features={','.join(SWITCHED_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TIMEOUT_MS = 20_000
"""What is waited for a page, and for what is expected on it: a busy machine takes several seconds for a turn."""
expect.set_options(timeout=TIMEOUT_MS)
ARTEFACTS = Path(__file__).parents[1] / "artefacts"
MAKE_TRANSFER = """([name, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
    return transfer;
}"""
BEYOND_THE_EDGE = """() => [...document.body.querySelectorAll("*")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".scroller, .unseen, svg"))
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 0.5)
    .map((node) => `${node.tagName} ${node.className}`)
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : [])"""


def chromium_path() -> str:
    """The browser on this machine; without one the test is skipped."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a screen; it is closed when the block is left."""
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Console:
    """The console in one window. `complaints` are its console errors, refused policies and uncaught errors."""

    page: Page
    origin: str
    token: str | None = None
    """What is logged in with; None where nobody must, and nothing where a token is not what one logs in with."""
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.page.on("console", self._hear)
        self.page.goto(self.origin)
        if self.token is None:
            expect(self.at("pack")).to_be_visible()
        elif self.token:
            self.log_in(self.token)

    def _hear(self, said: ConsoleMessage) -> None:
        # A turn is recorded a moment after its answer; Chromium writes down each 404 that is met until then.
        early = "404" in said.text and said.location["url"].endswith("/explanation")
        if said.type in {"error", "warning"} and not early:
            self.complaints.append(said.text)

    def log_in(self, token: str) -> None:
        """Fill in the login that the page asks for, with the keyboard."""
        expect(self.at("login")).to_be_visible()
        self.page.keyboard.type(token)
        self.page.keyboard.press("Enter")

    def at(self, test_id: str) -> Locator:
        """What the page calls by this stable name."""
        return self.page.get_by_test_id(test_id)

    def foreign(self) -> list[str]:
        """Requests that went anywhere but to the server the page came from."""
        own = urlsplit(self.origin).netloc
        return [url for url in self.requests if urlsplit(url).netloc not in {own, ""}]

    def send(self, text: str) -> Locator:
        """Ask without waiting for the answer; the reply that will hold it."""
        before = self.page.locator("article.reply").count()
        self.at("question").fill(text)
        self.at("question").press("Enter")
        return self.page.locator("article.reply").nth(before)

    def ask(self, text: str) -> Locator:
        """Ask and wait for the end of the answer; the reply that holds it."""
        reply = self.send(text)
        expect(reply).to_have_attribute("aria-busy", "false")
        return reply

    def text_of(self, reply: Locator) -> str:
        """The answer in a reply, as it is read."""
        return reply.get_by_test_id("answer").inner_text()

    def drop(self, name: str, content: bytes) -> None:
        """Let a file go over the Documents tab."""
        bytes_ = base64.b64encode(content).decode()
        dropped = {"dataTransfer": self.page.evaluate_handle(MAKE_TRANSFER, [name, bytes_])}
        for kind in ("dragenter", "dragover", "drop"):
            self.at("drop").dispatch_event(kind, dropped)

    def choose(self, name: str, content: bytes) -> None:
        """Choose a file with the button of the Documents tab, in Dutch."""
        with self.page.expect_file_chooser() as chooser:
            self.at("drop").get_by_role("button", name="Bestanden kiezen").click()
        chooser.value.set_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})

    def job(self, name: str, state: str) -> Locator:
        """The job of a file, once it is in that state."""
        job = self.at("job").filter(has_text=name)
        expect(job).to_have_attribute("data-state", state)
        return job

    def fact(self, name: str) -> Locator:
        """The value beside a name on the Turn tab."""
        return self.page.locator("#turn .facts > div").filter(has=self.page.get_by_text(name, exact=True)).locator("dd")

    def explanation(self) -> Locator:
        """What the Turn tab says of why the turn went so, once something is there."""
        self.at("tab-turn").click()
        section = self.at("why")
        expect(section).to_have_attribute("aria-busy", "false")
        return section

    def focused(self) -> str:
        """The stable name of what the keyboard is at; its id where it has none."""
        named: str = self.page.evaluate(
            "document.activeElement.dataset.testid || document.activeElement.id || document.activeElement.tagName"
        )
        return named

    def press_until(self, key: str, wanted: str) -> None:
        """Press a key until the keyboard is at what has this name."""
        for _ in range(40):
            self.page.keyboard.press(key)
            if self.focused() == wanted:
                return
        raise AssertionError(f"{key} never led to {wanted}, but to {self.focused()}")

    def beyond_the_edge(self) -> list[str]:
        """What one would have to scroll sideways to see."""
        found: list[str] = self.page.evaluate(BEYOND_THE_EDGE)
        return found


@contextmanager
def console(browser: Browser, address: str, token: str | None = None, **window: Any) -> Iterator[Console]:
    """The console in a window of its own: nothing is remembered from another."""
    chosen = {"locale": "nl-BE", "viewport": {"width": 1280, "height": 800}, **window}
    context = browser.new_context(**chosen)
    try:
        yield Console(context.new_page(), address, token)
    finally:
        context.close()
