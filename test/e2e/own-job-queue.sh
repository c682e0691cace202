#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A preemptive job scheduler of one's own, built against the installed module: jobs take turns, and
# all of them end with every iteration done once.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 cmake --install "$DDL_BUILD" --prefix "$scratch/prefix"
expect_status 0 cmake -S "$DDL_HOME/examples/own-job-queue" -B "$scratch/own" -G Ninja \
    -DCMAKE_PREFIX_PATH="$scratch/prefix"
expect_status 0 cmake --build "$scratch/own"
expect_status 0 "$scratch/prefix/bin/ddl-run" preemption --out="$scratch/results" --quiet \
    --set=output.figures=false --set=scheduler.jobs=most-waited \
    --plugin="$scratch/own/libown-job-queue.so"

python3 - "$scratch/results" <<'END' || fail "the runs of jobs do not add up"
import collections, csv, json, sys
folder = sys.argv[1]
jobs = {row["job_id"]: row for row in csv.DictReader(open(folder + "/jobs.csv"))}
done = collections.Counter()
held = collections.defaultdict(list)
for run in csv.DictReader(open(folder + "/runs.csv")):
    done[run["job_id"]] += int(run["iterations"])
    for gpu in run["gpus"].split():
        held[gpu].append((float(run["start_s"]), float(run["end_s"])))
runs = json.load(open(folder + "/summary.json"))["runs"]
assert len(jobs) == 80, len(jobs)
assert all(done[job] == int(row["iterations"]) for job, row in jobs.items()), done
assert runs["preemptions"] > 10 and runs["count"] == 80 + runs["preemptions"], runs
for gpu, times in held.items():  # nobody shares a GPU
    times.sort()
    assert all(a[1] <= b[0] for a, b in zip(times, times[1:])), gpu
END
finish
