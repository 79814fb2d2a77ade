#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the website: the guides, the API reference that Doxygen wrote, and the web player on its first page. Checks
that all links work, that each page is at most two links from the first, and that nothing is loaded from elsewhere."""
import argparse
import html
import html.parser
import os
import pathlib
import re
import shutil
import string
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

import pygments
import pygments.formatters
import pygments.lexers

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
TEMPLATE = string.Template((here / "page.html").read_text())
# As cmark-gfm writes them.
LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)
IMAGE = re.compile(r'(<img src=")([^"]*)"')
CODE_BLOCK = re.compile(r'<pre><code class="language-(\S+)">(.*?)</code></pre>', re.DOTALL)
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
CODE = re.compile(r"<a .*?</a>|<pre>.*?</pre>|<code>([\w:]+)(?:\(\))?</code>", re.DOTALL)
# Guides whose names of types and functions are those of the C++ API also without "pchr::".
CPP_GUIDES = {"docs/embedding.md", "docs/cookbook.md"}


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def highlight(match):
    try:
        lexer = pygments.lexers.get_lexer_by_name(match[1])
    except pygments.util.ClassNotFound:
        return match[0]
    code = pygments.highlight(html.unescape(match[2]), lexer, pygments.formatters.HtmlFormatter(nowrap=True))
    return f"<pre><code>{code}</code></pre>"


def linked_files(document):
    """Returns the files that a Markdown file links, relative to the repository."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", (root / document).read_text()):
        if ":" not in target:
            yield os.path.normpath(document.parent / urllib.parse.unquote(target))


