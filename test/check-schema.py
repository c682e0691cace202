#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Holds scenarios/scenario.schema.json, and figure.schema.json, against the reader of scenarios itself.

ddl-check is given scenarios that are wrong everywhere, and names in its complaints the keys, ranges,
names and attributes that it knows; ddl-run writes the defaults that it used into summary.json. All
of it has to be in the schema, and nothing else. Then every scenario and cluster preset has to pass
the schema, and the wrong ones must not.

usage: check-schema.py FOLDER_OF_PROGRAMS [SCHEMA]      exit status 0: they agree; 1: they do not
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}
problems = []


def complain(text):
    problems.append(text)


def read_json(path):
    """JSON with // and /* */ comments, which strings may contain."""
    pattern = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
    keep = lambda match: match.group() if match.group().startswith('"') else " "
    return json.loads(re.sub(pattern, keep, path.read_text(encoding="utf-8"), flags=re.S))


# ---- the schema

class Schema:
    """The keywords that our schema uses, no more: another one is an error here."""

    KNOWN = {"$schema", "title", "description", "default", "enumDescriptions", "definitions",
             "$ref", "allOf", "anyOf", "type", "enum", "pattern", "minimum", "maximum",
             "exclusiveMinimum", "properties", "additionalProperties", "required", "items",
             "minItems", "maxItems"}

    def __init__(self, path):
        self.root = json.loads(path.read_text(encoding="utf-8"))
        self.check_keywords(self.root, "")

    def check_keywords(self, schema, place):
        if not isinstance(schema, dict):
            return
        for key in schema.keys() - self.KNOWN:
            complain(f"schema {place or '/'}: the keyword {key} is not checked by this script")
        for key in ("properties", "definitions"):
            for name, inner in schema.get(key, {}).items():
                self.check_keywords(inner, f"{place}/{key}/{name}")
        for key in ("allOf", "anyOf"):
            for inner in schema.get(key, []):
                self.check_keywords(inner, f"{place}/{key}")
        for key in ("items", "additionalProperties"):
            self.check_keywords(schema.get(key), f"{place}/{key}")

    def refer(self, schema):
        return self.root["definitions"][schema["$ref"].split("/")[-1]]

    def parts(self, schema):
        """The schema and all that it refers to, alternatives included; none of no schema."""
        if not isinstance(schema, dict):
            return
        yield schema
        if "$ref" in schema:
            yield from self.parts(self.refer(schema))
        for inner in schema.get("allOf", []) + schema.get("anyOf", []):
            yield from self.parts(inner)

    def find(self, schema, keyword):
        return [part[keyword] for part in self.parts(schema) if keyword in part]

    def keys(self, schema):
        return {key for properties in self.find(schema, "properties") for key in properties}

    def step(self, schema, key):
        """The schema of a member or element, or None."""
        if key.isdigit():
            return next(iter(self.find(schema, "items")), None)
        for properties in self.find(schema, "properties"):
            if key in properties:
                return properties[key]
        return next((extra for extra in self.find(schema, "additionalProperties")
                     if isinstance(extra, dict)), None)

    def at(self, pointer):
        schema = self.root
        for key in pointer.split("/")[1:]:
            schema = self.step(schema, key)
            if schema is None:
                return None
        return schema

    def errors(self, value, schema, place=""):
        """What is wrong with a value, as a list of texts."""
        found = []
        if "$ref" in schema:
            found += self.errors(value, self.refer(schema), place)
        for inner in schema.get("allOf", []):
            found += self.errors(value, inner, place)
        if "anyOf" in schema and all(self.errors(value, s, place) for s in schema["anyOf"]):
            found.append(f"{place}: is none of the alternatives")
        types = schema.get("type", [])
        if types and not self.has_type(value, types):
            found.append(f"{place}: must be {types}")
            return found
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{place}: must be one of {schema['enum']}")
        if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
            found.append(f"{place}: {value!r} does not match {schema['pattern']}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not (schema.get("minimum", value) <= value <= schema.get("maximum", value)
                    and value > schema.get("exclusiveMinimum", value - 1)):
                found.append(f"{place}: {value} is out of range")
        if isinstance(value, list):
            found += self.list_errors(value, schema, place)
        if isinstance(value, dict):
            found += self.object_errors(value, schema, place)
        return found

    @staticmethod
    def has_type(value, types):
        for name in types if isinstance(types, list) else [types]:
            if name == "integer":
                good = isinstance(value, (int, float)) and value == int(value)
            else:
                good = isinstance(value, TYPES[name])
            if good and (name == "boolean" or not isinstance(value, bool)):
                return True
        return False

    def list_errors(self, value, schema, place):
        found = []
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{place}: has {len(value)} elements")
        for i, item in enumerate(value if "items" in schema else []):
            found += self.errors(item, schema["items"], f"{place}/{i}")
        return found

    def object_errors(self, value, schema, place):
        found = [f"{place}/{key}: is missing" for key in schema.get("required", [])
                 if key not in value]
        for key, item in value.items():
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            if inner is False:
                found.append(f"{place}/{key}: unknown key")
            elif inner is not True:
                found += self.errors(item, inner, f"{place}/{key}")
        return found


