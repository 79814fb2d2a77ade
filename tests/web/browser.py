# SPDX-License-Identifier: MIT
"""Drives Chromium and Firefox through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/)."""
import base64
import io
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import threading
import urllib.request

import websocket
from PIL import Image

# Programs that the browsers need, and their Debian packages. Firefox has no WebGL without a display.
PROGRAMS = {"chromium": {"chromium": "chromium", "chromedriver": "chromium-driver"},
            "firefox": {"firefox-esr": "firefox-esr", "Xvfb": "xvfb"}}

# In seconds. Only stops tests that hang, even on a busy machine.
PATIENCE = 120

CHROMIUM_OPTIONS = [
    "--headless=new", "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-extensions", "--disable-gpu-sandbox", "--disable-quic", "--disable-sync", "--enable-precise-memory-info",
    "--enable-unsafe-swiftshader",
    "--force-color-profile=srgb", "--force-device-scale-factor=1", "--hide-scrollbars", "--js-flags=--expose-gc",
    "--mute-audio", "--no-default-browser-check", "--no-first-run", "--use-angle=swiftshader"]

FIREFOX_PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutConfig.showWarning": False,
    "browser.cache.disk.enable": False,
    "browser.contentblocking.features.standard": "",
    "browser.ml.enable": False,
    "browser.newtabpage.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "focusmanager.testmode": True,
    "gfx.color_management.mode": 0,
    "messaging-system.rsexperimentloader.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "nimbus.rollouts.enabled": False,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,#none",
    "toolkit.telemetry.server": "",
    "webgl.force-enabled": True,
}

# Makes violations of the content security policy and rejected promises errors of the page, and notes live WebAssembly
# memories, OpenGL objects and WebGL contexts, for tests of leaks.
BEFORE_PAGES = """() => {
  addEventListener('securitypolicyviolation', (event) => console.error(
    `content security policy: ${event.effectiveDirective} blocked ${event.blockedURI} ${event.sample}`));
  const memories = [];
  const live = {memories, gl: {}, contexts: []};
  Object.defineProperty(globalThis, 'live', {value: live});
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...all) => {
      const result = await original.apply(WebAssembly, all);
      const memory = (result.instance ?? result).exports.memory;
      if (memory) memories.push(new WeakRef(memory));
      return result;
    };
  }
  const {Instance} = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {construct(target, all, newTarget) {
    const instance = Reflect.construct(target, all, newTarget);
    if (instance.exports.memory) memories.push(new WeakRef(instance.exports.memory));
    return instance;
  }});
  for (const {prototype} of [HTMLCanvasElement, OffscreenCanvas]) {
    const {getContext} = prototype;
    prototype.getContext = function (...all) {
      const context = getContext.apply(this, all);
      if (context instanceof WebGL2RenderingContext && !live.contexts.includes(context)) live.contexts.push(context);
      return context;
    };
  }
  const prototypes = [WebGLRenderingContext.prototype, WebGL2RenderingContext.prototype];
  for (const prototype of prototypes) for (const name of Object.getOwnPropertyNames(prototype)) {
    const [, kind] = /^create(\\w+)$/.exec(name) ?? [];
    if (!kind || !(`delete${kind}` in prototype)) continue;
    live.gl[kind] = 0;
    const {[`create${kind}`]: create, [`delete${kind}`]: remove} = prototype;
    prototype[`create${kind}`] = function (...all) {
      const object = create.apply(this, all);
      if (object) ++live.gl[kind];
      return object;
    };
    prototype[`delete${kind}`] = function (object) {
      if (object) --live.gl[kind];
      return remove.call(this, object);
    };
  }
}"""

KEYS = {"Alt": "\uE00A", "ArrowDown": "\uE015", "ArrowLeft": "\uE012", "ArrowRight": "\uE014", "ArrowUp": "\uE013",
        "Backspace": "\uE003", "Control": "\uE009", "End": "\uE010", "Enter": "\uE007", "Escape": "\uE00C",
        "Home": "\uE011", "PageDown": "\uE00F", "PageUp": "\uE00E", "Shift": "\uE008", "Space": " ", "Tab": "\uE004"}


class Failure(Exception):
    """An unexpected state of a page or a browser."""


def missing_packages(name):
    """Returns the Debian packages that have to be installed to run a browser."""
    return [package for program, package in PROGRAMS[name].items() if not shutil.which(program)]


