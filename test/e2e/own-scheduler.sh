#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A scheduler of one's own: a project apart, built against the installed module, selected by name.
# Job 1 moves 2 x 10 MB each way, job 2 twice as much; a full packet of 8960 bytes takes 9038 of a
# 10 Gbps wire. Alone, job 1 needs 4 x 10e6 * 8 / 10e9 * 9038 / 8960 = 32.3 ms and job 2 64.6 ms;
# who goes first needs no more, who goes last waits for the other.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 cmake --install "$DDL_BUILD" --prefix "$scratch/prefix"
expect_status 0 cmake -S "$DDL_HOME/examples/own-scheduler" -B "$scratch/own" -G Ninja \
    -DCMAKE_PREFIX_PATH="$scratch/prefix"
expect_status 0 cmake --build "$scratch/own"
plugin=$scratch/own/libown-scheduler.so
compare=("$scratch/prefix/bin/ddl-compare" two-jobs-one-link --out="$scratch/results" --plugin="$plugin"
    --vary=scheduler.network=sptf,longest-first --set=transport.mtu=9000 --set=output.alone=false)
expect_status 0 "${compare[@]}"
cat "$scratch/out"

near() { # near FOLDER JOB MILLISECONDS: that job's completion time, within 1 %
    awk -F, -v job="$2" -v want="$3" 'NR > 1 && $1 == job { gap = $10 * 1e3 / want - 1; seen = 1 }
        END { exit !seen || gap > 0.01 || gap < -0.01 }' "$scratch/results/runs/$1/jobs.csv" ||
        fail "$1: job $2 does not take $3 ms: $(cut -d, -f1,10 "$scratch/results/runs/$1/jobs.csv" | tr '\n' ' ')"
}
near network=sptf_seed=1 1 32.28
near network=longest-first_seed=1 2 64.56

# A plugin is told by its content: a new time changes nothing, a new byte makes all runs anew.
touch "$plugin"
expect_status 0 "${compare[@]}" --resume
[[ $(grep -c 'finished before' "$scratch/err") -eq 2 ]] || fail "finished runs of the same plugin were run again: $(cat "$scratch/err")"
printf x >>"$plugin"
expect_status 0 "${compare[@]}" --resume
if grep -q 'finished before' "$scratch/err"; then fail "runs of another plugin were kept"; fi

lists=$("$DDL_BUILD/ddl-list" policies --plugin="$scratch/own/libown-scheduler.so" | grep -c longest-first)
[[ $lists -eq 1 ]] || fail "ddl-list does not know longest-first"
expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --out="$scratch/x" \
    --plugin="$scratch/nowhere.so"
expect_text "$scratch/err" 'nowhere.so'
finish
