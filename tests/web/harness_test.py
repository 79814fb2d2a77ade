# SPDX-License-Identifier: MIT
"""The tests can fail: the browser enforces the policy and reports all errors, and counts what is alive."""
from stage import check, same, test


@test("errors and violations of the content security policy are noticed, and what is alive is counted")
def _(stage):
    page = stage.open_page("violations")
    errors = "\n".join(page.take_errors())
    for text in ("style-src-attr blocked inline", "script-src-elem blocked inline", "rejected", "reported", "thrown"):
        check(text in errors, f"{text!r} is not in {errors!r}")
    same(page.run("() => globalThis.inlineScriptRan ?? false"), False, "an inline script ran")
    counts = page.run("""async () => {
      const gl = document.createElement('canvas').getContext('webgl2');
      const buffers = [gl.createBuffer(), gl.createBuffer()];
      gl.deleteBuffer(buffers[0]);
      // A module that exports a memory of one page.
      const bytes = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 10, 1,
                                     6, 109, 101, 109, 111, 114, 121, 2, 0]);
      const first = await WebAssembly.instantiate(bytes);
      const second = new WebAssembly.Instance(await WebAssembly.compile(bytes));
      return [live.gl.Buffer, live.memories.map((memory) => memory.deref()?.buffer.byteLength),
              first.instance.exports.memory !== second.exports.memory];
    }""")
    same(counts, [1, [65536, 65536], True], "live buffers and memories")
