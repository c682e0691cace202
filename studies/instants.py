#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random instants of a run, again on packets: how long are iterations there, and on fluids? (doc/dally.md)

RESULTS is the folder of a finished run with leaps or fluids (runs.csv, jobs.csv, summary.json). At
each of COUNT instants, drawn uniformly in time, the jobs that ran then run again where they were, two
iterations each, on fluids and on RDMA packets with a window above the bandwidth-delay product. They
start at random within 20 ms. The second iterations are compared. A run that FOLDER has, with an equal
identity, is not made again. Not for parameter servers, whose places and shares this does not set.

Usage: instants.py RESULTS FOLDER [COUNT] [SEED]     default: 20 instants, seed 1
Needs DDL_BUILD (a folder with ddl-run) and DDL_HOME.
"""

import csv
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

MODEL_KEYS = {"backward", "batch", "bytes", "forward", "gpuMemory", "input", "layers", "name", "switching",
              "type"}  # of a job's model; a generator's has others, too
WINDOW = 1 << 28  # bytes; 28.8 Tbps x 35 us are 126 MB
TOLERANCE = 0.03


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def draw_instants(results, count, seed):
    """(time, rows of runs.csv of the runs that ran then, with `model` and `pattern`), by time"""
    jobs = {row["job_id"]: row for row in read_rows(results / "jobs.csv")}
    if any(int(job["servers"]) for job in jobs.values()):
        sys.exit(f"instants: {results} has jobs with parameter servers")
    runs = [row | {key: jobs[row["job_id"]][key] for key in ("model", "pattern")}
            for row in read_rows(results / "runs.csv")
            if row["job_id"] in jobs and row["gpus"]]
    if not runs:
        sys.exit(f"instants: {results} has no finished jobs on GPUs")
    draw = random.Random(seed)
    end = max(float(run["end_s"]) for run in runs)
    for time in sorted(draw.uniform(0, end) for _ in range(count)):
        yield time, [run for run in runs if float(run["start_s"]) < time < float(run["end_s"])]


def list_models(workload):
    """Models that the workload describes, by name; others are known by name alone."""
    models = {}
    described = [job["model"] for job in workload.get("jobs", [])]
    described += workload.get("generator", {}).get("models", [])
    for model in described:
        if isinstance(model, dict) and "name" in model:
            known = {key: model[key] for key in sorted(MODEL_KEYS & model.keys())}
            if models.setdefault(model["name"], known) != known:
                sys.exit(f"instants: two models are called {model['name']}; give each a name of its own")
    return models


def list_gpus(run):
    """(host, index on it) of each worker"""
    return [[int(part) for part in place.split(":")] for place in run["gpus"].split()]


def make_scenario(base, runs, submits_ns, iterations=None):
    """The runs of one instant, each with its places; base: the scenario of `summary.json`. Iterations by id, else 2."""
    jobs, models = [], list_models(base["workload"])
    for run, submit in zip(runs, submits_ns):
        workers = list_gpus(run)
        jobs.append({"id": int(run["job_id"]), "model": models.get(run["model"], run["model"]),
                     "workers": len(workers), "pattern": run["pattern"],
                     "iterations": iterations[run["job_id"]] if iterations else 2,
                     "placement": {"workers": workers}, "submit": f"{submit}ns"})
    return {
        "name": "instant",
        "seed": base["seed"],
        "cluster": base["cluster"],
        "scale": {"model": base["scale"]["model"]},
        "transport": {"mtu": base["transport"]["mtu"]},
        "scheduler": {"control": "direct"},
        "workload": {"overlap": base["workload"]["overlap"], "jobs": jobs},
        "output": {"alone": False, "iterations": True, "figures": False},
    }


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


def call(command, out):
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        sys.exit(f"instants: {out} ended with status {status}")


def has_run(out, wanted):
    """Whether the folder has the results that a new run would give: those with an equal identity."""
    if not (out / "summary.json").exists():
        return False
    summary = read_json(out / "summary.json")
    return (summary["status"] == "done" and not summary["failures"]
            and all(summary.get(key) == value for key, value in wanted.items()))


def run_scenario(scenario, transport, out, more=()):
    """(job_id, start, end in s) of each iteration; CPU seconds. `more`: settings."""
    out.mkdir(parents=True, exist_ok=True)
    path, identity = out / "instant.json", out / "identity.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    settings = [f"--set=transport.kind={transport}", *more]
    if transport == "rdma":
        settings += ["--set=transport.congestionControl=fixed",
                     f"--ns3::ddl::FixedRdmaCongestionControl::Window={WINDOW}"]
    command = [os.environ["DDL_BUILD"] + "/ddl-run", path, "--quiet", *settings]
    call(command + [f"--identity={identity}"], out)
    if not has_run(out, read_json(identity)):
        call(command + [f"--out={out}"], out)
    rows = [(row["job_id"], float(row["start_s"]), float(row["end_s"])) for row in read_rows(out / "iterations.csv")]
    return rows, read_json(out / "cost.json")["cpu_s"]


def last_lengths(rows):
    """Seconds of the last iteration of each job, by id."""
    return {job: end - start for job, start, end in rows}


def main(results, folder, count, seed):
    base = read_json(results / "summary.json")["scenario"]
    differences = {}
    print("instant,time_s,jobs,gpus,mean_difference,largest_difference,of_model,within,cpu_s")
    for number, (time, runs) in enumerate(draw_instants(results, count, seed), 1):
        if not runs:
            continue
        draw = random.Random(f"{seed}/{number}")
        scenario = make_scenario(base, runs, [draw.randrange(20_000_000) for _ in runs])
        fluid, packets = (run_scenario(scenario, kind, folder / f"{number:02d}-{kind}") for kind in ("fluid", "rdma"))
        cost = packets[1]
        fluid, packets = last_lengths(fluid[0]), last_lengths(packets[0])
        model = {run["job_id"]: run["model"] for run in runs}
        off = {job: fluid[job] / packets[job] - 1 for job in packets}
        for job, value in off.items():
            differences.setdefault(model[job], []).append(value)
        worst = max(off, key=lambda job: abs(off[job]))
        print(f"{number},{time:.0f},{len(runs)},{sum(len(run['gpus'].split()) for run in runs)},"
              f"{statistics.mean(off.values()):.5f},{off[worst]:.5f},{model[worst]},"
              f"{sum(abs(value) <= TOLERANCE for value in off.values())},{cost:.1f}", flush=True)
    print("# model: jobs, mean difference of fluids from packets, least, largest")
    for name, values in sorted(differences.items()):
        print(f"# {name}: {len(values)}, {100 * statistics.mean(values):.3f} %, "
              f"{100 * min(values):.3f} %, {100 * max(values):.3f} %")
    every = [value for values in differences.values() for value in values]
    if every:
        print(f"# {sum(abs(value) <= TOLERANCE for value in every)} of {len(every)} within "
              f"{100 * TOLERANCE:.0f} %")


def read_arguments(results, folder, count="20", seed="1"):
    if not (count.isdigit() and int(count) > 0 and seed.isdigit()):
        sys.exit("instants: COUNT is a positive number, SEED a number")
    missing = [name for name in ("summary.json", "jobs.csv", "runs.csv")
               if not (pathlib.Path(results) / name).is_file()]
    if missing:
        sys.exit(f"instants: {results} has no {missing[0]}; give the results of a finished run")
    return pathlib.Path(results), pathlib.Path(folder), int(count), int(seed)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    main(*read_arguments(*sys.argv[1:]))
