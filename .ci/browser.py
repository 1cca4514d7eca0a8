"""A headless Chromium, used as its user does: by what is seen, with keys and clicks.

    with Browser() as browser:
        page = browser.open("report.html", width=1400, height=900)
        page.press("/")
        page.write("feed")
        page.click("button", "Captives 2")

It speaks the DevTools protocol over a pipe, which needs nothing but the standard library.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

KEYS = {
    "Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, None), "Escape": ("Escape", 27, None),
    "ArrowDown": ("ArrowDown", 40, None), "ArrowUp": ("ArrowUp", 38, None),
    "ArrowLeft": ("ArrowLeft", 37, None), "ArrowRight": ("ArrowRight", 39, None),
    "Home": ("Home", 36, None), "End": ("End", 35, None), "/": ("Slash", 191, "/"),
    " ": ("Space", 32, " "),
}


class Browser:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="depin-browser-")
        commands, self.output = os.pipe()
        self.input, events = os.pipe()

        def prepare():
            # Chromium reads commands at 3 and writes to 4; where a pipe stands there, it is moved first.
            high = [os.dup2(commands, 60), os.dup2(events, 61)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        options = ["--headless", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                   "--no-first-run", "--disable-background-networking",
                   f"--user-data-dir={self.folder}"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen(
            ["chromium", *options], preexec_fn=prepare, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(events)
        self.number, self.buffer, self.events = 0, b"", []
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self, deadline):
        """Gives the next message, or None when the time is over."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.output, text):]
        deadline = time.monotonic() + 60
        while answer := self.receive(deadline):
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
        raise TimeoutError(method)

    def open(self, path, width=1400, height=900, dark=False, phone=False):
        """Opens a file in a new page and waits until it has been painted."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session)
        for domain in ("Page", "Runtime", "Network", "Log", "DOM", "Accessibility"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        page.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.url = pathlib.Path(path).resolve().as_uri()
        page.send("Page.navigate", url=page.url)
        page.wait("document.readyState === 'complete'")
        page.milliseconds = page.painted()
        return page


class Page:
    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def events(self, method):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event.get("method") == method]

    def value(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def wait(self, condition, seconds=5):
        """Waits until an expression is true, and gives the seconds that it took."""
        started = time.monotonic()
        while not self.value(condition):
            if time.monotonic() - started > seconds:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.01)
        return time.monotonic() - started

    def painted(self):
        """Waits for the next frame, and gives its time in milliseconds since the page began."""
        return self.value("new Promise((done) => requestAnimationFrame(() => "
                          "setTimeout(() => done(performance.now()))))")

    # MARK: What a user does

    def press(self, key, *modifiers):
        code, number, text = KEYS[key]
        bits = sum({"Alt": 1, "Control": 2, "Shift": 8}[name] for name in modifiers)
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": bits}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event,
                  **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)
        self.painted()

    def write(self, text):
        self.send("Input.insertText", text=text)

    def click(self, role, name):
        """Clicks what an assistive technology knows under this role and name."""
        self.click_at(self.find(role, name)["backendDOMNodeId"])

    def node(self, selector):
        """The first element that a selector finds."""
        root = self.send("DOM.getDocument", depth=0)["root"]["nodeId"]
        found = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        return self.send("DOM.describeNode", nodeId=found)["node"]["backendNodeId"]

    def click_at(self, node):
        self.send("DOM.scrollIntoViewIfNeeded", backendNodeId=node)
        self.painted()
        quad = self.send("DOM.getContentQuads", backendNodeId=node)["quads"][0]
        place = {"x": sum(quad[0::2]) / 4, "y": sum(quad[1::2]) / 4}
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)
        self.painted()

    def pick(self, name, option):
        """Picks an option of a select."""
        node = self.find("combobox", name)["backendDOMNodeId"]
        element = self.send("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        self.send(
            "Runtime.callFunctionOn", objectId=element, arguments=[{"value": option}],
            functionDeclaration="""function (text) {
                const option = [...this.options].find((option) => option.text === text);
                if (!option) throw new Error("no option " + text);
                this.value = option.value;
                this.dispatchEvent(new Event("change", { bubbles: true }));
            }""")
        self.painted()

    # MARK: What a user sees and hears

    def all(self, role, name=None):
        root = self.send("DOM.getDocument", depth=0)["root"]["nodeId"]
        wanted = {"role": role, **({"accessibleName": name} if name is not None else {})}
        nodes = self.send("Accessibility.queryAXTree", nodeId=root, **wanted)["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def find(self, role, name):
        nodes = self.all(role, name)
        if len(nodes) != 1:
            raise AssertionError(
                f"{len(nodes)} of role {role} are named {name!r}; there are "
                + ", ".join(repr(node["name"]["value"]) for node in self.all(role)[:40]))
        return nodes[0]

    def text(self, selector):
        """The text of an element, as it is seen."""
        return self.value(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        """The texts of all elements that are seen."""
        return self.value(
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            ".filter((element) => element.getClientRects().length > 0)"
            ".map((element) => element.textContent)")

    def focused(self):
        return self.value("document.activeElement.innerText || document.activeElement.id")

    def screenshot(self, path):
        self.painted()
        data = self.send("Page.captureScreenshot")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
