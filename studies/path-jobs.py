#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Paths or priorities: two jobs on one network, by how paths are chosen and in what order jobs send (doc/paths.md).

Two jobs of eight workers, whose ranks alternate over four racks of four machines of 2 GPUs; four spines, 100 Gbps
everywhere. Both all-reduce by rings, or both send all-to-alls of as many bytes. Their workers are on machines of their
own, where they meet in uplinks only, or on the same eight machines, where they meet in NICs too. Prints the mean JCT of
each combination over the seeds, with its 95 % interval (Student's t), writes it to FOLDER/path-jobs.csv and draws
FOLDER/path-jobs.png.

What FOLDER has is not run again. Options of engines (doc/cluster.md) stand anywhere: --engine=slurm, --jobs=N,
--detach, --plan and so on.

Usage: path-jobs.py FOLDER [SEEDS]     SEEDS: number of seeds, from 1 on; default 8
Needs DDL_BUILD (a folder with ddl-run and ddl-study-runs), and gnuplot.
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

PATHS = {
    "ECMP": [],
    "4 queue pairs": ["transport.queuePairs=4"],
    "16 queue pairs": ["transport.queuePairs=16"],
    "REPS": ["transport.entropy=reps"],
    "spray": ["cluster.topology.routing=spray"],
}
ORDERS = ["fair-share", "grouper"]
PATTERNS = {"ring": "rings", "all-to-all": "all-to-alls"}
PLACES = {"apart": "machines of their own", "shared": "the same machines"}
RANKS = 8
ALTERNATING = [0, 4, 8, 12, 1, 5, 9, 13]  # host of each rank: every step of a ring leaves the rack
OTHERS = [2, 6, 10, 14, 3, 7, 11, 15]
MODELS = [("small", 100, 2, 4), ("large", 200, 4, 8)]  # MB, ms forward, ms backward
ITERATIONS = 2
# Student's t, 97.5 %, by degrees of freedom
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131]


def format_all_to_all(size, compute):
    """GOAL: each rank computes, then sends an equal part to each other; as many bytes as a ring all-reduce of `size`."""
    part = 2 * size // RANKS
    lines = [f"num_ranks {RANKS}"]
    for rank in range(RANKS):
        lines += [f"rank {rank} {{", f"c: calc {compute}"]
        for step in range(1, RANKS):
            lines += [f"s{step}: send {part}b to {(rank + step) % RANKS} tag {step}", f"s{step} requires c",
                      f"r{step}: recv {part}b from {(rank - step) % RANKS} tag {step}"]
        lines.append("}")
    return "\n".join(lines) + "\n"


def make_scenario(pattern, place):
    jobs = []
    for number, (name, megabytes, forward, backward) in enumerate(MODELS):
        hosts = OTHERS if number and place == "apart" else ALTERNATING
        gpu = 1 if number and place == "shared" else 0
        job = {
            "id": number + 1,
            "model": {"name": name, "bytes": f"{megabytes}MB", "forward": f"{forward}ms", "backward": f"{backward}ms"},
            "workers": RANKS,
            "iterations": ITERATIONS,
            "placement": {"workers": [[host, gpu] for host in hosts]},
        }
        job.update({"pattern": "ring"} if pattern == "ring" else {"graph": f"{name}.goal"})
        jobs.append(job)
    return {
        "name": f"{pattern}-{place}",
        "description": f"Two jobs of {PATTERNS[pattern]} on {PLACES[place]}",
        "cluster": {"topology": {"kind": "leaf-spine", "leaves": 4, "hostsPerLeaf": 4, "spines": 4,
                                 "hostRate": "100Gbps", "fabricRate": "100Gbps"},
                    "hosts": {"gpus": 2}},
        "transport": {"kind": "rdma", "mtu": 4160, "recovery": "selective-repeat"},
        "scheduler": {"network": "fair-share"},
        "workload": {"jobs": jobs},
        "output": {"alone": False, "figures": False},
    }


def is_done(out):
    path = out / "summary.json"
    return path.exists() and json.loads(path.read_text())["status"] == "done"


def list_runs(folder, seeds):
    """Runs by pattern, place, paths, order and seed."""
    runs = {}
    for seed in range(1, seeds + 1):
        for pattern in PATTERNS:
            for place in PLACES:
                for paths, settings in PATHS.items():
                    for order in ORDERS:
                        name = f"{pattern}-{place}-{paths.replace(' ', '-')}-{order}-{seed}"
                        runs[pattern, place, paths, order, seed] = {
                            "name": name, "folder": str(folder / name), "seed": seed,
                            "scenario": str(folder / "set" / f"{pattern}-{place}.json"),
                            "settings": [*settings, f"scheduler.network={order}"]}
    return runs


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


