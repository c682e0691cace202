#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The rules of the house, checked on the tree (doc/source-map.md). Prints every violation.

  - includes go one way: app -> helper -> metrics -> ... -> common; among the sub-rooms of a room
    along SUB_ARROWS, within app along APP_ARROWS; examples do not include app
  - the same room is included as "ddl-x.h", another room of model/ and helper/ as "ns3/ddl-x.h", a
    room of app/ as "app/room/ddl-x.h", and nothing by "../"; tests include headers of test/common
    as "ddl-x.h"
  - every header and library source is called ddl-*, and no two files but programs have one basename
  - machines know neither each other nor the control side but by messages, and nobody knows those
    who watch (doc/ddl.rst): see SIDES. Members of a machine's classes point to what is on that
    machine, to texts of messages, and to what lies between machines: see MAY_HOLD. What lies
    between machines is known to those who need it only: see BETWEEN
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

# Rooms of model/, from the one that may include all the others to the one that includes none.
ROOMS = [
    "metrics",
    "scheduling/cluster",
    "scheduling/offers",
    "scheduling/rounds",
    "scheduling/control",
    "scheduling/jobs",
    "scheduling/gates",
    "scheduling/network",
    "placement",
    "workload/background",
    "workload/runs",
    "workload/sources",
    "workload/search",
    "workload/estimates",
    "workload/patterns",
    "workload/spec",
    "workload/graphs",
    "cluster",
    "transport/fluid",
    "transport/rdma",
    "transport/tcp",
    "transport",
    "fabric/topology",
    "fabric",
    "fabric/queues",
    "common",
]
# Within a room, which sub-rooms each sub-room may include: siblings do not know each other.
SUB_ARROWS = {
    "scheduling/cluster": ["scheduling/control", "scheduling/offers"],
    "scheduling/offers": ["scheduling/control", "scheduling/jobs", "scheduling/rounds"],
    "scheduling/control": ["scheduling/gates", "scheduling/jobs", "scheduling/network"],
    "workload/runs": ["workload/search", "workload/estimates", "workload/patterns",
                      "workload/spec", "workload/graphs"],
    "workload/sources": ["workload/search", "workload/patterns", "workload/spec", "workload/graphs"],
    "workload/search": ["workload/spec"],
    "workload/spec": ["workload/graphs"],
    "workload/estimates": ["workload/patterns", "workload/spec"],
    "workload/patterns": ["workload/spec", "workload/graphs"],
    "transport/fluid": ["transport"],
    "transport/rdma": ["transport"],
    "transport/tcp": ["transport"],
    "fabric/topology": ["fabric", "fabric/queues"],
    "fabric": ["fabric/queues"],
}
# Rooms of app/, and which others each may include; what these may include, it may too.
APP_ARROWS = {
    "text": [],
    "process": ["text"],
    "json": ["text"],
    "scenario": ["json"],
    "topology": ["scenario"],
    "results": ["text"],
    "plot": ["results", "process"],
    "graph": ["plot", "json"],
    "page": ["plot"],
    "sampling": ["results", "scenario", "process"],
    "run": ["sampling", "page"],
    "engines": ["process"],
    "compare": ["run", "engines"],
    "reproduce": ["compare"],
    "report": ["reproduce"],
}
# The three sides of a running cluster. What a class of one side reaches by includes, directly or
# through others, does not hold a class of a side that it must not know. What messages are made of
# (control-message, run-spec, and training-job, whose kinds make both) is on no side.
SIDES = {
    "machine": ["workload/runs/ddl-checkpoints", "workload/runs/ddl-local-run",
                "workload/runs/ddl-rank", "workload/runs/ddl-run-part", "workload/runs/ddl-task-run",
                "scheduling/control/ddl-agent", "scheduling/control/ddl-run-leader", "cluster/ddl-gpu",
                "cluster/ddl-machine",
                "workload/background/ddl-constant-rate-flow",
                "workload/background/ddl-elastic-flow", "transport/ddl-local-stream",
                "transport/ddl-receiving-stream", "transport/ddl-sending-stream",
                "transport/ddl-stream-host", "transport/tcp/ddl-patient-socket",
                "transport/tcp/ddl-stream-socket", "transport/tcp/ddl-tcp-host",
                "transport/tcp/ddl-tcp-stream", "transport/rdma/ddl-rdma-host",
                "transport/rdma/ddl-rdma-nic", "transport/rdma/ddl-rdma-receiver",
                "transport/rdma/ddl-rdma-sender", "transport/rdma/ddl-rdma-stream",
                "transport/fluid/ddl-fluid-host", "transport/fluid/ddl-fluid-stream"],
    # All machines. ControlEnd is what a machine has of the control plane.
    "cluster": ["cluster/ddl-cluster", "scheduling/control/ddl-control-plane",
                "scheduling/control/ddl-control-planes", "transport/ddl-transport",
                "transport/tcp/ddl-tcp-transport", "transport/rdma/ddl-rdma-transport",
                "transport/fluid/ddl-fluid-transport"],
    "control": ["scheduling/control/ddl-coordinator",
                "scheduling/control/ddl-gate-keeper", "scheduling/control/ddl-live-jobs",
                "scheduling/control/ddl-path-book", "scheduling/control/ddl-priority-book",
                "scheduling/offers/ddl-cluster-book",
                "scheduling/offers/ddl-offer-plan", "scheduling/control/ddl-job-record",
                "scheduling/offers/ddl-job-manager", "scheduling/offers/ddl-round-manager",
                "scheduling/control/ddl-waiting-queue",
                "scheduling/rounds/ddl-round-ledger"],
    "observer": ["workload/runs/ddl-iteration-log", "workload/runs/ddl-job",
                 "scheduling/cluster/ddl-job-observer"],
    # What befalls the cluster, or spares it work, from outside: it knows all of it.
    "fate": ["scheduling/cluster/ddl-leaps", "scheduling/cluster/ddl-server-failures"],
}
# Whom a side must not know, and but for which of its classes. The control side reads from the
# cluster what there is when it begins, and its machines' kinds of GPU.
UNKNOWN = {
    "machine": {"cluster": [], "control": [], "fate": [], "observer": []},
    "control": {"machine": ["cluster/ddl-gpu", "cluster/ddl-machine"], "observer": [], "fate": []},
    "observer": {"fate": []},
}
# To what of this module members of a machine's classes may point, by Ptr, smart pointer, pointer or
# reference. A callback is no pointer that can be read here: those of a machine's classes are given
# by objects of that machine.
MAY_HOLD = {
    # what is on that machine; Client, Listener and RunHost are what such objects are to each other
    "Client", "Gpu", "HostPort", "Listener", "LocalRun", "Machine", "Node", "Pacer", "Pair", "Rank", "RdmaNic",
    "RdmaReceiver", "RdmaScoreboard", "RdmaSender", "ReceivingStream", "RepsEntropies", "RunHost", "RunPart", "SendingEnd",
    "SendingStream", "StreamHost", "StreamSocket", "TaskExecutor", "TaskRun", "TaskTimes", "TcpHost", "Timer",
    "WorkerRank",
    # policies and settings, which know nobody
    "RdmaCongestionControl", "RdmaOptions", "StreamSettings", "TaskQueuePolicy",
    # texts of messages
    "RankPlan", "RankSteps", "RunSpec",
    # what lies between machines; and RunLeap, which is no part of the cluster
    "FluidEngine", "RunLeap", "StreamCrossing",
}
# Who names what lies between machines, beside Link: class -> files.
BETWEEN = {
    "StreamCrossing": ["transport/ddl-stream-crossing", "transport/ddl-local-stream",
                       "transport/ddl-receiving-stream", "transport/ddl-sending-stream",
                       "transport/ddl-stream-host", "transport/fluid/ddl-fluid-host",
                       "transport/fluid/ddl-fluid-stream", "transport/fluid/ddl-fluid-transport"],
    "FluidEngine": ["transport/fluid/ddl-fluid-engine", "transport/fluid/ddl-fluid-host",
                    "transport/fluid/ddl-fluid-stream", "transport/fluid/ddl-fluid-transport"],
    "ControlPlane": ["scheduling/control/ddl-control-plane", "scheduling/control/ddl-control-end",
                     "scheduling/control/ddl-control-planes",
                     "scheduling/control/ddl-coordinator", "scheduling/control/ddl-gate-keeper",
                     "scheduling/cluster/ddl-server-failures", "scheduling/cluster/ddl-training-cluster"],
}
# Folders with C++
SOURCES = ["model", "helper", "app", "programs", "examples", "test", "bench", "studies"]
MODULE_HEADER = "ns3/ddl-module.h"  # every build makes it
LICENCE = "SPDX-License-Identifier: GPL-2.0-only"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SET = re.compile(r"^\s*set\((ddl_\w+)([^)]*)\)", re.MULTILINE)


