#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What a backlog costs, in instructions: ten times as many waiting jobs take at most 12 times as many,
# start-up taken out by a run of one job. Jobs of one worker, which send control messages only, wait for
# 8 GPUs, all from time 0, in the order of srsf, and under --slow of fifo, too.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

few=20
many=$((10 * few))
limit=12

if grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null; then
    echo "skipped: a sanitized build costs what its checks cost"
    exit 77
fi
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 77
fi

for jobs in 1 "$few" "$many"; do
    awk -v jobs="$jobs" 'BEGIN { print "job_id,num_gpu,submit_time,iterations,model_name"
        for (id = 1; id <= jobs; ++id) printf "%d,1,0,%d,ResNet152\n", id, 1 + id % 3 }' \
        >"$scratch/$jobs.csv"
    cat >"$scratch/$jobs.json" <<JSON
{
  "name": "backlog", "cluster": {"topology": {"kind": "single-switch", "hosts": 8}, "hosts": {"gpus": 1}},
  "workload": {"trace": "$jobs.csv"}, "scale": {"model": 0.00002}, "output": {"alone": false, "figures": false}
}
JSON
done

# count JOBS TRANSPORT QUEUE: instructions of one run
count() {
    local run=$scratch/$2-$3-$1
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$run.log" \
        "$DDL_BUILD/ddl-run" "$scratch/$1.json" --quiet --out="$run" --set=transport.kind="$2" \
        --set=scheduler.jobs="$3" >"$run.out" 2>&1 </dev/null || { cat "$run.out" >&2; return 1; }
    sed -n 's/.*I *refs: *//p' "$run.log" | tr -d ,
}

for transport in fluid; do # the queue is the same for all of them
    for queue in srsf ${DDL_TEST_SLOW:+fifo}; do
        one=$(count 1 "$transport" "$queue") && less=$(count "$few" "$transport" "$queue") &&
            more=$(count "$many" "$transport" "$queue") ||
            { fail "$transport, $queue: the run failed"; continue; }
        echo "$transport, $queue: $few jobs $((less - one)), $many jobs $((more - one)) instructions," \
            "$(((more - one) * 10 / (less - one))) tenths as many"
        [[ $((more - one)) -le $((limit * (less - one))) ]] ||
            fail "$transport, $queue: ten times the jobs cost more than $limit times as much"
    done
done
finish
