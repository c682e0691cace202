#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Jobs that lose their GPUs by queue and by lease, under orders of coflows and of stages and with
# gates: some run within one machine at one time, and over the network at another. All end, with
# every iteration done once, and nobody shares a GPU.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

for case in sebf:ada-dual sincronia:none grouper:ada-dual pias:srsf-1; do
    results=$scratch/${case/:/-}
    expect_status 0 "$DDL_BUILD/ddl-run" preemption --out="$results" --quiet \
        --set=output.figures=false --set=scheduler.lease=300s --set=scheduler.network="${case%:*}" \
        --set=scheduler.gate="${case#*:}"
    python3 - "$results" <<'END' || fail "$case: the runs of jobs do not add up"
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
for gpu, times in held.items():
    times.sort()
    assert all(a[1] <= b[0] for a, b in zip(times, times[1:])), gpu
END
done

# Jobs that move to better GPUs, and why jobs wait. Every move is a run that ended with that reason.
results=$scratch/moves
expect_status 0 "$DDL_BUILD/ddl-run" preemption --out="$results" --quiet \
    --set=output.figures=false --set=scheduler.placement=gandiva --set=scheduler.improve=60s \
    --set=scheduler.batchWindow=5s --set=output.waits=true
python3 - "$results" <<'END' || fail "moves: the runs of jobs do not add up"
import collections, csv, json, sys
folder = sys.argv[1]
summary = json.load(open(folder + "/summary.json"))
runs = list(csv.DictReader(open(folder + "/runs.csv")))
reasons = collections.Counter(run["reason"] for run in runs)
assert reasons["migrated"] > 0 and reasons["done"] == 80, reasons
assert summary["runs"]["migrations"] >= reasons["migrated"], summary["runs"]
assert summary["runs"]["preemptions"] == len(runs) - 80, summary["runs"]
waits = list(csv.DictReader(open(folder + "/waits.csv")))
# gandiva takes what there is, unless that is kept for a job before it.
assert {row["reason"] for row in waits} == {"no GPUs", "behind another job"}, waits
assert all((int(row["gpus"]) > int(row["free_gpus"])) == (row["reason"] == "no GPUs")
           for row in waits), waits
assert summary["files"]["waits.csv"] > 0, summary["files"]
END
finish
