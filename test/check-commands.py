#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands that READMEs and doc/ print.

A command is a line of an indented or fenced block, or a `code span`, that begins with `./ddl`, a path
in build/, cmake, git and the like. Commands run in a folder of their own, which looks like the
checkout; results go there, too. A machine that README prepares has no `make`, so there is none here.

What is cheap runs as it is printed, but with two seeds at most, and has to end with 0: see REAL. Every
other `./ddl` command runs with results that cannot be written, so the program itself checks its
options, keys, names and figures (status 2 if something is wrong) and then stops before it simulates
(status 1). What several pages print runs once. Of `./ddl reproduce PAPER --quick` and of single figures
only the names are checked: the tests reproduce/PAPER run all figures of a paper with --quick, and all
runs of `./ddl reproduce PAPER` are checked here for each paper.

Under sanitizers, where a run takes some 50 times as long, runs have a tenth of the iterations.

Comments of the page say what else there is:
  <!-- not run: REASON -->          the block that follows is not run
  <!-- with NAME=VALUE ... -->      words that stand for something of the reader's, or are smaller here

Usage: check-commands.py [--list] [FILE...]        (default: all pages)
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("DDL_HOME", pathlib.Path(__file__).resolve().parent.parent))
BUILD = pathlib.Path(os.environ.get("DDL_BUILD", ROOT / "build"))
PAGES = ["README.md", "CONTRIBUTING.md", "doc/*.md", "doc/*.rst", "scenarios/README.md",
         "scenarios/*/README.md", "traces/README.md", "examples/*/README.md"]
PROGRAMS = (r"(?:\./|build/|\.ci/|(?:sudo|apt|apt-get|git|cmake|ctest|ninja|gnuplot|ln|cp|cd|bash|sh|"
            r"clang-format-14|clang-tidy-14|perf|valgrind|python3) )")
PLACEHOLDER = re.compile(r"(?:^|[\s=/,\[])(?!TCP|RDMA)([A-Z][A-Z0-9]{2,})\b|\.\.\.")
NOWHERE = "/dev/null/x"

# Commands that run to their end, by what they begin with; so do run, compare and report of README.md
# and of the tutorial.
REAL = ["./ddl list", "./ddl check", "./ddl graph", "./ddl topology", "./ddl plot", "./ddl --help", "./ddl study lp-instances", "cmake ",
        "git clone"]


class Command:
    def __init__(self, page, line, text, is_span, note):
        self.page, self.line, self.text, self.is_span = page, line, text, is_span
        self.why_not = ""
        if note.startswith("not run:"):
            self.why_not = note[len("not run:"):].strip()
        elif note.startswith("with "):
            for word in shlex.split(note[len("with "):]):
                name, value = word.split("=", 1)
                self.text = re.sub(rf"\b{name}\b", lambda _: value.format(root=ROOT), self.text)

    def __str__(self):
        return f"{self.page}:{self.line}: {self.text}"


def blocks(lines):
    """(number of the first line, lines, note) of each indented or fenced block"""
    note, i = "", 0
    while i < len(lines):
        comment = re.match(r"\s*(?:<!--|\.\.)\s+((?:not run:|with )[^>]*?)\s*(?:-->)?$", lines[i])
        if comment:
            note = comment.group(1)
        elif lines[i].startswith("```"):
            first = i = i + 1
            while i < len(lines) and not lines[i].startswith("```"):
                i += 1
            yield first + 1, lines[first:i], note
            note = ""
        elif re.match(r"  +\S", lines[i]) and (i == 0 or not lines[i - 1].strip()):
            first = i
            while i < len(lines) and (lines[i].startswith("  ") or not lines[i].strip()):
                i += 1
            yield first + 1, lines[first:i], note
            note = ""
            continue
        elif lines[i].strip():
            note = ""
        i += 1


