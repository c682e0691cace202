#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Sampled runs against all packets: is the mean JCT in the interval that is stated? (doc/full-size.md)

With "cost": what does a smaller error cost? Runs three jobs of liquid-batch with 600 iterations each,
at random places (eight seeds), on packets, on fluids, and sampled with several budgets; prints a line
for each budget and draws FOLDER/cost.png. (All jobs start at once: which GPUs a job gets does not
depend on when another ends.)

Otherwise: writes 20 scenarios of 4 to 40 jobs (fair share, grouper, sincronia, gates, jitter; rdma
and tcp) to FOLDER/set, runs each on packets, on fluids and sampled, and prints a line for each. The
seed is that of the run and of the samples.

What FOLDER has is not run again. Options of engines (doc/cluster.md) stand anywhere: --engine=slurm, --jobs=N,
--detach, --plan and so on; the same call collects what was submitted, and then prints the lines.

Usage: sampling.py FOLDER [SEEDS] [NAME...]     SEEDS: "1,2,3"; NAME: "s00" and so on, default all
       sampling.py FOLDER cost
Needs DDL_BUILD (a folder with ddl-run and ddl-study-runs) and DDL_HOME.
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


def is_done(out):
    path = out / "summary.json"
    return path.exists() and json.loads(path.read_text())["status"] == "done"


def make_run(folder, name, scenario, seed, settings):
    """A run of the study, as ddl-study-runs takes it."""
    return {"name": name, "folder": str(folder / name), "scenario": str(scenario), "seed": seed, "settings": settings}


def carry_out(folder, runs, options):
    """Carry out the runs that are not done. Leaves this program unless all have ended."""
    left = [run for run in runs if not is_done(pathlib.Path(run["folder"]))]
    planned = any(option.startswith("--plan") for option in options)
    if left or planned:
        path = folder / "runs.json"
        path.write_text(json.dumps(left, indent=1))
        status = subprocess.run([os.environ["DDL_BUILD"] + "/ddl-study-runs", path, f"--out={folder}", *options],
                                check=False).returncode
        if status > 1 or planned:
            sys.exit(status)


def read_summary(run):
    """summary.json of a run, or None if it failed."""
    out = pathlib.Path(run["folder"])
    if not is_done(out):
        print(f"{out.name}: no results; see {out / 'log.txt'}", flush=True)
        return None
    return json.loads((out / "summary.json").read_text())


def get_cost(out):
    """CPU seconds, those of samples and of all runs on fluids included."""
    cost = json.loads((out / "cost.json").read_text())
    return cost["cpu_s"] + cost.get("sampling_cpu_s", 0)


