#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --engine=slurm where the kernel kills what exceeds its memory (cgroups), and where slurmd does: runs are
# asked for again with twice as much, once, then fail by name; the others go on.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
source "$here/engines.bash"
source "$here/slurm.bash"

missing=$(missing_slurm)
[[ -z $missing ]] || { echo "skipped: $missing"; exit 77; }
[[ -w /sys/fs/cgroup/memory/memory.limit_in_bytes || -w /sys/fs/cgroup/memory/cgroup.procs ]] || {
    echo "skipped: no cgroups of version 1 for memory"
    exit 77
}
trap 'stop_slurm; rm -rf -- "$scratch"' EXIT
limit_memory
start_slurm 1
cd "$scratch" || exit 1
compare_small 4,5 2

# Far too little, also when doubled: the option of the user overrides what is asked for.
expect_status 1 "${compare[@]}" --out=starved --engine=slurm --engine-option=--mem=12M
expect_text "$scratch/err" 'was killed, as for too much memory: asked for again with [0-9]+ min and [0-9]+ MiB'
[[ $(grep -c 'failed: .*exit status 137' "$scratch/err") -eq 4 ]] || fail "not four runs failed: $(cat "$scratch/err")"
[[ $(grep -c 'asked for again' "$scratch/err") -eq 4 ]] || fail "not once each: $(cat "$scratch/err")"

# With what is forecast, all is well, after that, too.
expect_status 0 "${compare[@]}" --out=starved --engine=slurm --resume
expect_table starved "with enough memory"
expect_no_files "with enough memory"
finish