def folder_of(variable):
    """Where the names of a list live: "ddl_fabric_queues" -> "model/fabric/queues"."""
    room = variable[len("ddl_"):].replace("_", "/")
    if room.endswith("/tests"):
        return f"test/{room[:-len('/tests')]}"
    return room if room.split("/")[0] in ("helper", "app", "programs", "examples") else f"model/{room}"


def expand(folder, name):
    """A name of a list as files: a header and a source, or the one that its suffix names."""
    if "." in name:
        return [f"{folder}/{name}"]
    return [f"{folder}/{name}{suffix}" for suffix in
            ((".cc",) if folder in ("programs", "examples") else (".h", ".cc"))]


def read_lists(root):
    """All lists of cmake/ddl-files.cmake: variable -> names."""
    text = (root / "cmake/ddl-files.cmake").read_text(encoding="utf-8")
    text = re.sub(r"#.*", "", text)
    return {variable: names.split() for variable, names in SET.findall(text)}


def listed_files(lists):
    """Every listed file as a path from the root, in the order of the lists."""
    return [file for variable, names in lists.items() for name in names
            for file in expand(folder_of(variable), name)]


def files_on_disk(root):
    """Every C++ file of the module that a build must know."""
    files = []
    for folder in ("model", "helper", "app", "test"):
        files += sorted((root / folder).rglob("*.cc"))
    # Programs of their own; cmake/DdlTests.cmake names them.
    apart = [root / "test/exact", root / "test/fuzz"]
    files = [file for file in files if file.parent not in apart]
    for folder in ("model", "helper", "app"):
        files += sorted((root / folder).rglob("*.h"))
    for folder in ("programs", "examples"):
        files += sorted((root / folder).glob("*.cc"))
    return [str(file.relative_to(root)) for file in files]