def commands(page):
    """all commands of a page, in its order"""
    lines = (ROOT / page).read_text().splitlines()
    found, in_blocks = [], set()
    for first, block, note in blocks(lines):
        i = 0
        while i < len(block):
            number, text = first + i, block[i].strip()
            while text.endswith("\\") and i + 1 < len(block):
                i += 1
                text = text[:-1] + block[i].strip()
            if re.match(PROGRAMS, text):
                found.append(Command(page, number, text, False, note))
                in_blocks.update(range(number, first + i + 1))
            i += 1
    for number, line in enumerate(lines, 1):
        if number in in_blocks:
            continue
        for span in re.findall(r"`([^`]*(?:\./ddl |build/ddl-)[^`]*)`", line):
            built = re.search(r"build/ddl-[\w-]+", span)
            if built or span.startswith("./ddl") and not PLACEHOLDER.search(span):
                found.append(Command(page, number, built.group() if built else span, True, ""))
    return sorted(found, key=lambda command: command.line)


def is_sanitized():
    cache = BUILD / "CMakeCache.txt"
    return cache.exists() and "DDL_SANITIZE:BOOL=ON" in cache.read_text()


def built_by_run():
    """programs that `./ddl` builds for its commands"""
    query = subprocess.run(["ninja", "-C", BUILD, "-t", "query", "programs", "bench"],
                           capture_output=True, text=True)
    return set(re.findall(r"\bddl-[\w-]+", query.stdout))


