#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sampled runs against all packets: is the mean JCT in the interval that is stated? (doc/full-size.md)

Writes 20 scenarios of 4 to 40 jobs (fair share, grouper, sincronia, gates, jitter; rdma and tcp) to
FOLDER/set, runs each on packets, on fluids and sampled, and prints a line for each. What FOLDER has
is not run again.

Usage: sampling.py FOLDER [SEEDS] [NAME...]     SEEDS: "1,2,3"; NAME: "s00" and so on, default all
Needs DDL_BUILD (a folder with ddl-run) and DDL_HOME.
"""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

SCENARIOS = 20
KINDS = ["fair-share", "grouper", "sincronia", "gate", "jitter"]
JOBS = [4, 6, 8, 12, 16, 24, 40, 5, 10, 20]
SECONDS = 5  # that a job takes by itself, about
RATE = 10e9  # bits a second, of all links


def make_model(draw, number):
    """A model of 0.1 to 0.8 MB, and seconds that an iteration takes about."""
    size = int(10 ** draw.uniform(5.0, 5.9))
    transfer = size * 2 * 8 / RATE
    ratio = draw.uniform(0.3, 1.5)  # computing over communication
    model = {
        "name": f"m{number}",
        "bytes": f"{size}B",
        "forward": f"{int(transfer * ratio * 0.4 * 1e9)}ns",
        "backward": f"{int(transfer * ratio * 0.6 * 1e9)}ns",
    }
    return model, transfer * (1 + ratio)


def make_jobs(draw, count, seconds):
    models = [make_model(draw, i) for i in range(6)]
    share = min(1, 8 / count + 0.25)  # many jobs are short ones
    jobs, submit = [], 0
    for number in range(1, count + 1):
        model, iteration = draw.choice(models)
        workers = draw.choice([2, 2, 3, 4, 4, 8])
        pattern = draw.choice(["ring", "ring", "halving-doubling", "parameter-server"])
        if pattern == "halving-doubling":
            workers = draw.choice([2, 4])
        iterations = int(draw.uniform(0.4, 1.6) * seconds / iteration * share)
        job = {
            "id": number,
            "submit": f"{int(submit * 1e6)}us",
            "model": model,
            "workers": workers,
            "pattern": pattern,
            "iterations": max(iterations, 20),
        }
        if pattern == "parameter-server":
            job["servers"] = draw.choice([1, 2])
        jobs.append(job)
        submit += draw.expovariate(1 / (0.5 * seconds * share / (count / 6)))
    return jobs


def make_scenario(number):
    draw = random.Random(1000 + number)
    kind = KINDS[number % 5]
    count = JOBS[(number * 3 + number // 10) % 10]
    hosts = [4, 4, 8, 8][number % 4]
    topology = {"kind": "single-switch", "hosts": 2 * hosts, "hostRate": "10Gbps", "delay": "1us"}
    if number % 2:
        topology = {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": hosts, "spines": 2,
                    "hostRate": "10Gbps", "fabricRate": "10Gbps", "delay": "1us"}
    # The fluids of sincronia with 40 jobs cost more than packets: shorter jobs.
    jobs = make_jobs(draw, count, SECONDS / 6 if number == 2 else SECONDS)
    scenario = {
        "name": f"s{number:02d}",
        "description": f"{kind}, {count} jobs",
        "cluster": {"topology": topology, "hosts": {"gpus": 4}},
        "transport": {"kind": "tcp" if number in (3, 12) else "rdma",
                      "congestionControl": "dctcp", "mtu": [9000, 4200, 9000, 9000][number % 4]},
        "scheduler": {"network": "fair-share",
                      "placement": draw.choice(["random", "least-allocated", "first-fit"]),
                      "jobs": "fifo"},
        "workload": {"jobs": jobs},
        "output": {"alone": False, "figures": False},
        "sampling": {"error": 0.02},
    }
    if kind in ("grouper", "sincronia"):
        scenario["scheduler"].update(network=kind, period="50ms")
    if kind == "gate":
        scenario["scheduler"]["gate"] = draw.choice(["ada-dual", "srsf-n"])
    if kind == "jitter":
        scenario["workload"]["compute"] = {
            "jitter": {"type": "normal-random-variable", "Mean": 1, "Variance": 0.0025}}
    return scenario


def run(folder, name, seed, fidelity):
    """Run it unless that has been done. Returns summary.json, or None if it failed."""
    out = folder / f"{name}-{seed}-{fidelity}"
    if not (out / "summary.json").exists():
        status = subprocess.run([os.environ["DDL_BUILD"] + "/ddl-run", folder / "set" / f"{name}.json",
                                 f"--seed={seed}", f"--set=fidelity={fidelity}", "--quiet",
                                 f"--out={out}"], check=False).returncode
        if status != 0:
            print(f"{name} seed {seed} {fidelity}: status {status}", flush=True)
            return None
    return json.loads((out / "summary.json").read_text())


def main(folder, seeds, names):
    (folder / "set").mkdir(parents=True, exist_ok=True)
    for number in range(SCENARIOS):
        scenario = make_scenario(number)
        path = folder / "set" / f"{scenario['name']}.json"
        path.write_text(json.dumps(scenario, indent=1))
    names = names or [f"s{number:02d}" for number in range(SCENARIOS)]
    held, widths, errors, plain = [], [], [], []
    print("scenario,seed,what,packets_jct_s,fluid_error,sampled_error,half_width,sampling,seed_part,"
          "held,windows,packet_share,rounds")
    for seed in seeds:
        for name in names:
            packets, fluid, sampled = (run(folder, name, seed, fidelity)
                                       for fidelity in ("packets", "fluid", "sampled"))
            if not (packets and fluid and sampled):
                continue
            truth = packets["metrics"]["jct_s"]["mean"]
            off = [summary["metrics"]["jct_s"]["mean"] / truth - 1 for summary in (fluid, sampled)]
            sampling = sampled["sampling"]
            error = sampling["errors"]["jct_s"]["mean"]
            held.append(abs(off[1]) * truth <= error["error"])
            widths.append(error["error"] / truth)
            plain.append(abs(off[0]))
            errors.append(abs(off[1]))
            print(f"{name},{seed},\"{packets['scenario']['description']}\",{truth:.6g},{off[0]:.5f},"
                  f"{off[1]:.5f},{widths[-1]:.5f},{error['sampling'] / truth:.5f},"
                  f"{error['seed'] / truth:.5f},{int(held[-1])},{sampling['windows']},"
                  f"{sampling['packet_share']:.4f},{sampling['rounds']}", flush=True)
    if held:
        print(f"# {sum(held)} of {len(held)} intervals hold the mean JCT; median half-width "
              f"{100 * statistics.median(widths):.2f} %; mean error {100 * statistics.mean(errors):.2f} %, "
              f"of plain fluids {100 * statistics.mean(plain):.2f} %")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), [int(seed) for seed in (sys.argv[2:3] or ["1"])[0].split(",")],
         sys.argv[3:])