def estimate(values):
    """Mean, and half of its 95 % interval; of one value none."""
    half = math.nan
    if len(values) > 1:
        student = STUDENT[min(len(values) - 1, len(STUDENT)) - 1]
        half = student * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values), half


def summarise(runs, seeds):
    """Rows of the table: pattern, place, paths, order, milliseconds of the mean JCT, half interval, runs."""
    rows = []
    for pattern in PATTERNS:
        for place in PLACES:
            for paths in PATHS:
                for order in ORDERS:
                    folders = [pathlib.Path(runs[pattern, place, paths, order, seed]["folder"])
                               for seed in range(1, seeds + 1)]
                    values = [1e3 * json.loads((out / "summary.json").read_text())["metrics"]["jct_s"]["mean"]
                              for out in folders if is_done(out)]
                    if values:
                        rows.append((pattern, place, paths, order, *estimate(values), len(values)))
                    if len(values) < seeds:
                        print(f"{seeds - len(values)} runs failed: {folders[0].name[:-2]}", file=sys.stderr)
    return rows


def format_block(rows, pattern, place):
    """A block of gnuplot: a line for each choice of paths, mean and half interval of each order."""
    lines = []
    for paths in PATHS:
        cells = {row[3]: row for row in rows if row[:3] == (pattern, place, paths)}
        numbers = " ".join(f"{cells[order][4]:.6g} {cells[order][5]:.6g}" if order in cells else "NaN NaN"
                           for order in ORDERS)
        lines.append(f'"{paths.replace("queue pairs", "QPs")}" {numbers}')
    return "\n".join(lines)


def draw(folder, rows):
    panels = [(pattern, place) for pattern in PATTERNS for place in PLACES]
    blocks = "\n\n\n".join(format_block(rows, *panel) for panel in panels)
    colours = ["#0072B2", "#E69F00"]
    bars = ", \\\n  ".join(
        f"$data index panel using {2 + 2 * n}:{3 + 2 * n}:xtic(1) linecolor rgb '{colours[n]}' "
        f"title (panel == 0 ? '{order}' : '')" for n, order in enumerate(ORDERS))
    tops = {pattern: 1.1 * max(row[4] + (0 if math.isnan(row[5]) else row[5]) for row in rows if row[0] == pattern)
            for pattern in PATTERNS}
    plots = "\n".join(f"panel = {p}\nset yrange [0:{tops[pattern]:.4g}]\n"
                      f"set title \"{PATTERNS[pattern]}, {PLACES[place]}\"\nplot {bars}" for p, (pattern, place) in enumerate(panels))
    (folder / "path-jobs.gp").write_text(f"""set terminal pngcairo size 1000,720 font "sans,11"
set output "{folder}/path-jobs.png"
$data << END
{blocks}
END
set style data histograms
set style histogram errorbars gap 1 linewidth 1.2
set style fill solid 0.9
set bars 0.6
set boxwidth 0.95
set grid y linecolor rgb '#DDDDDD' linetype 1
set xtics scale 0
set ytics nomirror
set border 3
set key top right
set ylabel "mean JCT, ms"
set multiplot layout 2,2
{plots}
unset multiplot
""")
    subprocess.run(["gnuplot", folder / "path-jobs.gp"], check=True)


def main(folder, seeds, options):
    (folder / "set").mkdir(parents=True, exist_ok=True)
    for name, megabytes, forward, backward in MODELS:
        text = format_all_to_all(megabytes * 10 ** 6, (forward + backward) * 10 ** 6)
        (folder / "set" / f"{name}.goal").write_text(text)
    for pattern in PATTERNS:
        for place in PLACES:
            path = folder / "set" / f"{pattern}-{place}.json"
            path.write_text(json.dumps(make_scenario(pattern, place), indent=1))
    runs = list_runs(folder, seeds)
    carry_out(folder, runs.values(), options)
    rows = summarise(runs, seeds)
    lines = ["pattern,place,paths,order,jct_ms,ci95_ms,runs",
             *(f"{pattern},{place},{paths},{order},{mean:.2f},{half:.2f},{count}"
               for pattern, place, paths, order, mean, half, count in rows)]
    print("\n".join(lines))
    (folder / "path-jobs.csv").write_text("\n".join(lines) + "\n")
    draw(folder, rows)
    return 0 if sum(row[6] for row in rows) == len(runs) else 1


def call(words, options):
    if not 1 <= len(words) <= 2 or not (words[1:] or ["8"])[0].isdigit() or int((words[1:] or ["8"])[0]) < 1:
        sys.exit(__doc__)
    folder = pathlib.Path(words[0]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return main(folder, int((words[1:] or ["8"])[0]), options)


if __name__ == "__main__":
    sys.exit(call([word for word in sys.argv[1:] if not word.startswith("--")],
                  [word for word in sys.argv[1:] if word.startswith("--")]))
