#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A ring of 4,096 workers is planned in no time and in the memory of its ranks, not of its 33 million
# transfers; a signal is heard within 2 s of CPU time while the job begins, writing of the results included.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

if grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null; then
    echo "skipped: a sanitized build takes more time and memory"
    exit 77
fi

cat >"$scratch/ring.json" <<'JSON'
{
  "name": "ring",
  "cluster": {"topology": {"kind": "leaf-spine", "leaves": 64, "hostsPerLeaf": 64, "spines": 8}, "hosts": {"gpus": 1}},
  "transport": {"kind": "fluid"}, "scheduler": {"network": "fair-share"},
  "workload": {"jobs": [{"model": {"name": "m", "bytes": "100MB"}, "workers": 4096, "pattern": "ring", "iterations": 1}]},
  "output": {"alone": false, "figures": false}
}
JSON

# ticks PID: CPU time in 1/100 s, peak PID: memory; nothing when it is gone
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null; }
peak() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null; }

"$DDL_BUILD/ddl-run" "$scratch/ring.json" --quiet --out="$scratch/results" >/dev/null 2>&1 </dev/null &
child=$!
wait_until "$child" "it caught signals" catches_interrupts "$child"
start=$(ticks "$child")
# The network is built, the job is placed, planned and launched, its workers compute and send.
while now=$(ticks "$child") && [[ -n $now && $((now - start)) -lt 600 ]]; do sleep 0.05; done
before=$(ticks "$child")
last=$before
kill -TERM "$child"
while now=$(ticks "$child") && [[ -n $now && $(awk '{ print $3 }' "/proc/$child/stat") != Z ]]; do
    last=$now
    most=$(peak "$child")
    [[ -n $most ]] && memory=$most
    sleep 0.02
done
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "exit status $status instead of 130"
echo "CPU time after the signal: $((last - before))0 ms, at most 2000; peak ${memory:-0} kB, at most 2000000"
[[ $((last - before)) -le 200 ]] || fail "the program went on for $((last - before))0 ms of CPU time"
[[ ${memory:-0} -gt 0 && $memory -le 2000000 ]] || fail "a peak of $memory kB"
expect_text "$scratch/results/summary.json" '"status": "interrupted"'
finish
