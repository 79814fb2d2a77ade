#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the web player in a browser. Exits 77 if packages are missing."""
import argparse
import importlib
import pathlib
import re
import shutil
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


try:
    import browser
except ImportError as error:
    skip(f"{error}. On Debian or Ubuntu: apt install python3-pil python3-websocket")
import serve
import stage


def run(test, scene, number):
    """Runs one test and returns whether it passed. Its pages must have no errors that it did not take."""
    claim, _, _, function, _ = test
    start = time.monotonic()
    problem = None
    try:
        function(scene)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        place = [frame for frame in frames if frame.filename.endswith("_test.py")][-1]
        problem = f"{error}\nat {place.filename}:{place.lineno}"
        if not isinstance(error, (AssertionError, browser.Failure)):
            problem = f"the test is wrong: {''.join(traceback.format_exception(error))}"
    for page in list(scene.browser.pages.values()):
        try:
            if problem:
                page.screenshot().save(scene.out / f"{scene.browser.name}-{number}.png")
            errors = page.take_errors()
            if errors:
                problem = (problem or "") + "errors in the page:\n" + "\n".join(errors)
            page.close()
        except browser.Failure as error:
            problem = (problem or "") + str(error)
    seconds = time.monotonic() - start
    print(f"{'FAILED' if problem else 'passed'} in {seconds:5.2f} s: {claim}", flush=True)
    if problem:
        print("  " + problem.strip().replace("\n", "\n  "), flush=True)
    return not problem


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("browser", choices=browser.PROGRAMS)
    parser.add_argument("site", type=lambda path: pathlib.Path(path).resolve(), help="folder with the built site")
    parser.add_argument("tool", type=pathlib.Path, help="the pchr program")
    parser.add_argument("out", type=lambda path: pathlib.Path(path).resolve(), help="folder for profiles and screenshots of failures")
    parser.add_argument("--conformance", type=pathlib.Path, help="folder with third-party characters")
    parser.add_argument("--engines", type=pathlib.Path, help="folder with game engines that npm installed")
    parser.add_argument("--long", action="store_true", help="run only the tests that take minutes")
    parser.add_argument("--tests", default="", help="only tests whose claims match this regular expression")
    options = parser.parse_args()
    missing = browser.missing_packages(options.browser)
    if missing:
        skip(f"{options.browser} is not installed. On Debian or Ubuntu: apt install {' '.join(missing)}")
    if not (options.site / "index.html").is_file():
        skip(f"the web player is not built in {options.site}: run ./dev web")
    for file in sorted(HERE.glob("*_test.py")):
        importlib.import_module(file.stem)
    tests = [test for test in stage.TESTS
             if test[1] in (None, options.browser) and test[4] == options.long and re.search(options.tests, test[0])]
    if not tests:
        sys.exit(f"no test matches {options.tests}")
    root = HERE.parent.parent
    folders = {"pages": HERE / "pages", "assets": root / "assets", "tests": HERE.parent,
               "example": root / "examples/web", "bundled": options.out / "bundled", "out": options.out,
               "site": options.site}
    if options.conformance and options.conformance.is_dir():
        folders["conformance"] = options.conformance
    if options.engines and (options.engines / "three/package.json").is_file() and shutil.which("node"):
        folders["engines"] = options.engines.resolve()
    for test in [test for test in tests if test[2] and not (test[2] in folders or shutil.which(test[2]))]:
        tests.remove(test)
        print(f"skipped, because {test[2]} is not installed: {test[0]}")
    options.out.mkdir(parents=True, exist_ok=True)
    with serve.Server(options.site, **folders) as server:
        start = time.monotonic()
        driven = browser.Browser(options.browser, options.out / options.browser)
        try:
            print(f"{options.browser} {driven.version} started in {time.monotonic() - start:.2f} s", flush=True)
            scene = stage.Stage(driven, server, options.tool, folders, options.out)
            passed = [run(test, scene, number) for number, test in enumerate(tests, 1)]
            print(f"{sum(passed)} of {len(tests)} tests passed in {time.monotonic() - start:.1f} s")
        finally:
            driven.close()
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