def documentation(readme):
    return re.search(r"^## Documentation\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)[1]


def find_guides():
    """Returns the Markdown files that README.md leads to, first those in its list of documents."""
    readme = (root / "README.md").read_text()
    guides = [pathlib.Path(name) for name in re.findall(r"\]\(([\w/]+\.md)\)", documentation(readme))]
    for document in guides:
        for name in linked_files(document):
            path = pathlib.Path(name)
            if path.suffix == ".md" and name != "README.md" and path not in guides and (root / path).is_file():
                guides.append(path)
    return guides


class Api:
    """What Doxygen wrote: its pages, and where each name is."""

    def __init__(self, folder):
        self.folder = folder
        self.headers = {}  # The page and the types of each header.
        self.pages = set()
        self.names = {}
        if not folder:
            return
        compounds = xml.etree.ElementTree.parse(folder / "pchr.tag").getroot().findall("compound")
        for compound in compounds:
            kind, name, page = compound.get("kind"), compound.findtext("name"), compound.findtext("filename")
            page = page if page.endswith(".html") else page + ".html"
            if kind not in ("file", "class", "struct", "union", "namespace") or not (folder / "html" / page).exists():
                continue
            if kind == "file":
                path = pathlib.Path(compound.findtext("path") + name)
                header = path.relative_to(root / "runtime/include").as_posix()
                self.headers[header] = page, [each.text for each in compound.findall("class")]
                scope = ""
            else:
                self.names[name] = page
                scope = name + "::"
            for member in compound.findall("member"):
                self.names.setdefault(scope + member.findtext("name"),
                                      f"{member.findtext('anchorfile')}#{member.findtext('anchor')}")
        # Without the general case of templates that only have special ones, which no header lists.
        self.pages = {page for page in self.names.values() if page.startswith("namespace") and "#" not in page}
        for page, types in self.headers.values():
            self.pages |= {page, *(self.names[each] for each in types if each in self.names)}

    def link_names(self, markup, bare, prefix):
        """Links the names in inline code."""
        def link(match):
            name = match[1]
            if not name or not (bare or name.startswith("pchr")):
                return match[0]
            place = self.names.get(name) or self.names.get("pchr::" + name)
            return f'<a href="{prefix}{place}">{match[0]}</a>' if place and name != "pchr" else match[0]
        return CODE.sub(link, markup)

    def list_types(self):
        """Returns all headers with their types, as a part of the first page of the reference."""
        parts = ['<h2 id="all-types">All types</h2>\n<dl class="types">']
        for header, (page, types) in sorted(self.headers.items()):
            links = ", ".join(f'<a href="../api/{self.names[each]}">{html.escape(each.removeprefix("pchr::"))}</a>'
                              for each in sorted(types) if each in self.names)
            parts.append(f'<dt><a href="../api/{page}">{header}</a></dt><dd>{links}</dd>')
        spaces = ", ".join(f'<a href="../api/{page}">{name}</a>' for name, page in sorted(self.names.items())
                           if page.startswith("namespace") and "#" not in page)
        return "\n".join([*parts, f"<dt>Namespaces</dt><dd>{spaces}</dd>", "</dl>"])


class Site:
    def __init__(self, out, api, player, source):
        self.out, self.api, self.player, self.source = out, api, player, source
        self.guides = find_guides()
        self.titles = {guide: re.search(r"^# (.*)", (root / guide).read_text(), re.MULTILINE)[1]
                       for guide in self.guides}

    def write(self, path, title, body, sidebar=""):
        """Writes a page from the template, with the sidebar next to its body."""
        if sidebar:
            body = f'  <div class="columns">\n<main>\n{body}\n</main>\n{sidebar}\n  </div>'
        prefix = "/".join([".."] * (len(pathlib.Path(path).parts) - 1)) or "."
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEMPLATE.substitute(root=prefix, title=html.escape(title), body=body))

    def place_of(self, document, target):
        """Returns the address of what a document links or shows, or None if the website does not have it."""
        if ":" in target or target.startswith("#"):
            return target
        path, _, fragment = target.partition("#")
        name = os.path.normpath(document.parent / urllib.parse.unquote(html.unescape(path)))
        page = None
        if name == "README.md":
            page = "index.html"
        elif pathlib.Path(name) in self.guides:
            page = name[:-3] + ".html"
        elif pathlib.Path(name).suffix in (".png", ".webp", ".svg"):
            page = name
            (self.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, self.out / name)
        elif (header := name.removeprefix("runtime/include/")) in self.api.headers:
            page = "api/" + self.api.headers[header][0]
        elif name.startswith("examples/web/") and self.player:
            page = "player/examples/" + name.removeprefix("examples/web/")
        elif self.source:
            return f"{self.source}/{name}"
        if not page:
            return None
        return os.path.relpath(page, document.parent) + (f"#{fragment}" if fragment else "")

    def render(self, document, text):
        """Returns a document as HTML and its headings: their levels, texts and anchors, which are those of GitHub."""
        markup = subprocess.run(["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "autolink"],
                                input=text, capture_output=True, text=True, check=True).stdout
        headings, slugs = [], []

        def anchor(match):
            slug = re.sub(r"[^\w\- ]", "", plain(match[2]).lower()).replace(" ", "-")
            slugs.append(slug)
            count = slugs.count(slug) - 1
            headings.append((int(match[1]), match[2], f"{slug}-{count}" if count else slug))
            return f'<h{match[1]} id="{headings[-1][2]}">{match[2]}</h{match[1]}>'

        def link(match):
            place = self.place_of(document, match[1])
            text = match[2]
            if text.endswith(".md"):
                file = pathlib.Path(os.path.normpath(document.parent / match[1].partition("#")[0]))
                text = self.titles.get(file, text)
            return f'<a href="{place}">{text}</a>' if place else text

        markup = HEADING.sub(anchor, markup)
        markup = LINK.sub(link, markup)
        markup = IMAGE.sub(lambda match: f'{match[1]}{self.place_of(document, match[2])}"', markup)
        up = "../" * (len(document.parts) - 1)
        markup = self.api.link_names(markup, document.as_posix() in CPP_GUIDES, up + "api/")
        markup = CODE_BLOCK.sub(highlight, markup)
        # Wide tables scroll by themselves.
        return re.sub(r"<table>.*?</table>", r'<div class="wide">\g<0></div>', markup, flags=re.DOTALL), headings

    def list_guides(self, document, headings):
        """Returns the sidebar of a guide: all guides, and the sections of this one."""
        parts = ['<nav class="pages" aria-label="Guides">', "<ul>"]
        for guide in self.guides:
            title = self.titles[guide]
            place = os.path.relpath(guide.with_suffix(".html"), document.parent)
            if guide != document:
                parts.append(f'<li><a href="{place}">{title}</a></li>')
                continue
            sections = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for level, text, anchor in headings
                               if level == 2 and "<a " not in text)
            parts.append(f'<li><a href="{place}" aria-current="page">{title}</a><ul>{sections}</ul></li>')
        return "\n".join([*parts, "</ul>", "</nav>"])

    def write_guides(self):
        for guide in self.guides:
            markup, headings = self.render(guide, (root / guide).read_text())
            if guide == pathlib.Path("docs/reference.md"):
                markup += self.api.list_types()
            self.write(guide.with_suffix(".html"), f"{self.titles[guide]} – pchr", markup,
                       self.list_guides(guide, headings))
        # The first guide lists the others, as README.md does.
        overview = pathlib.Path("docs/index.md")
        table = documentation((root / "README.md").read_text())
        table = re.sub(r"\]\((?!docs/)", "](../", table).replace("](docs/", "](")
        markup, headings = self.render(overview, "# Guides\n" + table)
        self.write("docs/index.html", "Guides – pchr", markup, self.list_guides(overview, headings))

    def write_api(self):
        for page in self.api.pages:
            text = (self.api.folder / "html" / page).read_text()
            title = re.search(r"<title>(?:pchr: )?(.*?)</title>", text)[1]
            body = text[text.index('<div class="header">'):text.index("<!-- contents -->")]
            body = re.sub(r'<div class="title">(.*?)</div>', r"<h1>\1</h1>", body, flags=re.DOTALL)
            body = re.sub(r'(&#124;\s*)?<a href="[^"]*-members\.html">[^<]*</a>', "", body)
            # Indices and listings that this website leaves out, and anchors that Doxygen forgets.
            body = re.sub(r'<a [^>]*href="([^"#]*)#?([^"]*)"[^>]*>(.*?)</a>',
                          lambda link: link[0] if link[1] in self.api.pages or f'id="{link[2]}"' in body else link[3],
                          body, flags=re.DOTALL)
            headers = "\n".join(f'<li><a href="{place}"{" aria-current=page" * (place == page)}>{header}</a></li>'
                                for header, (place, _) in sorted(self.api.headers.items()))
            self.write(f"api/{page}", f"{html.unescape(title)} – pchr", f'<div class="api">{body}</div>',
                       f'<nav class="pages" aria-label="Headers"><ul>\n{headers}\n</ul></nav>')

    def write_front(self):
        self.write("index.html", "pchr: 2D skeletal characters, everywhere", (here / "index.html").read_text())
        for name in ("site.css", "front.js"):
            shutil.copyfile(here / name, self.out / name)
        if self.player:
            # The gallery is also part of the npm package, which has no first page.
            shutil.copytree(self.player, self.out / "player")
            gallery = self.out / "player/gallery.html"
            start = '<nav aria-label="Pages">'
            gallery.write_text(gallery.read_text().replace(start, start + '<a href="../index.html">Home</a> '))
        else:
            (self.out / "player").mkdir()
            for name in ("theme.css", "icon.svg"):
                shutil.copyfile(root / "player/web/page" / name, self.out / "player" / name)