# ---- the reader

class Reader:
    def __init__(self, programs, scratch):
        self.programs = pathlib.Path(programs)
        self.file = scratch / "probe.json"
        self.scratch = scratch

    def run(self, program, *arguments):
        environment = dict(os.environ, DDL_HOME=str(ROOT), LC_ALL="C.UTF-8")
        return subprocess.run([self.programs / program, self.file, *arguments], env=environment,
                              capture_output=True, encoding="utf-8", check=False)

    def complaints(self, scenario):
        """Pointer -> texts, of a scenario that ddl-check must refuse."""
        self.file.write_text(json.dumps(scenario), encoding="utf-8")
        answer = self.run("ddl-check")
        if answer.returncode != 2:
            complain(f"ddl-check ended with {answer.returncode} instead of 2: {answer.stderr}")
        found = {}
        for line in answer.stderr.splitlines():
            match = re.match(r"[^ ]*: (/[^ ]*): (.*)", line)
            if match:
                found.setdefault(match.group(1), []).append(match.group(2))
        return found

    def resolved(self, scenario):
        self.file.write_text(json.dumps(scenario), encoding="utf-8")
        out = self.scratch / "results"
        answer = self.run("ddl-run", "--quiet", f"--out={out}")
        if answer.returncode != 0:
            complain(f"ddl-run ended with {answer.returncode}: {answer.stderr}")
            return {}
        return json.loads((out / "summary.json").read_text(encoding="utf-8"))["scenario"]


def probe(topology, background, kind, **more):
    """Everything wrong: a key zzz in each object, -1 for each number, zzz for each name."""
    wrong = {"zzz": 1}
    member = {"count": -1, "id": -1, "model": wrong, "pattern": "zzz", "placement": wrong,
              "servers": -1, "stopAfter": -1, "workers": -1, "curve": {"shape": "zzz", "half": -1, **wrong},
              **wrong}
    generator = {"kind": kind, "models": [{"curve": {"shape": "zzz", **wrong}, **wrong}], "pick": "zzz",
                 "cojobs": -1, "jobs": -1, "maxIterations": -1, "eta": -1, "workers": -1,
                 "servers": -1, "pattern": "zzz", "search": "zzz", "stages": [-1],
                 "arrivals": "zzz", "load": -1, "curve": wrong, **wrong}
    return {
        "name": "probe", "seed": -1, **wrong,
        "cluster": {
            "topology": {"kind": topology, "framingBytes": -1, **wrong, **more},
            "ports": {"queues": -1, "service": "zzz", "alpha": -1, **wrong},
            "gpuTypes": {"T4": {"speed": -1, "models": {"m": -1}, **wrong}},
            "hosts": {"bands": -1, "gpus": -1, "groups": [{"gpus": -1, **wrong}], **wrong},
            "links": [wrong], **wrong},
        "transport": {"mtu": -1, **wrong},
        "scheduler": {"network": "zzz", "gate": "zzz", "jobs": "zzz", "placement": "zzz",
                      "control": "zzz", "acks": "zzz", "coordinator": -1, **wrong},
        "workload": {
            "overlap": {"buckets": -1, **wrong},
            "compute": {"ratio": -1, "jitter": "zzz", "straggler": "zzz", **wrong},
            "cojobs": [{"id": -1, "stages": [-1], "search": "zzz", "jobs": [member], **wrong}],
            "jobs": [{**member, "iterations": -1}, {**member, "stages": [-1], "model": "zzz"}],
            "background": [{"kind": background, "band": -1, "dscp": -1, "packetSize": -1,
                            **wrong}],
            "generator": generator, "traceFormat": "zzz",
            "replay": {"servers": -1, "limit": -1, "load": -1, "tooLarge": "zzz", "search": "zzz",
                       **wrong}, **wrong},
        "scale": {"model": -1, "iterations": -1, **wrong}, "stop": wrong, "output": wrong}


PROBES = [
    probe("leaf-spine", "constant-rate", "cojobs", leaves=-1, hostsPerLeaf=-1, spines=-1, parallel=-1),
    probe("single-switch", "elastic", "hyperband", hosts=-1),
    probe("dumbbell", "zzz", "jobs", leftHosts=-1, rightHosts=-1),
    probe("zzz", "zzz", "zzz"),
]
POLICIES = ["/cluster/ports/service", "/scheduler/network", "/scheduler/gate", "/scheduler/jobs",
            "/scheduler/placement", "/scheduler/control", "/workload/cojobs/0/search",
            "/workload/jobs/0/pattern", "/workload/generator/arrivals"]