class Runner:
    def __init__(self, folder):
        self.folder = folder / "ddl"
        self.folder.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in ("build", "results", ".git") and not entry.name.startswith("build-"):
                (self.folder / entry.name).symlink_to(entry)
        (self.folder / "build").symlink_to(BUILD)
        tools = folder / "tools"
        tools.mkdir()
        for name in ("make", "gmake"):
            (tools / name).write_text("#!/bin/sh\necho 'a bare machine has no make' >&2\nexit 1\n")
            (tools / name).chmod(0o755)
        (folder / "home").mkdir()
        self.clones = folder / "clones"
        self.clones.mkdir()
        self.environment = dict(os.environ, DDL_BUILD=str(BUILD), PATH=f"{tools}:{os.environ['PATH']}",
                                HOME=str(folder / "home"), CCACHE_DISABLE="1")
        for name in ("CMAKE_GENERATOR", "DDL_HOME"):
            self.environment.pop(name, None)
        self.programs = built_by_run()
        self.shorter = "--set=scale.iterations=0.1" if is_sanitized() else ""
        self.ended = {}
        self.validated = {}
        self.figures = subprocess.run([BUILD / "ddl-list", "papers"], capture_output=True, text=True,
                                      env=dict(self.environment, DDL_HOME=str(ROOT))).stdout
        self.counts = {"run": 0, "checked": 0, "not run": 0}

    def run(self, command):
        """"" or what is wrong"""
        if command.why_not:
            self.counts["not run"] += 1
            return ""
        if command.is_span and re.fullmatch(r"\./ddl [a-z]+", command.text): # the name of a command
            self.counts["checked"] += 1
            name = command.text.split()[1]
            return "" if name in ("test", "study") or f"ddl-{name}" in self.programs else "no such command"
        if PLACEHOLDER.search(re.sub(r"\s#.*", "", command.text)):
            return "a word stands for something of the reader's; say what: <!-- with NAME=VALUE -->"
        if command.text.startswith("build/"):
            return self.check_built(command.text)
        is_clone = command.text.startswith("git clone")
        if is_clone and not (ROOT / ".git").exists():
            self.counts["not run"] += 1
            return ""
        if self.is_real(command):
            self.counts["run"] += 1
            return self.run_whole(command.text, self.clones if is_clone else self.folder)
        self.counts["checked"] += 1
        return self.check(command.text)

    @staticmethod
    def is_real(command):
        if any(command.text.startswith(start) for start in REAL):
            return True
        words = shlex.split(command.text, comments=True)
        if len(words) > 2 and words[0] == "./ddl" and words[1] in ("run", "compare", "report"):
            return not command.is_span and command.page in ("README.md", "doc/tutorial.md")
        return words[-1] == "--help"

    def run_whole(self, text, folder):
        if self.shorter:
            text = re.sub(r"^(\./ddl (?:run|compare) (?!--help))", rf"\1{self.shorter} ", text)
        text = re.sub(r"(?<= --seeds=)\d+", lambda seeds: str(min(2, int(seeds.group()))), text)
        if text not in self.ended:
            self.ended[text] = self.run_once(text, folder)
        return self.ended[text]

    def run_once(self, text, folder):
        result = subprocess.run(["bash", "-c", "set -o pipefail\n" + text], cwd=folder,
                                env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, errors="replace")
        if result.returncode == 0:
            return ""
        return f"ends with {result.returncode}\n{tail(result.stdout)}{tail(result.stderr)}"

    def check_built(self, text):
        self.counts["checked"] += 1
        program = pathlib.Path(text.split()[0]).name
        if program in self.programs:
            return ""
        return f"./ddl does not build {program}; ./ddl study does (a study), or add it to `programs` or `bench`"

    def check(self, text):
        """the program's own word on options, keys and names, without a simulation"""
        words = shlex.split(text, comments=True)
        if words[0] != "./ddl" or any(mark in words for mark in ("|", "&&", ";")):
            return "neither run nor checked: add it to REAL, or <!-- not run: REASON -->"
        name, rest = words[1], words[2:]
        if name in ("test", "study"):
            return self.check_script(name, rest)
        if name == "reproduce" and rest[1:]:
            others = [word for word in rest if word != "--quick"]
            if len(others) == 1 or len(others) == 2 and others[1].startswith("--figure="):
                return self.check_figures(*others)
        rest = [word for word in rest if not word.startswith("--out=")] + ["--out=" + NOWHERE]
        key = (name, *rest)
        if key not in self.validated:
            program = BUILD / f"ddl-{name}"
            if not program.exists():
                return f"./ddl has no command {name}"
            result = subprocess.run([program, *rest], cwd=self.folder, capture_output=True, text=True,
                                    env=dict(self.environment, DDL_HOME=str(ROOT)),
                                    stdin=subprocess.DEVNULL, errors="replace")
            stopped = result.returncode == 1 and NOWHERE in result.stderr
            self.validated[key] = "" if stopped else \
                f"ends with {result.returncode}, not for its results alone\n{tail(result.stderr)}"
        return self.validated[key]

    def check_figures(self, paper, figures=""):
        """names of a paper, and perhaps of some of its figures, by folder or number"""
        known = re.findall(rf"^  {re.escape(paper)} --figure=(\S+) +(?:Fig\. (\w+):)?", self.figures, re.M)
        if not known:
            return f"there is no paper {paper}"
        names = {name for figure in known for name in figure if name}
        wanted = figures[len("--figure="):].split(",") if figures else []
        unknown = [name for name in wanted if name not in names]
        return f"{paper} has no figures {unknown}" if unknown else ""

    def papers(self):
        return sorted(set(re.findall(r"^  (\S+) --figure=", self.figures, re.M)))

    def check_script(self, name, rest):
        """of what the script ./ddl does itself: options and studies are those of its help"""
        text = subprocess.run(["./ddl", name, "--help"], cwd=self.folder, capture_output=True,
                              text=True, env=self.environment).stdout
        if name == "study" and rest and not re.search(rf"^  {re.escape(rest[0])}\b", text, re.M):
            return f"./ddl study does not know {rest[0]}"
        unknown = [word for word in rest if word.startswith("-") and word.split("=")[0] not in text]
        return f"./ddl {name} does not know {unknown}" if unknown else ""


def tail(text):
    return "".join("    " + line + "\n" for line in text.splitlines()[-8:])


def main():
    arguments = sys.argv[1:]
    only_list = "--list" in arguments
    pages = [word for word in arguments if not word.startswith("--")]
    if len(pages) + only_list != len(arguments):
        sys.exit(__doc__)
    if not pages:
        pages = [str(path.relative_to(ROOT)) for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    everything = [command for page in pages for command in commands(page)]
    if only_list:
        for command in everything:
            print(command, f"({command.why_not})" if command.why_not else "")
        return 0
    folder = pathlib.Path(tempfile.mkdtemp())
    bad = 0
    try:
        runner = Runner(folder)
        if not arguments:
            everything += [Command("every paper", 0, f"./ddl reproduce {paper}", False, "")
                           for paper in runner.papers()]
        for command in everything:
            start = time.monotonic()
            problem = runner.run(command)
            seconds = time.monotonic() - start
            if seconds > 5:
                print(f"{seconds:.0f} s: {command}", flush=True)
            if problem:
                bad += 1
                print(f"{command}\n  {problem}", file=sys.stderr, flush=True)
        print(f"{len(pages)} pages:", ", ".join(f"{n} {what}" for what, n in runner.counts.items()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
