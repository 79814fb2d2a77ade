#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses the npm package as its users do, with the lines of docs/frameworks.md.

    check.py WHAT SITE OUT MODULES ENGINES

WHAT is "types", which compiles with the types of each framework and game engine; "recipes", which builds and runs the
components of the document; or "bundlers". MODULES and ENGINES are folders into which npm installed them. Exits 77 if the
frameworks, the site or a program are missing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DOCUMENT = (ROOT / "docs/frameworks.md").read_text()
WHAT, (SITE, OUT, MODULES, ENGINES) = sys.argv[1], (pathlib.Path(path).resolve() for path in sys.argv[2:6])
sys.path.append(str(HERE.parent))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


if not (MODULES / "vite/package.json").is_file():
    skip(f"the frameworks are not installed in {MODULES}: ./dev check --all does that")
if not (SITE / "package.json").is_file():
    skip(f"the web player is not built in {SITE}: run ./dev web")
NODE = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout if shutil.which("node") else "v0.0"
if tuple(map(int, NODE[1:].split(".")[:2])) < (20, 19):
    skip("Vite needs Node 20.19 or later")
try:
    import browser
    from stage import check, same
except ImportError as error:
    skip(f"{error}. On Debian or Ubuntu: apt install python3-pil python3-websocket")
if WHAT != "types" and (missing := browser.missing_packages("chromium")):
    skip(f"Chromium is not installed. On Debian or Ubuntu: apt install {' '.join(missing)}")
import npm_package
import serve


def blocks(heading, language):
    """Returns the programs of a language in a section of the document."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)[1]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


def project(name, source, **files):
    """Makes a project with copies of a folder's files and others, and the installed modules."""
    folder = OUT / name
    shutil.copytree(source, folder)
    (folder / "node_modules").symlink_to(OUT / "node_modules")
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


def run(folder, *command, code=0):
    """Runs a program of the modules, or a line of a shell, and returns its output."""
    environment = {**os.environ, "PATH": f"{MODULES / '.bin'}:{os.environ['PATH']}"}
    command = command if len(command) > 1 else ["sh", "-c", command[0]]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    check(done.returncode == code, f"in {folder.name}, {' '.join(command)} exits {done.returncode}:\n{done.stdout}")
    return done.stdout


def opened(driven, folder):
    """Serves a folder, and yields its page."""
    with serve.Server(folder) as server:
        page = driven.open(server.url)
        yield page
        errors = page.take_errors()
        check(not errors, f"{folder}: {errors}")
        page.close()


COMPILER = ["--strict", "--noEmit", "--skipDefaultLibCheck", "--target", "es2022", "--module", "esnext",
            "--moduleResolution", "bundler"]


def check_types():
    folder = project("types", HERE / "types")
    for name, source in [("react", "react"), ("preact", "preact"), ("solid", "solid-js")]:
        run(folder, "tsc", *COMPILER, "--jsx", "preserve", "--jsxImportSource", source, f"{name}.tsx")
        print(f"the types are right in {name}")
    if (OUT / "node_modules/phaser").exists():
        # Phaser's own types have errors.
        run(folder, "tsc", *COMPILER, "--skipLibCheck", "engines.ts")
        print("the types are right in PixiJS and Phaser")
    (folder / "tsconfig.json").write_text("""{
      "compilerOptions": {"strict": true, "noEmit": true, "skipDefaultLibCheck": true, "target": "es2022",
        "module": "esnext", "moduleResolution": "bundler", "types": [], "verbatimModuleSyntax": true, "jsx": "react-jsx",
        "paths": {"react": ["./node_modules/@types/react18"], "react/*": ["./node_modules/@types/react18/*"]}},
      "vueCompilerOptions": {"strictTemplates": true},
      "files": [FILES]
    }""")
    template = (folder / "tsconfig.json").read_text()

    def configure(*names):
        (folder / "tsconfig.json").write_text(template.replace("FILES", ", ".join(f'"{name}"' for name in names)))

    configure("react.tsx")
    same("types/react18/index.d.ts" in run(folder, "tsc", "--listFiles", "-p", "."), True, "React 18 is compiled")
    configure("Example.vue")
    run(folder, "vue-tsc", "-p", ".")
    print("the types are right in React 18 and Vue")
    configure("Example.svelte", "Wrong.svelte")
    found = run(folder, "svelte-check", "--tsconfig", "tsconfig.json", "--output", "machine", code=1)
    same(re.findall(r'ERROR "(\S+)" (\d+)', found), [("Wrong.svelte", "7"), ("Wrong.svelte", "8")], "errors in Svelte")
    print("the types are right in Svelte")


