#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Validates what there is against scenarios/scenario.schema.json and scenarios/figure.schema.json.

Every scenario, cluster preset and figure of the repository must pass. Scenarios that are wrong in one
place each must be refused by the schema and by ddl-check alike. The schema of scenarios is made from
the reader's own descriptions; that of figures is kept by hand, and ddl-reproduce says which keys it knows.

usage: check-schema.py FOLDER_OF_PROGRAMS [SCHEMA]      exit status 0: they agree; 1: they do not
"""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
problems = []

RIGHT = {"name": "probe", "seed": 1,
         "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"bands": 8}},
         "transport": {"kind": "tcp", "mtu": 1500, "minRto": "5ms"},
         "scheduler": {"network": {"type": "baraat", "Multiplexing": 2}, "acks": "ranked"},
         "workload": {"compute": {"ratio": 1}, "jobs": [
             {"model": {"bytes": "1MB"}, "workers": 2, "iterations": 1, "weight": 2}],
             "background": [{"source": 0, "destination": 1, "kind": "elastic", "bytes": "1MB"}]},
         "scale": {"model": 1}, "stop": {"stall": "1min"}, "output": {"alone": False}}
WRONG = [("name", "a/b"), ("seed", 0), ("seed", 1.5), ("typo", 1), ("cluster", []),
         ("cluster/preset", "two-rack"), ("cluster/topology/hosts", 0),
         ("cluster/topology/hosts", 65537), ("cluster/topology/hostRate", "10"),
         ("cluster/topology/typo", 1), ("cluster/ports", {"queues": 9}),
         ("cluster/ports", {"queues": "all"}), ("cluster/ports", {"pfc": 1}),
         ("cluster/hosts/bands", 0), ("cluster/links", [{"at": "1s", "up": True}]),
         ("cluster/gpuTypes", {"T4": {"speed": 0}}), ("transport/mtu", 9001),
         ("transport/minRto", "5 parsecs"), ("transport/typo", 1), ("scheduler/acks", "never"),
         ("scheduler/network", 7), ("scheduler/network/Multiplexing", 0), ("scheduler/period", 1),
         ("workload/compute/ratio", -1), ("workload/jobs/0/workers", "2"),
         ("workload/jobs/0/model/bytes", "1 lot"), ("workload/jobs/0/weight", 0),
         ("workload/jobs/0/typo", 1), ("workload/jobs", {}), ("workload/background/0/dscp", 64),
         ("workload/background/0/kind", "elastics"), ("workload/background/0/repeat", 1),
         ("scale/model", 0), ("stop/stall", "soon"), ("output/alone", "true"), ("output/typo", True)]


def complain(text):
    problems.append(text)


def read_json(path):
    """JSON with // and /* */ comments, which strings may contain."""
    pattern = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
    keep = lambda match: match.group() if match.group().startswith('"') else " "
    return json.loads(re.sub(pattern, keep, path.read_text(encoding="utf-8"), flags=re.S))


def make_validator(path):
    schema = read_json(path)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def check_files(validator, pattern):
    files = sorted((ROOT / "scenarios").glob(pattern))
    for path in files:
        for error in validator.iter_errors(read_json(path)):
            place = "/".join(str(part) for part in error.path)
            complain(f"{path.relative_to(ROOT)}: /{place}: {error.message[:200]}")
    return len(files)


def run(programs, program, *arguments, home=ROOT):
    environment = dict(os.environ, DDL_HOME=str(home), LC_ALL="C.UTF-8")
    return subprocess.run([pathlib.Path(programs) / program, *arguments], env=environment,
                          capture_output=True, encoding="utf-8", check=False)


def check_agreement(validator, programs, scratch):
    """The right scenario passes schema and reader, each wrong one neither."""
    for pointer, value in [("name", "probe"), *WRONG]:
        scenario = copy.deepcopy(RIGHT)
        *way, last = pointer.split("/")
        target = scenario
        for key in way:
            target = target[int(key) if isinstance(target, list) else key]
        target[last] = value
        path = scratch / "probe.json"
        path.write_text(json.dumps(scenario), encoding="utf-8")
        by_schema = validator.is_valid(scenario)
        by_reader = run(programs, "ddl-check", path, "--quiet").returncode == 0
        if (by_schema, by_reader) != ((True, True) if scenario == RIGHT else (False, False)):
            complain(f"/{pointer} = {value!r}: accepted by the schema: {by_schema}, by ddl-check: "
                     f"{by_reader}")


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    programs = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else ROOT / "scenarios/scenario.schema.json"
    scenarios = make_validator(pathlib.Path(path))
    clusters = jsonschema.Draft7Validator({**scenarios.schema["definitions"]["cluster"],
                                           "definitions": scenarios.schema["definitions"]})
    figures = make_validator(ROOT / "scenarios/figure.schema.json")
    files = (check_files(scenarios, "*/scenario.json") + check_files(clusters, "clusters/*.json") +
             check_files(figures, "*/figure.json"))
    with tempfile.TemporaryDirectory() as scratch:
        check_agreement(scenarios, programs, pathlib.Path(scratch))
    for problem in problems:
        print(problem)
    print(f"schema: {files} files and {len(WRONG)} wrong scenarios; {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
