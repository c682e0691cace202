#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Validates what there is against scenarios/scenario.schema.json and scenarios/figure.schema.json.

Every scenario, cluster preset and figure of the repository must pass. Scenarios and figures that are
wrong in one place each must be refused by the schema and by the reader (ddl-check, ddl-reproduce) alike.

usage: check-schema.py FOLDER_OF_PROGRAMS [SCHEMA [FIGURE_SCHEMA]]
exit status 0: they agree; 1: they do not
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
RIGHT_FIGURE = {"paper": "probe", "figure": "Fig. 1", "title": "title", "claim": "claim",
                "comparisons": [{"name": "one", "seeds": 2, "vary": {"x": [1, "2"]}, "set": {"y": False},
                                 "all": {"seeds": 3}, "quick": {"vary": {"x": [1]}}}],
                "values": [{"name": "value", "metric": "jct_s", "statistic": "p50", "of": {"x": 1},
                            "factor": 2, "published": 3, "source": "Fig. 1"}],
                "orders": [{"name": "order", "metric": "jct_s", "key": "x", "ascending": [1, 2],
                            "source": "Fig. 1"}],
                "pictures": ["bars", {"type": "bars", "panels": True}]}
WRONG_FIGURE = [("typo", 1), ("title", 1), ("comparisons", []), ("comparisons/0/name", "a/b"),
                ("comparisons/0/name", ".a"), ("comparisons/0/typo", 1), ("comparisons/0/seeds", 0),
                ("comparisons/0/seeds", 1001), ("comparisons/0/price", -1),
                ("comparisons/0/vary/x", []), ("comparisons/0/vary/x", ["", 1]),
                ("comparisons/0/set/y", ""), ("comparisons/0/quick/vary/x", []),
                ("values/0/statistic", "p1"), ("values/0/of", []), ("values/0/of/x", ""),
                ("values/0/factor", 0), ("values/0/tolerance", -1), ("values/0/published", "3"),
                ("values/0/typo", 1), ("orders/0/ascending", []), ("orders/0/source", 1),
                ("pictures/0", 1), ("pictures/1/panels", "yes")]


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


def check_agreement(validator, right, wrong, path, is_read):
    """The right document passes schema and reader (is_read, after it was written to path), each wrong
    one neither."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for pointer, value in [(next(iter(right)), next(iter(right.values()))), *wrong]:
        document = copy.deepcopy(right)
        *way, last = pointer.split("/")
        target = document
        for key in way:
            target = target[int(key) if isinstance(target, list) else key]
        target[int(last) if isinstance(target, list) else last] = value
        path.write_text(json.dumps(document), encoding="utf-8")
        verdicts = (validator.is_valid(document), is_read())
        if verdicts != (document == right,) * 2:
            complain(f"{path.name}: /{pointer} = {value!r}: accepted by the schema: {verdicts[0]}, by the "
                     f"reader: {verdicts[1]}")


def main():
    if not 2 <= len(sys.argv) <= 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    programs = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else ROOT / "scenarios/scenario.schema.json"
    scenarios = make_validator(pathlib.Path(path))
    clusters = jsonschema.Draft7Validator({**scenarios.schema["definitions"]["cluster"],
                                           "definitions": scenarios.schema["definitions"]})
    path = sys.argv[3] if len(sys.argv) > 3 else ROOT / "scenarios/figure.schema.json"
    figures = make_validator(pathlib.Path(path))
    files = (check_files(scenarios, "*/scenario.json") + check_files(clusters, "clusters/*.json") +
             check_files(figures, "*/figure.json"))
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch)
        probe = home / "probe.json"
        check_agreement(scenarios, RIGHT, WRONG, probe,
                        lambda: run(programs, "ddl-check", probe, "--quiet").returncode == 0)
        # A figure that is read has no other fault than that it is not the one that is asked for.
        arguments = ["probe", "--figure=none", f"--out={home}/results"]
        check_agreement(figures, RIGHT_FIGURE, WRONG_FIGURE, home / "scenarios/probe/figure.json",
                        lambda: "--figure: " in run(programs, "ddl-reproduce", *arguments,
                                                    home=home).stderr)
    for problem in problems:
        print(problem)
    print(f"schema: {files} files and {len(WRONG)} wrong scenarios, {len(WRONG_FIGURE)} wrong "
          f"figures; {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