def study_cost(folder, options):
    """Error and cost of sampled runs against their budget, each over eight seeds."""
    jobs = [{"model": {"type": name, "forward": forward, "backward": backward, "batch": 32},
             "workers": 2, "servers": 1, "serverGpus": 1, "iterations": 600}
            for name, forward, backward in (("Inception-V3", "69.8ms", "104.8ms"),
                                            ("ResNet-50", "50ms", "74.8ms"),
                                            ("VGG-16", "71.6ms", "107.4ms"))]
    base = ["scheduler.placement=random", "scale.iterations=1", "output.alone=false",
            f"workload.jobs={json.dumps(jobs)}"]
    sampled = ["fidelity=sampled", "sampling.warmup=3", "sampling.window=3", "sampling.error=0.0001"]
    variants = {"packets": [], "fluid": ["fidelity=fluid"]}
    for budget in (0.02, 0.05, 0.1, 0.2, 0.4):
        variants[f"{budget:g}"] = [*sampled, f"sampling.budget={budget}"]
    found = {name: {} for name in variants}
    runs = {(name, seed): make_run(folder, f"{name}-{seed}", "liquid-batch", seed, base + settings)
            for seed in range(1, 9) for name, settings in variants.items()}
    carry_out(folder, runs.values(), options)
    for (name, seed), run in runs.items():
        summary = read_summary(run)
        if summary:
            found[name][seed] = (summary, get_cost(pathlib.Path(run["folder"])))
    seeds = [seed for seed in range(1, 9) if all(seed in runs for runs in found.values())]
    if not seeds:
        sys.exit("no seed for which all runs ended")
    truths = {seed: found["packets"][seed][0]["metrics"]["jct_s"]["mean"] for seed in seeds}
    rows = []
    for name in list(variants)[1:]:
        runs = [found[name][seed] for seed in seeds]
        off = [abs(summary["metrics"]["jct_s"]["mean"] / truths[seed] - 1)
               for seed, (summary, _) in zip(seeds, runs)]
        cost = sum(cost for _, cost in runs) / sum(found["packets"][seed][1] for seed in seeds)
        row = [name, cost, 0, statistics.mean(off), max(off), "", "", len(runs)]
        if name != "fluid":
            widths = [summary["sampling"]["errors"]["jct_s"]["mean"]["error"] / truths[seed]
                      for seed, (summary, _) in zip(seeds, runs)]
            row[2] = statistics.mean(summary["sampling"]["packet_share"] for summary, _ in runs)
            row[5] = statistics.median(widths)
            row[6] = sum(o <= w for o, w in zip(off, widths))
        rows.append(row)
    header = "budget,cost_over_packets,packet_share,mean_error,largest_error,half_width,held,runs"
    lines = [header, *(",".join(f"{cell:.5g}" if isinstance(cell, float) else str(cell)
                                for cell in row) for row in rows)]
    print("\n".join(lines))
    (folder / "cost.csv").write_text("\n".join(lines) + "\n")
    (folder / "cost.gp").write_text(f"""set terminal pngcairo size 900,540 font ",12"
set output "{folder}/cost.png"
set datafile separator ","
set logscale x
set xlabel "CPU time, % of that of all packets"
set ylabel "error of the mean JCT, %"
set yrange [0:*]
set key center left
plot "{folder}/cost.csv" skip 1 every ::1 using (100*$2):(100*$6) with linespoints lw 2 pt 5 title \\
    "sampled: stated half-width, median", \\
  "" skip 1 every ::1 using (100*$2):(100*$4) with linespoints lw 2 pt 7 title "sampled: error, mean", \\
  "" skip 1 every ::0::0 using (100*$2):(100*$4) with points pt 9 ps 2 title "fluids: error, mean"
""")
    subprocess.run(["gnuplot", folder / "cost.gp"], check=True)


def main(folder, seeds, names, options):
    (folder / "set").mkdir(parents=True, exist_ok=True)
    for number in range(SCENARIOS):
        scenario = make_scenario(number)
        path = folder / "set" / f"{scenario['name']}.json"
        path.write_text(json.dumps(scenario, indent=1))
    names = names or [f"s{number:02d}" for number in range(SCENARIOS)]
    runs = {(name, seed, fidelity): make_run(folder, f"{name}-{seed}-{fidelity}", folder / "set" / f"{name}.json", seed,
                                             [f"fidelity={fidelity}", f"sampling.seed={seed}"])
            for seed in seeds for name in names for fidelity in ("packets", "fluid", "sampled")}
    carry_out(folder, runs.values(), options)
    held, widths, errors, plain = [], [], [], []
    print("scenario,seed,what,packets_jct_s,fluid_error,sampled_error,half_width,sampling,seed_part,"
          "held,windows,packet_share,rounds")
    for seed in seeds:
        for name in names:
            packets, fluid, sampled = (read_summary(runs[name, seed, fidelity])
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


def call(words, options):
    if not words or "cost" in words[1:2] and len(words) > 2:
        sys.exit(__doc__)
    folder = pathlib.Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    if words[1:] == ["cost"]:
        return study_cost(folder, options)
    return main(folder, [int(seed) for seed in (words[1:2] or ["1"])[0].split(",")], words[2:], options)


if __name__ == "__main__":
    sys.exit(call([word for word in sys.argv[1:] if not word.startswith("--")],
                  [word for word in sys.argv[1:] if word.startswith("--")]))