def reached(root, name):
    """Headers that a class's two files include, directly or through others: stem -> by which."""
    stems = {path.name[:-2]: str(path.relative_to(root / "model"))[:-2]
             for path in (root / "model").rglob("*.h")}
    found = {}
    todo = [(f"{name}.h", None), (f"{name}.cc", None)]
    while todo:
        file, by = todo.pop()
        path = root / "model" / file
        if not path.exists():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            match = INCLUDE.match(line)
            stem = stems.get(Path(match[2]).stem) if match else None
            if stem and stem != name and stem not in found:
                found[stem] = file
                todo.append((f"{stem}.h", stem))
    return found


def check_sides(root):
    for side, unknown in UNKNOWN.items():
        for name in SIDES[side]:
            known = reached(root, name)
            for other, but in unknown.items():
                for stem in SIDES[other]:
                    if stem in known and stem not in but:
                        yield (f"model/{known[stem]}: {name.split('/')[-1]}, on the {side} side, "
                               f"comes to know {stem.split('/')[-1]} of the {other} side by it")


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
MEMBER = re.compile(r"([\w:<>,\s*&()]+?[\s*&>])(m_\w+)\s*(?:\[[^\]]*\])?\s*(?:=.*)?$", re.DOTALL)
POINTER = re.compile(r"\b(?:Ptr|shared_ptr|unique_ptr|weak_ptr)<\s*(?:const\s+)?([\w:]+)"
                     r"|\b([\w:]+)\s*(?:const\s*)?[*&]")