class Process:
    """A program in a process group of its own. Its output is read until it says where it listens."""

    def __init__(self, command, log, environment):
        self.log = open(log, "wb")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.log.write(line)
            self.log.flush()
            self.lines.put(line.decode(errors="replace"))
        self.lines.put(None)

    def wait_for(self, pattern):
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            if match := re.search(pattern, line):
                return match
        raise Failure(f"{self.process.args[0]} ended before it was ready; see {self.log.name}")

    def end(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, how)
                self.process.wait(timeout=10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass


class Browser:
    """A headless browser ("chromium" or "firefox") with a new profile in `folder`."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("profile", "home", "downloads"):
            (self.folder / part).mkdir(parents=True)
        self.environment = {**os.environ, "HOME": str(self.folder / "home"), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(variable, None)
        self.commands = 0
        self.pages = {}
        self.processes = []
        try:
            self.socket = getattr(self, f"start_{name}")()
            self.command("session.subscribe", events=["browsingContext.downloadEnd", "log.entryAdded"])
            self.command("browser.setDownloadBehavior", downloadBehavior={
                "type": "allowed", "destinationFolder": str(self.folder / "downloads")})
            self.command("script.addPreloadScript", functionDeclaration=BEFORE_PAGES)
        except BaseException:
            self.close()
            raise

    def start(self, pattern, *command):
        """Starts a program and returns what the group of a pattern matches in its output."""
        self.processes.append(Process(command, self.folder / f"{command[0]}.log", self.environment))
        return self.processes[-1].wait_for(pattern)[1]

    def start_chromium(self):
        port = self.start(r"started successfully on port (\d+)", "chromedriver", "--port=0")
        options = [*CHROMIUM_OPTIONS, f"--user-data-dir={self.folder / 'profile'}"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        capabilities = {"browserName": "chrome", "webSocketUrl": True, "unhandledPromptBehavior": "ignore",
                        "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": options}}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/session", method="POST",
                                         data=json.dumps({"capabilities": {"alwaysMatch": capabilities}}).encode(),
                                         headers={"Content-Type": "application/json"})
        # The environment can name a proxy.
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE) as reply:
            session = json.load(reply)["value"]
        self.version = session["capabilities"]["browserVersion"]
        return self.connect(session["capabilities"]["webSocketUrl"])

    def start_firefox(self):
        preferences = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                              for name, value in FIREFOX_PREFERENCES.items())
        (self.folder / "profile" / "user.js").write_text(preferences)
        display = self.start(r"^(\d+)$", "Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
        self.environment["DISPLAY"] = f":{display}"
        url = self.start(r"WebDriver BiDi listening on (ws://\S+)", "firefox-esr", "--no-remote",
                         "--profile", str(self.folder / "profile"), "--remote-debugging-port", "0")
        self.socket = self.connect(url + "/session")
        self.version = self.command("session.new", capabilities={})["capabilities"]["browserVersion"]
        return self.socket

    @staticmethod
    def connect(url):
        return websocket.create_connection(url, timeout=PATIENCE, suppress_origin=True, http_no_proxy=["*"])

    def command(self, method, /, **parameters):
        """Runs a command of the protocol and returns its result. Handles the events that come before it."""
        self.commands += 1
        number = self.commands
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        try:
            while True:
                message = json.loads(self.socket.recv())
                if message.get("id") == number:
                    break
                self.handle(message)
        except websocket.WebSocketTimeoutException:
            raise Failure(f"{self.name} did not answer {method} in {PATIENCE} s: {parameters}") from None
        if message["type"] == "error":
            raise Failure(f"{method}: {message['error']}: {message['message']}")
        return message["result"]

    def handle(self, event):
        parameters = event.get("params", {})
        page = self.pages.get(parameters.get("source", parameters).get("context"))
        if page is None:
            return
        if event["method"] == "log.entryAdded" and parameters["level"] == "error":
            frames = (parameters.get("stackTrace") or {}).get("callFrames", [])
            place = f" ({frames[0]['url']}:{frames[0]['lineNumber'] + 1})" if frames else ""
            page.errors.append(f"{parameters['text']}{place}")
        elif event["method"] == "browsingContext.downloadEnd":
            page.downloads.append(parameters.get("filepath"))

    def open(self, url, size=(1000, 700), scale=1):
        """Opens a page in a new tab and waits until it has loaded."""
        context = self.command("browsingContext.create", type="tab")["context"]
        page = self.pages[context] = Page(self, context)
        page.resize(size, scale)
        page.navigate(url)
        return page

    def close(self):
        while self.processes:
            self.processes.pop().end()


class Page:
    """A tab. `errors` has all uncaught errors, calls of console.error and violations of the policy so far."""

    def __init__(self, browser, context):
        self.browser = browser
        self.context = context
        self.errors = []
        self.downloads = []

    def close(self):
        self.command("browsingContext.close")
        del self.browser.pages[self.context]

    def command(self, method, /, **parameters):
        return self.browser.command(method, context=self.context, **parameters)

    def navigate(self, url):
        self.command("browsingContext.navigate", url=url, wait="complete")

    def resize(self, size, scale=1):
        self.command("browsingContext.setViewport", viewport={"width": size[0], "height": size[1]},
                     devicePixelRatio=scale)

    def call(self, declaration, **parameters):
        result = self.browser.command("script.callFunction", functionDeclaration=declaration, awaitPromise=True,
                                      target={"context": self.context}, **parameters)
        if result["type"] == "exception":
            raise Failure(f"{result['exceptionDetails']['text']} in {' '.join(declaration.split())[:300]}")
        return result["result"]

    def run(self, function, *arguments):
        """Calls a JavaScript function in the page, waits for its promise, and returns its result. Arguments and result
        are copied as JSON."""
        result = self.call(f"async (all) => JSON.stringify(await ({function})(...JSON.parse(all)))",
                           arguments=[{"type": "string", "value": json.dumps(arguments)}])
        return json.loads(result["value"]) if result["type"] == "string" else None

    def wait(self, function, *arguments):
        """Calls a JavaScript function until its result is true, and returns that."""
        return self.run("""async (...all) => {
          for (const end = performance.now() + %d;;) {
            const result = await (%s)(...all);
            if (result) return result;
            if (performance.now() > end) throw new Error('never true');
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }""" % (PATIENCE * 250, function), *arguments)

    def box(self, function):
        """Returns x, y, width and height of the element that a JavaScript function returns."""
        return self.run(f"() => {{ const box = ({function})().getBoundingClientRect();"
                        " return [box.x, box.y, box.width, box.height]; }")

    def center(self, function):
        x, y, width, height = self.box(function)
        return x + width / 2, y + height / 2

    def perform(self, *sources):
        self.command("input.performActions", actions=list(sources))

    @staticmethod
    def pointer(kind, actions, name="pointer"):
        return {"type": "pointer", "id": f"{kind}-{name}", "parameters": {"pointerType": kind}, "actions": actions}

    @staticmethod
    def stroke(points, button=0):
        """Returns the actions of a button or finger that moves through points while it is down."""
        def move(point):
            return {"type": "pointerMove", "x": round(point[0]), "y": round(point[1])}
        return [move(points[0]), {"type": "pointerDown", "button": button}, *map(move, points[1:]),
                {"type": "pointerUp", "button": button}]

    def click(self, point, button=0):
        self.perform(self.pointer("mouse", self.stroke([point], button)))

    def drag(self, points, button=0):
        self.perform(self.pointer("mouse", self.stroke(points, button)))

    def touch(self, *strokes):
        """Puts one finger on the screen per list of points, which are of one length, and moves them together."""
        self.perform(*(self.pointer("touch", self.stroke(points), f"finger{i}") for i, points in enumerate(strokes)))

    def wheel(self, point, x=0, y=0):
        self.perform({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(point[0]), "y": round(point[1]), "deltaX": x, "deltaY": y}]})

    def press(self, *keys):
        """Presses keys one after the other. "Shift+Tab" holds Shift."""
        actions = []
        for combination in keys:
            held = [KEYS.get(key, key) for key in re.split(r"(?<=.)\+", combination)]
            actions += [{"type": "keyDown", "value": key} for key in held]
            actions += [{"type": "keyUp", "value": key} for key in reversed(held)]
        self.perform({"type": "key", "id": "keyboard", "actions": actions})

    def hold(self, key, down):
        """Presses a key, or lets go of it."""
        action = {"type": "keyDown" if down else "keyUp", "value": KEYS.get(key, key)}
        self.perform({"type": "key", "id": "keyboard", "actions": [action]})

    def choose_files(self, function, paths):
        """Chooses files in the file input that a JavaScript function returns."""
        self.command("input.setFiles", element={"sharedId": self.call(function)["sharedId"]},
                     files=[str(pathlib.Path(path).resolve()) for path in paths])

    def drop_files(self, function, paths):
        """Drops files on the element that a JavaScript function returns. No protocol can do that with real input."""
        self.run("""(files) => {
          const transfer = new DataTransfer();
          for (const [name, data] of files) {
            transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
          }
          const element = (%s)();
          for (const type of ['dragenter', 'dragover', 'drop']) {
            element.dispatchEvent(new DragEvent(type,
              {dataTransfer: transfer, bubbles: true, cancelable: true, composed: true}));
          }
        }""" % function, [[pathlib.Path(path).name, base64.b64encode(pathlib.Path(path).read_bytes()).decode()]
                          for path in paths])

    def next_download(self):
        """Waits for a download to end and returns its file."""
        for _ in range(PATIENCE * 20):
            if self.downloads:
                return pathlib.Path(self.downloads.pop(0))
            # Events come with results.
            self.run("() => new Promise((resolve) => setTimeout(resolve, 50))")
        raise Failure("nothing was downloaded")

    def screenshot(self, box=None):
        """Returns the viewport or a box (x, y, width, height) of it as an image."""
        clip = {"clip": {"type": "box", **dict(zip(("x", "y", "width", "height"), box))}} if box else {}
        data = self.command("browsingContext.captureScreenshot", **clip)["data"]
        return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")

    def take_errors(self):
        """Returns the errors so far and forgets them."""
        # They can arrive after the result of the script that caused them.
        self.run("() => new Promise((resolve) => setTimeout(resolve))")
        errors = list(self.errors)
        self.errors.clear()
        return errors