# Their upper ends follow from the scenario.
NOT_OF_THE_SCHEMA = {"/scheduler/coordinator", "/workload/jobs/0/stopAfter",
                     "/workload/cojobs/0/jobs/0/stopAfter", "/workload/jobs/1/stopAfter",
                     "/workload/background/0/packetSize", "/workload/background/0/band",
                     "/workload/generator/jobs"}
GIVEN = {"/cluster/topology/kind", "/output/alone", "/output/figures",
         "/workload/background/1/kind"}  # by the scenario that is asked for its defaults


def compare_sets(pointer, what, ours, theirs):
    for name in sorted(theirs - ours):
        complain(f"{pointer}: the reader knows the {what} {name!r}, the schema does not")
    for name in sorted(ours - theirs):
        complain(f"{pointer}: the schema has the {what} {name!r}, the reader does not know it")


def take_complaint(schema, pointer, text, known):
    """Compares one complaint with the schema; keys are gathered in `known`, per object."""
    match = re.match(r"unknown key \(known: (.*?)\)", text)
    if match:
        known.setdefault(re.sub(r"/\d+", "/0", pointer.rsplit("/", 1)[0]),
                         set()).update(match.group(1).split(", "))
    match = re.search(r"one of ([^ ,()]+(?:, [^ ,()]+)*?)(?:\)|, is )", text)
    if match:
        ours = {str(name) for names in schema.find(schema.at(pointer), "enum") for name in names}
        compare_sets(pointer, "name", ours, set(match.group(1).split(", ")))
    match = re.match(r"must be a (?:whole )?number (?:from|above) ([\d.]+) (?:and at most|to) ([\d.]+)",
                     text)
    if match and pointer not in NOT_OF_THE_SCHEMA:
        place = schema.at(pointer)
        low = (schema.find(place, "minimum") + schema.find(place, "exclusiveMinimum") + [None])[0]
        high = (schema.find(place, "maximum") + [None])[0]
        if (low, high) != tuple(float(text) for text in match.groups()):
            complain(f"{pointer}: the reader takes {match.group(1)} to {match.group(2)}, "
                     f"the schema {low} to {high}")
    return bool(match) or "one of" in text or "unknown key" in text


def compare_keys(schema, reader):
    known = {}
    taken = 0
    for scenario in PROBES:
        if not schema.errors(scenario, schema.root):
            complain("the schema finds nothing wrong with a scenario that is wrong everywhere")
        for pointer, texts in reader.complaints(scenario).items():
            for text in texts:
                taken += take_complaint(schema, pointer, text, known)
    for pointer, keys in sorted(known.items()):
        compare_sets(pointer or "/", "key", schema.keys(schema.at(pointer)), keys)
        if False not in schema.find(schema.at(pointer), "additionalProperties"):
            complain(f"{pointer}: the schema takes any key, the reader does not")
    if len(known) < 18 or taken < 150:
        complain(f"only {len(known)} objects and {taken} complaints were compared: does "
                 "ddl-check word them otherwise now?")
    return len(known)


def attribute_names(text):
    return set(re.findall(r"(?:\(|; )([A-Z]\w*): ", text))


def compare_attributes(schema, reader):
    compared = 0
    for pointer in POLICIES:
        place = schema.at(pointer)
        ours = schema.keys(place) - {"type"}
        theirs = set()
        for name in [name for names in schema.find(place, "enum")[:1] for name in names]:
            scenario = {"name": "probe", "workload": {"jobs": [{"model": "VGG19"}],
                                                      "cojobs": [{"stages": [1], "jobs": []}]}}
            target = scenario
            *way, last = pointer.split("/")[1:]
            for key in way:
                target = target[int(key)] if key.isdigit() else target.setdefault(key, {})
            target[last] = {"type": name, "Zzz": 1}
            text = " ".join(reader.complaints(scenario).get(pointer + "/Zzz", []))
            if "unknown attribute" not in text:
                complain(f"{pointer}: {name} takes the attribute Zzz")
            theirs |= attribute_names(text)
            compared += 1
        compare_sets(pointer, "attribute", ours, theirs)
    theirs = set()
    for kind in sorted(set(sum(schema.find(schema.at("/transport/kind"), "enum"), []))):
        texts = reader.complaints(
            {"name": "probe", "transport": {"kind": kind, "zzz": 1}, "workload": {}})
        theirs |= attribute_names(" ".join(sum(texts.values(), [])))
    compare_sets("/transport", "attribute", schema.keys(schema.at("/transport")) - {"kind", "mtu"},
                 {name[0].lower() + name[1:] for name in theirs})
    return compared