def list_pointers(text):
    """To what the members that a header declares point: member, class. Trace sources point to
    nothing."""
    for statement in re.split(r"[;{}]", COMMENT.sub("", text)):
        match = MEMBER.search(statement.strip())
        if not match or re.search(r"\b(return|if|for|while|using)\b|TracedCallback", match[1]):
            continue
        for smart, plain in POINTER.findall(match[1]):
            yield match[2], re.sub(r"^(ns3::|ddl::)*", "", smart or plain).split("::")[0]


def check_members(root):
    headers = sorted((root / "model").rglob("*.h"))
    classes = {name for path in headers
               for name in re.findall(r"^\s*(?:class|struct) (\w+)", path.read_text(encoding="utf-8"),
                                      re.MULTILINE)}
    for name in SIDES["machine"]:
        path = root / "model" / f"{name}.h"
        if not path.exists():
            continue
        for member, held in list_pointers(path.read_text(encoding="utf-8")):
            if held in classes and held not in MAY_HOLD:
                yield (f"model/{name}.h: {member} points to {held}: a class of a machine holds what "
                       "is on that machine, messages, and what lies between machines (MAY_HOLD)")


def check_between(root):
    for path in sorted((root / "model").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        stem = path.relative_to(root / "model").with_suffix("").as_posix()
        text = COMMENT.sub("", path.read_text(encoding="utf-8"))
        for name, knowing in BETWEEN.items():
            if stem not in knowing and re.search(rf"\b{name}\b(?!\s*;)", text):
                yield f"model/{stem}{path.suffix}: names {name}, which lies between machines"


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
    rooms = [f"model/{room}" for room in ROOMS] + [f"app/{room}" for room in APP_ARROWS]
    tests = [f"test/{room.split('/')[0]}" for room in ROOMS + ["helper", "app"]]
    for variable in lists:
        folder = folder_of(variable)
        if folder not in rooms + tests + ["helper", "programs", "examples"]:
            yield f"{where}: {variable}: there is no room '{folder}'"


def check_builds(root):
    """The two builds take the lists of ddl-files.cmake, all of them, and none of their own."""
    lists = (root / "cmake/DdlLists.cmake").read_text(encoding="utf-8")
    for variable, rooms in (("ddl_rooms", ROOMS), ("ddl_app_rooms", APP_ARROWS)):
        match = re.search(rf"set\({variable}\s([^)]*)\)", lists)
        if not match or sorted(match.group(1).split()) != sorted(rooms):
            yield f"cmake/DdlLists.cmake: {variable} is not {' '.join(sorted(rooms))}"
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
    for folder in SOURCES:
        for file in sorted(root.joinpath(folder).rglob("*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = str(file.relative_to(root))
            if file.name in seen and folder != "programs":  # a program has the name of its command
                yield f"{path}: has the basename of {seen[file.name]}"
            seen.setdefault(file.name, path)
            prefixed = folder in ("model", "helper", "app") or file.suffix == ".h"
            if prefixed and not file.name.startswith("ddl-"):
                yield f"{path}: its name does not begin with 'ddl-'"
    for top, rooms in (("model", ROOMS), ("app", APP_ARROWS)):
        for file in sorted((root / top).rglob("*")):
            if file.is_file() and file.parent.relative_to(root / top).as_posix() not in rooms:
                yield f"{file.relative_to(root)}: is not in a room ({', '.join(rooms)})"


def check_licences(root):
    files = [root / "CMakeLists.txt", root / "wscript", root / "ddl", root / ".ci/run"]
    for folder in SOURCES + ["cmake"]:
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
    """"model/fabric/queues", "helper", "app/json"; or "" for tests, programs and examples."""
    folder = Path(path).parent.as_posix()
    return folder if folder.split("/")[0] in ("model", "helper", "app") else ""


def reachable(room):
    """The rooms of app/ that one may include."""
    rooms = set(APP_ARROWS.get(room, []))
    return rooms.union(*(reachable(next_room) for next_room in rooms)) if rooms else rooms


def judge_arrow(here, there):
    """Why a file in one room must not include a header of another, or None."""
    known = [f"model/{room}" for room in ROOMS] + [f"app/{room}" for room in APP_ARROWS]
    if here == there or here not in known + ["helper"] or there not in known + ["helper"]:
        return None
    top, further = here.split("/")[0], there.split("/")[0]
    if further == "app":
        if top != "app":
            return f"{here} does not include app"
        room, other = here[len("app/"):], there[len("app/"):]
        arrows = " ".join(sorted(reachable(room))) or "no room of app"
        return None if other in reachable(room) else f"app/{room} includes {arrows}"
    if further == "helper":
        return "no room includes helper" if top == "model" else None
    if top != "model":
        return None
    room, other = here[len("model/"):], there[len("model/"):]
    if ROOMS.index(room) > ROOMS.index(other):
        return f"{room} does not include {other}: includes go {' -> '.join(ROOMS)}"
    if room.split("/")[0] == other.split("/")[0] and other not in SUB_ARROWS.get(room, []):
        return f"{room} does not include {other}, which is beside it"
    return None


def judge_include(path, name, homes):
    """What is wrong with `#include "name"` in the file at path, or None."""
    if "../" in name:
        return "'../' in an include"
    basename = name.split("/")[-1]
    if not basename.startswith("ddl-"):
        return None
    if name == MODULE_HEADER:
        return None if path.startswith("examples/") else "it is for users' programs"
    if basename not in homes:
        return "there is no such header"
    home = homes[basename]
    here, there = room_of(path), room_of(home)
    near = Path(path).parent == Path(home).parent
    shared = path.startswith("test/") and home.startswith("test/common/")
    if there.startswith("app/") and path.startswith("examples/"):
        return "examples are linked with the library alone, as users' programs are"
    if near or shared:
        wanted = basename
    elif there.startswith("app/"):
        wanted = home
    else:
        wanted = f"ns3/{basename}"
    if name != wanted:
        return f'{"same room" if near else "another room"}: write "{wanted}"'
    return judge_arrow(here, there)


def check_includes(root):
    homes = {}
    for folder in SOURCES:
        for file in sorted(root.joinpath(folder).rglob("*.h")):
            homes[file.name] = file.relative_to(root).as_posix()
    for folder in SOURCES:
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
    for check in (check_lists, check_builds, check_names, check_licences, check_includes,
                  check_sides, check_members, check_between):
        try:
            found += check(root)
        except OSError as error:
            found.append(f"{error.filename}: {error.strerror}")
    return found


# ---- Self-test: a tree in which all is well, and one small fault after the other.

GOOD = {
    "cmake/ddl-files.cmake": "# SPDX-License-Identifier: GPL-2.0-only\n"
    "set(ddl_common ddl-a.h) # not ddl-b.h\n"
    "set(ddl_fabric\n    ddl-port ddl-link.h)\nset(ddl_fabric_queues ddl-queue.h)\n"
    "set(ddl_fabric_tests ddl-port-test.cc)\nset(ddl_metrics ddl-recorder.h)\n"
    "set(ddl_helper ddl-simulation.h)\nset(ddl_app_text ddl-table.h)\nset(ddl_app_run ddl-session.h)\n"
    "set(ddl_app_json ddl-value.h)\nset(ddl_programs ddl-run)\nset(ddl_examples)\n",
    "model/common/ddl-a.h": "#include <vector>\n",
    "model/fabric/queues/ddl-queue.h": '#include "ns3/ddl-a.h"\n',
    "model/fabric/ddl-link.h": '#include "ns3/ddl-a.h"\n',
    "model/fabric/ddl-port.h": '#include "ns3/ddl-queue.h"\n#include "ns3/node.h"\n',
    "model/fabric/ddl-port.cc": '#include "ddl-port.h"\n#include "ddl-link.h"\n',
    "model/metrics/ddl-recorder.h": '#include "ns3/ddl-port.h"\n',
    "helper/ddl-simulation.h": '#include "ns3/ddl-recorder.h"\n#include "ns3/ddl-a.h"\n',
    "app/text/ddl-table.h": "",
    "app/json/ddl-value.h": '#include "app/text/ddl-table.h"\n',
    "app/run/ddl-session.h": '#include "app/json/ddl-value.h"\n#include "ns3/ddl-simulation.h"\n',
    "programs/ddl-run.cc": '#include "app/run/ddl-session.h"\n#include "ns3/ddl-simulation.h"\n',
    "test/fabric/ddl-port-test.cc": '#include "ns3/ddl-port.h"\n#include "ddl-fixture.h"\n',
    "test/fabric/ddl-fixture.h": "",
}

# name -> (files to write over the good tree; None removes one), text that a violation must contain
FAULTS = {
    "upward include": ({"model/fabric/ddl-link.h": '#include "ns3/ddl-recorder.h"\n'},
                       "fabric does not include metrics"),
    "upward in a room": ({"model/fabric/queues/ddl-queue.h": '#include "ns3/ddl-link.h"\n'},
                         "fabric/queues does not include fabric"),
    "helper from a room": ({"model/metrics/ddl-recorder.h": '#include "ns3/ddl-simulation.h"\n'},
                           "no room includes helper"),
    "app from helper": ({"helper/ddl-simulation.h": '#include "app/text/ddl-table.h"\n'},
                        "helper does not include app"),
    "app from a room": ({"model/common/ddl-a.h": '#include "app/text/ddl-table.h"\n'},
                        "model/common does not include app"),
    "sibling": ({"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
                 "set(ddl_transport_tcp ddl-t.h)\nset(ddl_transport_rdma ddl-r.h)\n",
                 "model/transport/tcp/ddl-t.h": "",
                 "model/transport/rdma/ddl-r.h": '#include "ns3/ddl-t.h"\n'},
                "transport/rdma does not include transport/tcp, which is beside it"),
    "machine that knows the control side": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_scheduling_control ddl-agent.h ddl-between.h ddl-coordinator.h)\n",
         "model/scheduling/control/ddl-agent.h": '#include "ddl-between.h"\n',
         "model/scheduling/control/ddl-between.h": '#include "ddl-coordinator.h"\n',
         "model/scheduling/control/ddl-coordinator.h": ""},
        "ddl-agent, on the machine side, comes to know ddl-coordinator of the control side"),
    "control side that knows a machine": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_scheduling_control ddl-agent.h ddl-coordinator)\n",
         "model/scheduling/control/ddl-agent.h": "",
         "model/scheduling/control/ddl-coordinator.h": "",
         "model/scheduling/control/ddl-coordinator.cc": '#include "ddl-agent.h"\n'},
        "ddl-coordinator, on the control side, comes to know ddl-agent of the machine side"),
    "machine that knows all machines' streams": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_scheduling_control ddl-agent.h)\nset(ddl_transport ddl-transport.h)\n",
         "model/scheduling/control/ddl-agent.h": '#include "ns3/ddl-transport.h"\n',
         "model/transport/ddl-transport.h": ""},
        "ddl-agent, on the machine side, comes to know ddl-transport of the cluster side"),
    "machine that points to another one": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_scheduling_control ddl-agent.h)\n",
         "model/scheduling/control/ddl-agent.h":
         "class Agent : public Object\n{\n    std::map<HostId, Ptr<Agent>> m_others; // by host\n};\n"},
        "model/scheduling/control/ddl-agent.h: m_others points to Agent"),
    "machine that points to the control side": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_scheduling_control ddl-agent.h ddl-coordinator.h)\n",
         "model/scheduling/control/ddl-agent.h":
         "class Coordinator;\n\nclass Agent\n{\n    const ddl::Coordinator&\n        m_asked;\n};\n",
         "model/scheduling/control/ddl-coordinator.h": "class Coordinator\n{\n};\n"},
        "model/scheduling/control/ddl-agent.h: m_asked points to Coordinator"),
    "end of a stream that points to the other one's machine": (
        {"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"] +
         "set(ddl_cluster ddl-cluster.h)\nset(ddl_transport ddl-sending-stream.h)\n",
         "model/cluster/ddl-cluster.h": "class Cluster\n{\n};\n",
         "model/transport/ddl-sending-stream.h":
         "class Cluster;\nclass SendingStream\n{\n    std::shared_ptr<const Cluster> m_far{nullptr};\n"
         "    Cluster* m_all = nullptr;\n};\n"},
        "model/transport/ddl-sending-stream.h: m_all points to Cluster"),
    "crossing in other hands": (
        {"model/fabric/ddl-port.cc": '#include "ddl-port.h"\nStreamCrossing* theirs{nullptr};\n'},
        "model/fabric/ddl-port.cc: names StreamCrossing, which lies between machines"),
    "app from an example": ({"cmake/ddl-files.cmake": GOOD["cmake/ddl-files.cmake"].replace(
                                 "set(ddl_examples)", "set(ddl_examples ddl-e)"),
                             "examples/ddl-e.cc": '#include "app/text/ddl-table.h"\n'},
                            "examples are linked with the library alone"),
    "backward in app": ({"app/text/ddl-table.h": '#include "app/json/ddl-value.h"\n'},
                        "app/text includes no room of app"),
    "app as if public": ({"programs/ddl-run.cc": '#include "ns3/ddl-session.h"\n'},
                         'write "app/run/ddl-session.h"'),
    "dots": ({"model/fabric/ddl-port.cc": '#include "../common/ddl-a.h"\n'}, "'../'"),
    "same room spelled far": ({"model/fabric/ddl-port.cc": '#include "ns3/ddl-port.h"\n'},
                              'same room: write "ddl-port.h"'),
    "other room spelled near": ({"model/fabric/ddl-port.cc": '#include "ddl-a.h"\n'},
                                'another room: write "ns3/ddl-a.h"'),
    "sub-room spelled near": ({"model/fabric/ddl-port.h": '#include "ddl-queue.h"\n'},
                              'another room: write "ns3/ddl-queue.h"'),
    "test spelled near": ({"test/fabric/ddl-port-test.cc": '#include "ddl-port.h"\n'},
                          'another room: write "ns3/ddl-port.h"'),
    "spelled by folder": ({"model/fabric/ddl-port.cc": '#include "common/ddl-a.h"\n'},
                          'write "ns3/ddl-a.h"'),
    "module header": ({"helper/ddl-simulation.h": '#include "ns3/ddl-module.h"\n'},
                      "for users' programs"),
    "unknown header": ({"programs/ddl-run.cc": '#include "ns3/ddl-none.h"\n'}, "no such header"),
    "unlisted": ({"model/fabric/ddl-new.cc": ""}, "does not list model/fabric/ddl-new.cc"),
    "unlisted source": ({"model/fabric/ddl-link.cc": ""}, "does not list model/fabric/ddl-link.cc"),
    "unlisted test": ({"test/common/ddl-a-test.cc": ""}, "does not list test/common"),
    "listed, not there": ({"model/fabric/ddl-port.cc": None}, "which does not exist"),
    "program not there": ({"programs/ddl-run.cc": None}, "lists programs/ddl-run.cc"),
    "one basename twice": ({"test/fabric/ddl-a.h": ""}, "has the basename of model/common/ddl-a.h"),
    "no prefix": ({"model/common/ids.h": ""}, "does not begin with 'ddl-'"),
    "no room": ({"model/attic/ddl-old.h": ""}, "is not in a room"),
    "no room of app": ({"app/ddl-old.h": ""}, "is not in a room"),
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
