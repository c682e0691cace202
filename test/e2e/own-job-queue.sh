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

preemptions=$(sed -n 's/.*"preemptions": *\([0-9]*\).*/\1/p' "$scratch/results/summary.json")
[[ $preemptions -gt 10 ]] || fail "most-waited suspended $preemptions jobs"
rows=$(($(wc -l <"$scratch/results/jobs.csv") - 1))
[[ $rows -eq 80 ]] || fail "$rows jobs of 80 are over"
finish
