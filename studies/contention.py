#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random instants of a run: how much longer are iterations because jobs share links, and what can the order of their
traffic change? (doc/dally.md)

RESULTS is the folder of a finished run (runs.csv, jobs.csv, summary.json). At each of COUNT instants, drawn uniformly
in time, the jobs that ran then run again where they were: first each alone, then all together under each of the orders
(network schedulers). Jobs of one server are left out, since each GPU has a link of its own to the server's switch.
Jobs begin at random within 20 ms; what they do in the window after that counts, which is at least three iterations of
the slowest job long. FOLDER keeps all runs; one with an equal identity is not made again. Not for parameter servers,
whose places and shares this does not set.

Needs a topology of kind three-tier, DDL_BUILD (a folder with ddl-run) and DDL_HOME.
"""

import argparse
import math
import pathlib
import random
import statistics
import sys

import instants

SPREAD = 20e-3  # s


def spans_servers(run, gpus_per_server):
    return len({host // gpus_per_server for host, _ in instants.list_gpus(run)}) > 1


def measure_alone(base, runs, kind, folder, settings):
    """Seconds of an iteration of each job, by id, if no other job runs. The jobs run one after the other."""
    apart = 1.0  # s from the start of one to that of the next
    while True:
        submits = [round(index * apart * 1e9) for index in range(len(runs))]
        scenario = instants.make_scenario(base, runs, submits)
        rows, _ = instants.run_scenario(scenario, kind, folder / f"{apart:.0f}s-apart", settings)
        spans = sorted((min(start for job, start, _ in rows if job == run["job_id"]),
                        max(end for job, _, end in rows if job == run["job_id"])) for run in runs)
        if all(before[1] < after[0] for before, after in zip(spans, spans[1:])):
            return instants.last_lengths(rows)
        apart *= 10


def measure(rows, alone, window):
    """Mean length of an iteration that begins in the window, over its length alone, by job. Of a job that begins none
    there, because others hold it up, that of the iteration under way."""
    stretch = {}
    for job, length in alone.items():
        own = [(start, end) for of, start, end in rows if of == job and start < SPREAD + window and end > SPREAD]
        begun = [(start, end) for start, end in own if start >= SPREAD]
        stretch[job] = statistics.mean(end - start for start, end in begun or own) / length
    return stretch


def main(options):
    base = instants.read_json(options.results / "summary.json")["scenario"]
    topology = base["cluster"]["topology"]
    if topology["kind"] != "three-tier":
        sys.exit(f"contention: {options.results} has the topology {topology['kind']}, not three-tier")
    per_server = topology["gpusPerServer"]
    kind = "rdma" if options.packets else "fluid"
    print("instant,time_s,jobs,spanning,order,mean_stretch,gpu_stretch,largest_stretch,of_job,cpu_s")
    every = {}
    for number, (time, all_runs) in enumerate(instants.draw_instants(options.results, options.count, options.seed), 1):
        runs = [run for run in all_runs if spans_servers(run, per_server)
                and (not options.jobs or run["job_id"] in options.jobs)]
        if not runs:
            print(f"{number},{time:.0f},{len(all_runs)},0,,,,,,", flush=True)
            for order in options.orders:
                every.setdefault(order, []).append((0, 0))
            continue
        name = f"{number:02d}-{kind}"
        settings = [f"--set={each}" for each in options.set]
        alone = measure_alone(base, runs, kind, options.folder / f"{name}-alone", settings)
        window = max(options.window / 1000, 3 * max(alone.values()))
        # enough iterations to last to the window's end even if nobody is in the way
        iterations = {job: math.ceil((SPREAD + window) / length) + 1 for job, length in alone.items()}
        draw = random.Random(f"{options.seed}/{number}")
        scenario = instants.make_scenario(base, runs, [draw.randrange(round(SPREAD * 1e9)) for _ in runs], iterations)
        gpus = {run["job_id"]: len(instants.list_gpus(run)) for run in runs}
        for order in options.orders:
            rows, cost = instants.run_scenario(scenario, kind, options.folder / f"{name}-{order}",
                                               [f"--set=scheduler.network={order}", *settings])
            stretch = measure(rows, alone, window)
            worst = max(stretch, key=stretch.get)
            by_gpu = sum(stretch[job] * gpus[job] for job in stretch) / sum(gpus[job] for job in stretch)
            mean = statistics.mean(stretch.values())
            every.setdefault(order, []).append((len(stretch), sum(stretch.values()) - len(stretch)))
            print(f"{number},{time:.0f},{len(all_runs)},{len(runs)},{order},{mean:.4f},{by_gpu:.4f},"
                  f"{stretch[worst]:.4f},{worst},{cost:.1f}", flush=True)
    print("# order: jobs that span servers, how much longer their iterations are together than alone, in the mean")
    for order, values in every.items():
        jobs = sum(count for count, _ in values)
        print(f"# {order}: {jobs}, {100 * sum(more for _, more in values) / max(jobs, 1):.2f} %")


def read_arguments():
    parser = argparse.ArgumentParser(prog="./ddl study contention", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, metavar="RESULTS")
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=10, help="instants (10)")
    parser.add_argument("--seed", type=int, default=1, help="of the instants (1)")
    parser.add_argument("--orders", default="fair-share,sptf,grouper,sincronia", help="network schedulers, by comma")
    parser.add_argument("--jobs", default="", help="ids of jobs, by comma: leave out all others")
    parser.add_argument("--window", type=float, default=50, metavar="MS", help="simulated time that counts (50)")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a key of these runs")
    parser.add_argument("--packets", action="store_true",
                        help="RDMA packets with a window above the bandwidth-delay product, instead of fluids")
    options = parser.parse_args()
    if options.count < 1 or options.seed < 0 or not options.window > 0:
        parser.error("--count and --window are positive, --seed is not negative")
    for name in ("summary.json", "jobs.csv", "runs.csv"):
        if not (options.results / name).is_file():
            parser.error(f"{options.results} has no {name}; give the results of a finished run")
    options.orders = options.orders.split(",")
    options.jobs = {job for job in options.jobs.split(",") if job}
    return options


if __name__ == "__main__":
    main(read_arguments())
