#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A scheduler of one's own: a project apart, built against the installed module, selected by name.
# Job 1 moves 2 x 10 MB each way, job 2 twice as much; a full packet of 1460 bytes takes 1538 of a
# 10 Gbps wire. Alone, job 1 needs 4 x 10e6 * 8 / 10e9 * 1538 / 1460 = 33.7 ms and job 2 67.4 ms;
# who goes first needs no more, who goes last waits for the other.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 cmake --install "$DDL_BUILD" --prefix "$scratch/prefix"
expect_status 0 cmake -S "$DDL_HOME/examples/own-scheduler" -B "$scratch/own" -G Ninja \
    -DCMAKE_PREFIX_PATH="$scratch/prefix"
expect_status 0 cmake --build "$scratch/own"
expect_status 0 "$scratch/prefix/bin/ddl-compare" two-jobs-one-link --out="$scratch/results" \
    --plugin="$scratch/own/libown-scheduler.so" --vary=scheduler.network=sptf,longest-first
cat "$scratch/out"

near() { # near FOLDER JOB MILLISECONDS: that job's completion time, within 1 %
    awk -F, -v job="$2" -v want="$3" 'NR > 1 && $1 == job { gap = $10 * 1e3 / want - 1; seen = 1 }
        END { exit !seen || gap > 0.01 || gap < -0.01 }' "$scratch/results/runs/$1/jobs.csv" ||
        fail "$1: job $2 does not take $3 ms: $(cut -d, -f1,10 "$scratch/results/runs/$1/jobs.csv" | tr '\n' ' ')"
}
near network=sptf_seed=1 1 33.71
near network=longest-first_seed=1 2 67.42

# A plugin is told by its content: a new time changes nothing, a new byte makes all runs anew.
plugin=$scratch/own/libown-scheduler.so
again=("$scratch/prefix/bin/ddl-compare" two-jobs-one-link --out="$scratch/results" --resume
    --plugin="$plugin" --vary=scheduler.network=sptf,longest-first)
touch "$plugin"
expect_status 0 "${again[@]}"
[[ $(grep -c 'finished before' "$scratch/err") -eq 2 ]] || fail "finished runs of the same plugin were run again: $(cat "$scratch/err")"
printf x >>"$plugin"
expect_status 0 "${again[@]}"
if grep -q 'finished before' "$scratch/err"; then fail "runs of another plugin were kept"; fi

lists=$("$DDL_BUILD/ddl-list" policies --plugin="$scratch/own/libown-scheduler.so" | grep -c longest-first)
[[ $lists -eq 1 ]] || fail "ddl-list does not know longest-first"
expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --out="$scratch/x" \
    --plugin="$scratch/nowhere.so"
expect_text "$scratch/err" 'nowhere.so'
finish
