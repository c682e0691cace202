#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory of a long run: 20 jobs of 4 ranks contend on one switch under sincronia, which orders coflows as
# they come and go. Ten times the iterations leave ten times the rows and take the same memory, within 10 %.
# A run that is killed in the middle leaves the beginning of the rows it would have written.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

if grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null; then
    echo "skipped: a sanitized build keeps what was freed"
    exit 77
fi

# scenario ITERATIONS: a ring of 4 sends 6 messages of a packet a worker, on all 4 NICs
scenario() {
    python3 - "$1" <<'PY'
import json, sys
jobs = [{"model": {"name": "m", "bytes": "5600B", "forward": "20us", "backward": "30us"}, "workers": 4, "pattern": "ring",
         "iterations": int(sys.argv[1]), "placement": {"workers": [[h, g] for h in range(4)]}} for g in range(20)]
print(json.dumps({"name": "long", "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 20}},
                  "transport": {"kind": "rdma"}, "scheduler": {"network": "sincronia"}, "workload": {"jobs": jobs},
                  "output": {"alone": False, "figures": False, "iterations": True, "coflows": True}}))
PY
}

for iterations in 100 1000; do
    scenario $iterations >"$scratch/$iterations.json"
    expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/$iterations.json" --quiet --out="$scratch/$iterations"
    rows=$(($(wc -l <"$scratch/$iterations/iterations.csv") - 1))
    [[ $rows -eq $((20 * iterations)) ]] || fail "$rows iterations instead of 20 x $iterations"
    [[ $(wc -l <"$scratch/$iterations/coflows.csv") -eq $((rows + 1)) ]] || fail "not a coflow an iteration"
done
peak() { sed -n 's/.*"peak_mb": *\([0-9.]*\).*/\1/p' "$scratch/$1/cost.json"; }
rows() { cat "$scratch/$1"/{remarks,schedule,iterations,coflows}.csv | wc -l; }
echo "100 iterations: $(peak 100) MB, $(rows 100) rows; 1000: $(peak 1000) MB, $(rows 1000) rows"
[[ $(rows 1000) -gt $((8 * $(rows 100))) ]] || fail "ten times the iterations do not leave ten times the rows"
awk -v a="$(peak 100)" -v b="$(peak 1000)" 'BEGIN { exit !(a > 0 && b <= 1.1 * a) }' ||
    fail "1000 iterations take $(peak 1000) MB, 100 take $(peak 100)"

find_rows() { [[ $(wc -l 2>/dev/null <"$1" || echo 0) -gt 1 ]]; }
"$DDL_BUILD/ddl-run" "$scratch/1000.json" --quiet --out="$scratch/killed" >/dev/null 2>&1 </dev/null &
child=$!
for file in remarks schedule iterations; do # until there is something to lose
    wait_until "$child" "$file.csv.part had rows" find_rows "$scratch/killed/$file.csv.part"
done
kill -KILL "$child"
wait "$child" 2>/dev/null
for file in remarks schedule iterations; do
    part=$scratch/killed/$file.csv.part
    [[ $(wc -l <"$part") -gt 1 ]] || fail "$file.csv.part of a killed run has no rows"
    # Up to the byte: a kernel that kills a process may cut its last write, at the end of a page.
    head -c "$(stat -c %s "$part")" "$scratch/1000/$file.csv" | cmp -s - "$part" ||
        fail "$file.csv.part is not how $file.csv begins"
done
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/100.json" --quiet --out="$scratch/killed"
[[ -z $(find "$scratch/killed" -name '*.part') ]] || fail "parts of the killed run are left behind"
for file in stages jobs ports remarks schedule iterations coflows; do
    cmp -s "$scratch/100/$file.csv" "$scratch/killed/$file.csv" || fail "$file.csv differs between equal runs"
done
finish
