#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that links in pages lead to files that there are, and to headings that they have.

Usage: check-links.py        (all *.md of the checkout)
"""
import functools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("DDL_HOME", pathlib.Path(__file__).resolve().parent.parent)).resolve()
PAGES = ["*.md", "doc/*.md", "scenarios/README.md", "scenarios/*/README.md", "traces/README.md",
         "examples/*/README.md"]


@functools.lru_cache(None)
def anchors(path):
    """names of the headings of a page, as GitHub makes them, and of <a id="NAME">"""
    page = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    found, counts = set(re.findall(r'<a id="([^"]+)">', page)), {}
    for heading in re.findall(r"^#+ +(.+?)\s*$", page, re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = counts[name] = counts.get(name, -1) + 1
        found.add(f"{name}-{number}" if number else name)
    return found


def main():
    pages = [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    bad, count = [], 0
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists():
                bad.append(f"{page.relative_to(ROOT)}: there is no {link}")
            elif anchor and anchor not in anchors(target):
                bad.append(f"{page.relative_to(ROOT)}: no heading for {link}")
    for line in bad:
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages: {count} links")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
