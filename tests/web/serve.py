#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Serves folders on the loopback interface, under the strictest content security policy that the web player supports.

    serve.py FOLDER [PORT]
"""
import http.server
import pathlib
import sys
import threading
import urllib.parse

POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
          "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'")
# The system's table can lack or change some of them.
TYPES = {".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
         ".mjs": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml", ".wasm": "application/wasm",
         ".webp": "image/webp"}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folders = {}

    def translate_path(self, path):
        """Returns the file of the folder with the longest matching prefix."""
        path = urllib.parse.unquote(path.split("?", 1)[0].split("#", 1)[0])
        parts = [part for part in path.split("/") if part not in ("", ".", "..")]
        prefix, folder = max(((prefix, folder) for prefix, folder in self.folders.items()
                              if parts[:len(prefix)] == list(prefix)), key=lambda match: len(match[0]))
        return str(folder.joinpath(*parts[len(prefix):])) + ("/" if path.endswith("/") else "")

    def guess_type(self, path):
        return TYPES.get(pathlib.Path(path).suffix.lower(), "application/octet-stream")

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Serves `folder` at / and each of `mounts` (a name and a folder) at /name/."""

    daemon_threads = True

    def __init__(self, folder, port=0, **mounts):
        folders = {(): pathlib.Path(folder), **{(name,): pathlib.Path(path) for name, path in mounts.items()}}
        super().__init__(("127.0.0.1", port), type("Handler", (Handler,), {"folders": folders}))
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, request, client_address):
        """Ignores browsers that close connections early."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def main(folder, port="8000"):
    if not pathlib.Path(folder, "index.html").is_file():
        sys.exit(f"serve.py: {folder} has no index.html")
    try:
        server = Server(folder, int(port))
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(f"serve.py: cannot use port {port}: {error}")
    print(f"Serving {folder} at {server.url} until interrupted (Ctrl+C)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
