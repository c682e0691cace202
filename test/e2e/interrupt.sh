#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C in the middle of a run: whole rows, a summary that says so, exit status 130.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# A first stage that is soon over, then far more work than anyone waits for.
"$DDL_BUILD/ddl-run" quickstart --out="$scratch/results" --set=workload.cojobs.0.stages=[1,1000,100000] \
    --set=transport.kind=rdma --set=output.alone=false --set=output.timeline=true >"$scratch/out" 2>"$scratch/err" </dev/null &
child=$!
wait_until "$child" "its first stage was over" grep -qE ' [1-9][0-9]* of [0-9]+ stages' "$scratch/err"
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "exit status $status instead of 130: $(tail -n 3 "$scratch/err")"
expect_text "$scratch/results/summary.json" '"status": "interrupted"'
expect_text "$scratch/results/summary.json" '"what": "job '
rows() { tail -n +2 "$1" | grep -c .; }
[[ $(rows "$scratch/results/stages.csv") -ge 1 ]] || fail "stages.csv has no stage, and there was one"
left=$(grep -c '"what": "job ' "$scratch/results/summary.json")
[[ $((left + $(rows "$scratch/results/jobs.csv"))) -eq 14 ]] ||
    fail "$left unfinished jobs and $(rows "$scratch/results/jobs.csv") that left are not 14"
for file in stages jobs ports remarks schedule; do
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR == 0 }' \
        "$scratch/results/$file.csv" || fail "$file.csv has a broken row"
    [[ -z $(tail -c 1 "$scratch/results/$file.csv") ]] || fail "$file.csv ends within a row"
done
python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
sys.exit(not any(event.get("args", {}).get("cut") for event in events))' "$scratch/results/timeline.json" ||
    fail "timeline.json does not tell what was going on"
[[ -z $(find "$scratch/results" -name '*.part' -o -name '.alone*') ]] || fail "something is left over"
finish
