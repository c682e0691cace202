#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C where many fluids flow, 16 jobs of 64 workers and 16 servers on 256 machines: whole rows at once. What
# the program still does after the signal is measured in CPU time, which a busy machine does not stretch.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

python3 - >"$scratch/many.json" <<'PY'
import json
jobs = [{"model": {"name": "m", "bytes": "100MB"}, "workers": 64, "servers": 16, "pattern": "parameter-server", "iterations": 1000,
         "placement": {"workers": [[(j * 64 + i) % 256, j // 4] for i in range(64)],
                       "servers": [(j * 16 + 64 + 5 * i) % 256 for i in range(16)]}} for j in range(16)]
print(json.dumps({"name": "many", "cluster": {"topology": {"kind": "leaf-spine", "leaves": 16, "hostsPerLeaf": 16, "spines": 16},
                  "hosts": {"gpus": 4}}, "transport": {"kind": "fluid"}, "workload": {"jobs": jobs},
                  "output": {"alone": False, "figures": False}}))
PY

# ticks PID: CPU time that a process has taken, in 1/100 s; nothing when it is gone
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null; }

"$DDL_BUILD/ddl-run" "$scratch/many.json" --quiet --out="$scratch/results" >/dev/null 2>&1 </dev/null &
child=$!
while now=$(ticks "$child") && [[ -n $now && $now -lt 300 ]]; do sleep 0.1; done
before=$(ticks "$child")
last=$before
kill -INT "$child"
while now=$(ticks "$child") && [[ -n $now && $(awk '{ print $3 }' "/proc/$child/stat") != Z ]]; do
    last=$now
    sleep 0.02
done
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "exit status $status instead of 130"
echo "CPU time after the signal: $((last - before))0 ms, at most 2000"
[[ $((last - before)) -le 200 ]] || fail "the program went on for $((last - before))0 ms of CPU time"
expect_text "$scratch/results/summary.json" '"status": "interrupted"'
expect_text "$scratch/results/summary.json" '"what": "job '
for file in stages jobs ports remarks schedule; do
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR == 0 }' \
        "$scratch/results/$file.csv" || fail "$file.csv has a broken row"
done
finish