def check_recipe(driven, name, source, **files):
    folder = project(name, HERE / "apps" / source, **files)
    main = next(folder.glob("main.ts*")).name
    (folder / "index.html").write_text('<!doctype html>\n<title>App</title>\n<link rel="icon" href="data:,">\n'
                                       f'<div id="app"></div>\n<script type="module" src="./{main}"></script>\n')
    (folder / "public").mkdir()
    for asset in ("kiri.pchr", "kiri.rig.json"):
        shutil.copy(ROOT / "assets" / asset, folder / "public")
    run(folder, "vite", "build", "--base", "./")
    for page in opened(driven, folder / "dist"):
        page.wait("() => /[1-9]\\d* steps/.test(document.querySelector('figcaption').textContent)")
        same(page.run("() => document.querySelector('pchr-player').clip"), "walk", f"clip in {name}")
        page.run("() => document.querySelector('button').click()")
        page.wait("() => document.querySelector('pchr-player').clip === 'jump' && "
                  "document.querySelector('pchr-player').frame > 0")
    print(f"the recipe for {name} works")
    return folder


REACT_18 = """export default {resolve: {alias: [
  {find: /^react-dom(?=\\/|$)/, replacement: 'react-dom18'}, {find: /^react(?=\\/|$)/, replacement: 'react18'}]}};
"""


def check_recipes(driven):
    react, react18 = blocks("React", "tsx")
    folder = check_recipe(driven, "react", "react", **{"Hero.tsx": react})
    run(folder, "tsc", *COMPILER, "--jsx", "react-jsx", "main.tsx")
    check_recipe(driven, "react18", "react", **{"Hero.tsx": react18, "vite.config.js": REACT_18})
    run(OUT / "react18", "grep", "-rqF", "18.3.1", "dist")
    [vue], [configuration] = blocks("Vue", "vue"), blocks("Vue", "js")
    check_recipe(driven, "vue", "vue", **{"Hero.vue": vue, "vite.config.js": configuration})
    [svelte] = blocks("Svelte", "svelte")
    check_recipe(driven, "svelte", "svelte", **{"Hero.svelte": svelte})


def check_bundle(driven, name, folder, *commands):
    """Runs commands that put app.js or main.js into the folder dist, and opens a page with it there."""
    shutil.copy(ROOT / "assets/kiri.pchr", folder)
    for command in commands:
        run(folder, command)
    dist = folder / "dist"
    shutil.copy(ROOT / "assets/kiri.pchr", dist)
    if not (dist / "index.html").exists():
        script = "app.js" if (dist / "app.js").exists() else "main.js"
        (dist / "index.html").write_text(PAGE.replace("app.js", script))
    for page in opened(driven, dist):
        page.wait("() => globalThis.ready")
        colors = len(set(page.screenshot().getdata()))
        check(colors > 20, f"{name}: the image has {colors} colors")
    print(f"{name} works")


PAGE = """<!doctype html>
<title>App</title>
<link rel="icon" href="data:,">
<script type="module" src="./app.js"></script>
"""


def check_bundlers(driven):
    esbuild, rollup, copy = blocks("Bundlers", "sh")[0].splitlines()
    ways = {"vite": ["vite build --base ./"], "webpack": ["webpack ./app.js --mode production"],
            "esbuild": [esbuild, copy], "rollup": [rollup, copy]}
    for entry in ("element", "runtime"):
        text = (HERE / f"apps/bundlers/{entry}.js").read_text()
        for bundler, commands in ways.items():
            name = f"{bundler}_{entry}"
            folder = project(name, HERE / "types", **{"app.js": text, "index.html": PAGE})
            check_bundle(driven, name, folder, *commands)
    # The server of Vite, for which the folder with the modules has to be the project's own.
    for name in ("index.html", "app.js", "kiri.pchr"):
        shutil.copy(OUT / "vite_element" / name, OUT)
    server = browser.Process(["node", MODULES / "vite/bin/vite.js", "--host", "127.0.0.1", "--port", "0", OUT],
                             OUT / "vite.log", {**os.environ, "NO_COLOR": "1"})
    try:
        page = driven.open(server.wait_for(r"(http://127\.0\.0\.1:\d+/)")[1])
        page.wait("() => globalThis.ready")
        page.close()
        print("the server of Vite works")
    finally:
        server.end()
    # Modules that are somewhere else.
    move = ["mkdir dist/modules", copy.replace(" dist", " dist/modules")]
    elsewhere = blocks("Bundlers", "js")[1].replace("'/modules", "'./modules")
    for entry, change in [("element", ("{src:", "{module: 'modules/pchr-v1.wasm', src:")),
                          ("runtime", ("async function", f"{elsewhere}\nasync function"))]:
        text = (HERE / f"apps/bundlers/{entry}.js").read_text().replace(*change)
        name = f"elsewhere_{entry}"
        check_bundle(driven, name, project(name, HERE / "types", **{"app.js": text}), esbuild, *move)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    npm_package.install(SITE, OUT / "node_modules")
    engines = [ENGINES / name for name in ("phaser", "pixi.js") if (ENGINES / name).is_dir()]
    for module in [*MODULES.iterdir(), *engines]:
        (OUT / "node_modules" / module.name).symlink_to(module)
    if WHAT == "types":
        check_types()
        return
    driven = browser.Browser("chromium", OUT / "chromium")
    try:
        {"recipes": check_recipes, "bundlers": check_bundlers}[WHAT](driven)
    finally:
        driven.close()


main()