class Page(html.parser.HTMLParser):
    """What a page links and loads, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if values.get("src") or tag == "link":
            self.loads.append(values.get("src") or values["href"])
        elif values.get("href"):
            self.links.append(values["href"])


def check(site, left_out):
    """Returns the problems of a website that lacks some folders."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    problems = []
    linked = {path: [] for path in pages}
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.links + page.loads:
            if re.match(r"\w+:|//", target):
                if target in page.loads:
                    problems.append(f"{name}: {target} is loaded from elsewhere")
                continue
            address, _, fragment = target.partition("#")
            file = (path.parent / urllib.parse.unquote(address.partition("?")[0])).resolve() if address else path
            file = file / "index.html" if file.is_dir() else file
            if not file.is_relative_to(site):
                problems.append(f"{name}: {target} is outside the website")
            elif not file.exists():
                if file.relative_to(site).parts[0] not in left_out:
                    problems.append(f"{name}: {target} does not exist")
            elif file in pages:
                linked[path].append(file)
                if fragment and urllib.parse.unquote(fragment) not in pages[file].anchors:
                    problems.append(f"{name}: {target} names no anchor")
    first = site / "index.html"
    near = {first, *linked[first], *(far for page in linked[first] for far in linked[page])}
    return problems + [f"{path.relative_to(site)} is more than two links from the first page"
                       for path in sorted({*pages} - near)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path, help="folder of the website, which is replaced")
    parser.add_argument("--api", type=pathlib.Path, help="folder that Doxygen wrote, with pchr.tag")
    parser.add_argument("--player", type=pathlib.Path, help="folder of the web player, as ./dev web builds it")
    parser.add_argument("--source", help="address of a folder with the sources, for links to files that are no pages")
    options = parser.parse_args()
    if not shutil.which("cmark-gfm"):
        sys.exit("site.py: cmark-gfm is not installed. On Debian or Ubuntu: apt install cmark-gfm")
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    site = Site(options.out, Api(options.api), options.player, options.source)
    site.write_front()
    site.write_guides()
    site.write_api()
    left_out = [name for name, given in (("api", options.api), ("player", options.player)) if not given]
    if problems := check(options.out.resolve(), left_out):
        sys.exit("\n".join(problems))


main()
