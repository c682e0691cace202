#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The rules of the house, checked on the tree (doc/source-map.md). Prints every violation.

  - includes go one way: metrics -> scheduling -> placement -> workload -> cluster -> transport
    -> fabric -> common; helper may include every room, no room includes helper
  - the same room is included as "ddl-x.h", another room as "ns3/ddl-x.h", and nothing by "../";
    tests of all rooms include headers in test/common as "ddl-x.h"
  - every header and library source is called ddl-*, and no two files have one basename
  - cmake/ddl-files.cmake, wscript and the disk agree
  - every source file begins with its licence

Usage: check-rooms.py [ROOT] | --self-test
Exit status: 0 all is well; 1 there are violations.
"""

import importlib.machinery
import importlib.util
import re
import sys
import tempfile
from pathlib import Path

# From the one that may include all the others to the one that includes none of them.
ROOMS = [
    "metrics",
    "scheduling",
    "placement",
    "workload",
    "cluster",
    "transport",
    "fabric",
    "common",
]
LICENCE = "SPDX-License-Identifier: GPL-2.0-only"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SET = re.compile(r"^\s*set\((ddl_\w+)([^)]*)\)", re.MULTILINE)


def folder_of(variable):
    """"ddl_fabric_headers" -> ("model/fabric", ".h"): where the names of a list live."""
    kind = variable.split("_")[-1]
    if kind in ("programs", "examples"):
        return kind, ".cc"
    room = variable.split("_")[1]
    suffix = ".h" if kind == "headers" else ".cc"
    if kind == "tests":
        return f"test/{room}", suffix
    return ("helper" if room == "helper" else f"model/{room}"), suffix


def read_lists(root):
    """All lists of cmake/ddl-files.cmake: variable -> names."""
    text = (root / "cmake/ddl-files.cmake").read_text(encoding="utf-8")
    text = re.sub(r"#.*", "", text)
    return {variable: names.split() for variable, names in SET.findall(text)}


def listed_files(lists):
    """Every listed file as a path from the root, in the order of the lists."""
    files = []
    for variable, names in lists.items():
        folder, suffix = folder_of(variable)
        for name in names:
            plain = name if variable not in ("ddl_programs", "ddl_examples") else name + suffix
            files.append(f"{folder}/{plain}")
    return files


def files_on_disk(root):
    """Every C++ file of the module that a build must know."""
    files = []
    for folder in ("model", "helper", "test"):
        files += sorted((root / folder).rglob("*.cc"))
    # Programs of their own; cmake/DdlTests.cmake names them.
    apart = [root / "test/exact", root / "test/fuzz"]
    files = [file for file in files if file.parent not in apart]
    for folder in ("model", "helper"):
        files += sorted((root / folder).rglob("*.h"))
    for folder in ("programs", "examples"):
        files += sorted((root / folder).glob("*.cc"))
    return [str(file.relative_to(root)) for file in files]


def check_lists(root):
    lists = read_lists(root)
    listed = listed_files(lists)
    disk = set(files_on_disk(root))
    where = "cmake/ddl-files.cmake"
    for file in sorted({file for file in listed if listed.count(file) > 1}):
        yield f"{where}: {file} is listed twice"
    for file in sorted(set(listed) - disk):
        yield f"{where}: lists {file}, which does not exist"
    for file in sorted(disk - set(listed)):
        yield f"{where}: does not list {file}"
    for variable in lists:
        room = variable.split("_")[1]
        if room not in ROOMS + ["helper", "programs", "examples"]:
            yield f"{where}: {variable}: there is no room '{room}'"


def check_builds(root):
    """The two builds take the lists of ddl-files.cmake, all of them, and none of their own."""
    rooms = root / "cmake/DdlLists.cmake"
    match = re.search(r"set\(ddl_rooms ([^)]*)\)", rooms.read_text(encoding="utf-8"))
    if not match or sorted(match.group(1).split()) != sorted(ROOMS):
        yield f"cmake/DdlLists.cmake: ddl_rooms is not {' '.join(reversed(ROOMS))}"
    loader = importlib.machinery.SourceFileLoader("wscript", str(root / "wscript"))
    wscript = importlib.util.module_from_spec(importlib.util.spec_from_loader("wscript", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(wscript)
    mine = sorted(file for file in listed_files(read_lists(root)) if not file.startswith("test/"))
    theirs = sorted(wscript.listed_files(str(root)))
    for file in sorted(set(mine) ^ set(theirs)):
        side = "does not build" if file in mine else "builds the unlisted"
        yield f"wscript: {side} {file}"


def check_names(root):
    seen = {}
    for folder in ("model", "helper", "programs", "examples", "test", "bench"):
        for file in sorted(root.joinpath(folder).rglob("*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = str(file.relative_to(root))
            if file.name in seen:
                yield f"{path}: has the basename of {seen[file.name]}"
            seen.setdefault(file.name, path)
            prefixed = folder in ("model", "helper") or file.suffix == ".h"
            if prefixed and not file.name.startswith("ddl-"):
                yield f"{path}: its name does not begin with 'ddl-'"
    for file in sorted((root / "model").rglob("*")):
        parts = file.relative_to(root / "model").parts
        if file.is_file() and (len(parts) != 2 or parts[0] not in ROOMS):
            yield f"model/{'/'.join(parts)}: is not in a room ({', '.join(reversed(ROOMS))})"


def check_licences(root):
    files = [root / "CMakeLists.txt", root / "wscript", root / "ddl", root / ".ci/run"]
    for folder in ("model", "helper", "programs", "examples", "test", "bench", "cmake"):
        for file in sorted(root.joinpath(folder).rglob("*")):
            named = file.name == "CMakeLists.txt" or file.name.endswith(".cmake.in")
            if named or file.suffix in (".h", ".cc", ".py", ".sh", ".cmake"):
                files.append(file)
    for file in files:
        if file.is_file():
            head = file.read_text(encoding="utf-8").splitlines()[:2]
            if not any(LICENCE in line for line in head):
                yield f"{file.relative_to(root)}: has no line '{LICENCE}' at its top"


def room_of(path):
    """The room of a path from the root; "helper"; or "" for tests, programs and examples."""
    parts = Path(path).parts
    if parts[0] == "model" and len(parts) > 2:
        return parts[1]
    return "helper" if parts[0] == "helper" else ""


def judge_include(path, name, homes):
    """What is wrong with `#include "name"` in the file at path, or None."""
    if "../" in name:
        return "'../' in an include"
    basename = name.split("/")[-1]
    if not basename.startswith("ddl-"):
        return None
    spelled_far = name == f"ns3/{basename}"
    own_folder = Path(path).parent
    if name == basename and (own_folder / basename).as_posix() in homes.values():
        return None
    if basename not in homes:
        return "there is no such header"
    if name == basename and path.startswith("test/") and homes[basename].startswith("test/common/"):
        return None  # what the tests of all rooms share
    here, there = room_of(path), room_of(homes[basename])
    if not spelled_far and name != basename:
        return f'write "ns3/{basename}", or "{basename}" in the same room'
    if here and here == there:
        return f'same room: write "{basename}"' if spelled_far else None
    if not spelled_far:
        return f'another room: write "ns3/{basename}"'
    if here in ROOMS and there == "helper":
        return "no room includes helper"
    if here in ROOMS and there in ROOMS and ROOMS.index(here) > ROOMS.index(there):
        return f"{here} does not include {there}: includes go {' -> '.join(ROOMS)}"
    return None


def check_includes(root):
    homes = {}
    for folder in ("model", "helper", "test", "examples", "programs", "bench"):
        for file in sorted(root.joinpath(folder).rglob("*.h")):
            homes[file.name] = file.relative_to(root).as_posix()
    for folder in ("model", "helper", "programs", "examples", "test", "bench"):
        for file in sorted(root.joinpath(folder).rglob("*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                wrong = match and judge_include(path, match.group(2), homes)
                if wrong:
                    yield f"{path}:{number}: {line.strip()}: {wrong}"


def violations(root):
    found = []
    for check in (check_lists, check_builds, check_names, check_licences, check_includes):
        try:
            found += check(root)
        except OSError as error:
            found.append(f"{error.filename}: {error.strerror}")
    return found


# ---- Self-test: a tree in which all is well, and one small fault after the other.

GOOD = {
    "cmake/ddl-files.cmake": "# SPDX-License-Identifier: GPL-2.0-only\n"
    "set(ddl_common_headers ddl-a.h) # not ddl-b.h\n"
    "set(ddl_fabric_headers\n    ddl-port.h ddl-link.h)\nset(ddl_fabric_sources ddl-port.cc)\n"
    "set(ddl_fabric_tests ddl-port-test.cc)\nset(ddl_metrics_headers ddl-recorder.h)\n"
    "set(ddl_helper_headers ddl-run-helper.h)\nset(ddl_programs ddl-run)\nset(ddl_examples)\n",
    "model/common/ddl-a.h": "#include <vector>\n",
    "model/fabric/ddl-link.h": '#include "ns3/ddl-a.h"\n',
    "model/fabric/ddl-port.h": '#include "ns3/node.h"\n',
    "model/fabric/ddl-port.cc": '#include "ddl-port.h"\n#include "ddl-link.h"\n',
    "model/metrics/ddl-recorder.h": '#include "ns3/ddl-port.h"\n',
    "helper/ddl-run-helper.h": '#include "ns3/ddl-recorder.h"\n#include "ns3/ddl-a.h"\n',
    "programs/ddl-run.cc": '#include "ns3/ddl-run-helper.h"\n',
    "test/fabric/ddl-port-test.cc": '#include "ns3/ddl-port.h"\n#include "ddl-fixture.h"\n',
    "test/fabric/ddl-fixture.h": "",
}

# name -> (files to write over the good tree; None removes one), text that a violation must contain
FAULTS = {
    "upward include": ({"model/fabric/ddl-link.h": '#include "ns3/ddl-recorder.h"\n'},
                       "fabric does not include metrics"),
    "helper from a room": ({"model/metrics/ddl-recorder.h": '#include "ns3/ddl-run-helper.h"\n'},
                           "no room includes helper"),
    "dots": ({"model/fabric/ddl-port.cc": '#include "../common/ddl-a.h"\n'}, "'../'"),
    "same room spelled far": ({"model/fabric/ddl-port.cc": '#include "ns3/ddl-port.h"\n'},
                              'same room: write "ddl-port.h"'),
    "other room spelled near": ({"model/fabric/ddl-port.cc": '#include "ddl-a.h"\n'},
                                'another room: write "ns3/ddl-a.h"'),
    "test spelled near": ({"test/fabric/ddl-port-test.cc": '#include "ddl-port.h"\n'},
                          'another room: write "ns3/ddl-port.h"'),
    "spelled by folder": ({"model/fabric/ddl-port.cc": '#include "common/ddl-a.h"\n'},
                          'write "ns3/ddl-a.h"'),
    "unknown header": ({"programs/ddl-run.cc": '#include "ns3/ddl-none.h"\n'}, "no such header"),
    "unlisted": ({"model/fabric/ddl-new.cc": ""}, "does not list model/fabric/ddl-new.cc"),
    "unlisted test": ({"test/common/ddl-a-test.cc": ""}, "does not list test/common"),
    "listed, not there": ({"model/fabric/ddl-port.cc": None}, "which does not exist"),
    "program not there": ({"programs/ddl-run.cc": None}, "lists programs/ddl-run.cc"),
    "one basename twice": ({"test/fabric/ddl-a.h": ""}, "has the basename of model/common/ddl-a.h"),
    "no prefix": ({"model/common/ids.h": ""}, "does not begin with 'ddl-'"),
    "no room": ({"model/attic/ddl-old.h": ""}, "is not in a room"),
    "no licence": ({"model/common/ddl-a.h": "\n\n\n#include <map>\n"}, "has no line"),
    "wscript with a list of its own": (
        {"wscript": "def listed_files(root):\n    return ['model/common/ddl-a.h']\n"},
        "wscript: does not build model/fabric/ddl-port.cc"),
}


def write_tree(root, files, wscript, rooms):
    every = {"wscript": wscript, "cmake/DdlLists.cmake": rooms, **files}
    for path, text in every.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        mark = "//" if file.suffix in (".h", ".cc") else "#"
        if LICENCE not in text and not text.startswith("\n\n"):
            text = f"{mark} {LICENCE}\n{text}"
        file.write_text(text, encoding="utf-8")


def self_test(home):
    wscript = (home / "wscript").read_text(encoding="utf-8")
    rooms = (home / "cmake/DdlLists.cmake").read_text(encoding="utf-8")
    failures = []
    for name, (changes, expected) in {"good": ({}, None), **FAULTS}.items():
        tree = {path: text for path, text in {**GOOD, **changes}.items() if text is not None}
        with tempfile.TemporaryDirectory() as folder:
            write_tree(Path(folder), {"wscript": wscript, **tree}, wscript, rooms)
            found = violations(Path(folder))
        if expected is None and found:
            failures.append(f"{name}: expected no violation, got {found}")
        if expected is not None and not any(expected in text for text in found):
            failures.append(f"{name}: expected '{expected}', got {found}")
    print("\n".join(failures) or f"check-rooms: {len(FAULTS)} faults found, good tree accepted")
    return 1 if failures else 0


def main(arguments):
    home = Path(__file__).resolve().parent.parent
    if arguments == ["--self-test"]:
        return self_test(home)
    root = Path(arguments[0]).resolve() if arguments else home
    found = violations(root)
    print("\n".join(found) or "check-rooms: all is well")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
