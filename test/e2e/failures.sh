#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A server that fails: its jobs are missed, wait, and go on from their last checkpoint, which
# crosses the network; all of it is in runs.csv and summary.json.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

cat >"$scratch/ring.json" <<'JSON'
{
  "name": "ring", "seed": 2,
  "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 2},
              "failures": [{"server": 1, "at": "40ms", "for": "30ms"}]},
  "transport": {"mtu": 9000},
  "scheduler": {"detection": "10ms", "coordinator": 3,
                "switch": {"launch": "2ms", "save": "1ms", "checkpointEvery": 4, "storage": {"host": 3}}},
  "workload": {"jobs": [{"count": 2, "workers": 3, "pattern": "ring", "iterations": 20,
    "model": {"name": "m", "bytes": "1MB", "forward": "2ms", "backward": "2ms"}}]},
  "output": {"alone": false, "figures": false}
}
JSON
run() { expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/ring.json" --quiet --out="$scratch/$1" "${@:2}"; }

for kind in tcp rdma fluid; do
    run "$kind" --set=transport.kind="$kind"
    run "$kind-2" --set=transport.kind="$kind"
    cmp "$scratch/$kind/runs.csv" "$scratch/$kind-2/runs.csv" || fail "$kind: equal runs differ"
    python3 - "$scratch/$kind" <<'PY' || fail "$kind: runs.csv"
import csv, json, sys

runs = list(csv.DictReader(open(sys.argv[1] + "/runs.csv")))
totals = json.load(open(sys.argv[1] + "/summary.json"))["runs"]
failed = [run for run in runs if run["reason"] == "failed"]
assert len(failed) == totals["failures"] == 2, runs  # both have a worker on server 1
assert totals["preemptions"] == 0, totals
for run in failed:
    assert "h1" in run["servers"] and 0.040 <= float(run["end_s"]) <= 0.052, run
again = {run["job_id"]: run for run in runs if run["run"] == "2"}
assert len(again) == 2
for run in failed:
    repeated = int(again[run["job_id"]]["repeated"])
    kept = int(run["iterations"]) - repeated
    assert kept >= 4 and kept % 4 == 0 and repeated < 8, (run, repeated)
    assert int(again[run["job_id"]]["iterations"]) == 20 - kept
    assert int(again[run["job_id"]]["state_bytes"]) >= 2e6  # a copy for each of two machines
    assert float(again[run["job_id"]]["lost_s"]) > 0
for column, total in (("checkpoints", "checkpoints"), ("state_bytes", "state_bytes"),
                      ("repeated", "repeated"), ("lost_s", "lost_s"), ("switch_s", "switch_s")):
    assert abs(sum(float(run[column]) for run in runs) - totals[total]) < 1e-6, column
PY
done

# Without checkpoints all is done again; without the failure nothing is.
run never --set=scheduler.switch.checkpointEvery=0
run calm --set=cluster.failures=[]
end() { column "$scratch/$1/jobs.csv" end_s | sort -g | tail -n 1; }
python3 -c "import sys; a, b, c = map(float, sys.argv[1:]); assert a < b < c, (a, b, c)" \
    "$(end calm)" "$(end tcp)" "$(end never)" || fail "what a checkpoint is worth"

# The server that everybody needs cannot fail.
expect_status 2 "$DDL_BUILD/ddl-check" "$scratch/ring.json" --set=cluster.failures.0.server=3
expect_text "$scratch/err" 'server 3 cannot fail: the coordinator runs there'
expect_text "$scratch/err" 'server 3 cannot fail: checkpoints are kept there'
finish
