#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Memory of a long trace: what a job leaves behind when it is over is a row of results and little more.
# 200 MB for 100,000 jobs, less 25 MB of the program, are 1.75 kB a job; 20,000 jobs show it in seconds.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

if grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null; then
    echo "skipped: a sanitized build keeps what was freed"
    exit 77
fi

jobs=20000
limit=$((25 + jobs * 1750 / 1000000))
# A job every 10 ms, of one GPU and 1 to 3 iterations: it computes, and sends nothing but control messages.
awk -v jobs="$jobs" 'BEGIN { print "job_id,num_gpu,submit_time,iterations,model_name"
    for (id = 1; id <= jobs; ++id) printf "%d,1,%.3f,%d,ResNet152\n", id, id / 100, 1 + id % 3 }' >"$scratch/jobs.csv"
cat >"$scratch/many.json" <<'JSON'
{
  "name": "many", "cluster": {"topology": {"kind": "single-switch", "hosts": 16}, "hosts": {"gpus": 8}},
  "workload": {"trace": "jobs.csv"}, "output": {"alone": false, "figures": false}
}
JSON
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/many.json" --quiet --out="$scratch/many"
rows=$(($(wc -l <"$scratch/many/jobs.csv") - 1))
[[ $rows -eq $jobs ]] || fail "$rows jobs of $jobs are over"
peak=$(sed -n 's/.*"peak_mb": *\([0-9]*\).*/\1/p' "$scratch/many/cost.json")
[[ -n $peak ]] || fail "cost.json has no peak_mb"
echo "$jobs jobs: $peak MB at the peak, at most $limit"
[[ $peak -le $limit ]] || fail "$jobs jobs take $peak MB, more than $limit"
finish