def same_quantity(one, other):
    """"6h" and "21600s" are the same, "0s" and "0ns" too."""
    units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
    times = [re.fullmatch(r"([\d.]+)([a-z]+)", str(text)) for text in (one, other)]
    if not all(times) or any(match.group(2) not in units for match in times):
        return one == other
    first, second = (float(match.group(1)) * units[match.group(2)] for match in times)
    return first == second


def compare_defaults(schema, value, place, pointer=""):
    """Defaults of the schema against what the reader made of their absence. \return how many"""
    if isinstance(value, dict):
        return sum(compare_defaults(schema, item, schema.step(place, key), f"{pointer}/{key}")
                   for key, item in value.items() if schema.step(place, key))
    if isinstance(value, list) and value:
        return sum(compare_defaults(schema, item, schema.step(place, str(i)), f"{pointer}/{i}")
                   for i, item in enumerate(value) if schema.step(place, str(i)))
    defaults = schema.find(place, "default")[:1]
    if defaults and not same_quantity(defaults[0], value) and pointer not in GIVEN:
        complain(f"{pointer}: the default is {value!r}, the schema says {defaults[0]!r}")
    return len(defaults)


def check_defaults(schema, reader):
    compared = 0
    for kind in ("leaf-spine", "single-switch", "dumbbell"):
        scenario = {"name": "probe", "cluster": {"topology": {"kind": kind}},
                    "output": {"alone": False, "figures": False},
                    "workload": {"jobs": [{"model": {"bytes": "1B"}, "iterations": 1}],
                                 "cojobs": [{"stages": [1], "jobs": [{"model": {"bytes": "1B"}}]}],
                                 "background": [{"source": 0, "destination": 1}, {
                                     "source": 0, "destination": 1, "kind": "elastic"}]}}
        compared += compare_defaults(schema, reader.resolved(scenario), schema.root)
    if compared < 100:
        complain(f"only {compared} defaults were compared")
    return compared


def check_files(schema):
    files = sorted((ROOT / "scenarios").glob("*/scenario.json"))
    presets = sorted((ROOT / "scenarios/clusters").glob("*.json"))
    for path in files + presets:
        place = schema.root if path in files else schema.root["definitions"]["cluster"]
        for error in schema.errors(read_json(path), place):
            complain(f"{path.relative_to(ROOT)}: {error}")
    names = schema.root["definitions"]["preset"]["enum"]
    compare_sets("/cluster", "preset", set(names), {path.stem for path in presets})
    return len(files) + len(presets)


def check_figures(programs, scratch):
    """Figures of papers: the keys that ddl-reproduce knows, and the files there are."""
    schema = Schema(ROOT / "scenarios/figure.schema.json")
    wrong = {"typo": 1}
    probe = {"paper": "probe", **wrong, "values": [wrong], "orders": [wrong], "pictures": [wrong],
             "comparisons": [{**wrong, "quick": wrong}]}
    folder = scratch / "scenarios/probe"
    folder.mkdir(parents=True)
    (folder / "figure.json").write_text(json.dumps(probe), encoding="utf-8")
    answer = subprocess.run([pathlib.Path(programs) / "ddl-reproduce", "probe"],
                            env=dict(os.environ, DDL_HOME=str(scratch), LC_ALL="C.UTF-8"),
                            capture_output=True, encoding="utf-8", check=False)
    known = re.findall(r": (\S*)/typo: unknown key \(known: ([^)]*)\)", answer.stderr)
    if len(known) != 6:
        complain(f"ddl-reproduce complains about {len(known)} of 6 typos: {answer.stderr}")
    for pointer, keys in known:
        compare_sets(pointer, "key", schema.keys(schema.at(pointer)), set(keys.split(", ")))
    files = sorted((ROOT / "scenarios").glob("*/figure.json"))
    for path in files:
        for error in schema.errors(read_json(path), schema.root):
            complain(f"{path.relative_to(ROOT)}: {error}")
    return len(files)


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "scenarios/scenario.schema.json")
    schema = Schema(path)
    with tempfile.TemporaryDirectory() as scratch:
        reader = Reader(sys.argv[1], pathlib.Path(scratch))
        objects = compare_keys(schema, reader)
        policies = compare_attributes(schema, reader)
        defaults = check_defaults(schema, reader)
        figures = check_figures(sys.argv[1], pathlib.Path(scratch))
    files = check_files(schema) + figures
    for problem in dict.fromkeys(problems):
        print(problem)
    print(f"schema: {objects} objects, attributes of {policies} policies, {defaults} defaults and "
          f"{files} files compared; {len(set(problems))} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
