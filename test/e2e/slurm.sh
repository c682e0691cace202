#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --engine=slurm on two nodes of a real Slurm: a task that somebody cancels, one that is killed
# for its time, a run that the system kills, a node that goes down, an interruption, --detach, and an
# allocation. The table is the local one to the byte, and nothing is left running.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
source "$here/engines.bash"
source "$here/slurm.bash"

missing=$(missing_slurm)
[[ -z $missing ]] || { echo "skipped: $missing"; exit 77; }
trap 'stop_slurm; rm -rf -- "$scratch"' EXIT
start_slurm 2
cd "$scratch" || exit 1

compare_small 12,13,14,15 24

runs_on() { # runs_on NODE FOLDER: those on a node
    local process
    for process in $(runs_of "$2"); do
        grep -qzx "SLURMD_NODENAME=$1" "/proc/$process/environ" 2>/dev/null && echo "$process"
    done
}
parent() {
    ps -o ppid= "$1" | tr -d ' '
}
lose_node() { # lose_node NODE FOLDER: it has no power, so slurmd, the tasks and their runs are gone
    local process lost=("$(cat "$slurm/$1.process")")
    for process in $(runs_on "$1" "$2"); do
        lost+=("$(parent "$(parent "$process")")" "$(parent "$process")" "$process")
    done
    kill -KILL "${lost[@]}"
    scontrol update "nodename=$1" state=down reason=test
}
expect_nothing_left() { # expect_nothing_left WHEN
    [[ -z $(squeue --noheader --name=ddl) ]] || fail "$1: jobs are left: $(squeue --noheader)"
    expect_no_runs "$1"
    expect_no_files "$1"
}

# In one go; no array is longer than MaxArraySize allows.
expect_status 0 "${compare[@]}" --out=whole --engine=slurm --jobs=10
expect_table whole "in one go"
expect_nothing_left "in one go"

# Everything that can go wrong.
"${compare[@]}" --out=bad --engine=slurm --jobs=12 >out 2>err </dev/null &
child=$!
wait_until "$child" "four runs were under way" eval '[[ $(runs_on n1 bad | wc -l) -eq 2 && $(runs_on n2 bad | wc -l) -eq 2 ]]'
stopped=$(runs_on n1 bad | head -n 1) # its task will take too long
kill -STOP "$stopped"
task=$(tr '\0' '\n' <"/proc/$(parent "$stopped")/environ" |
    awk -F= '$1 == "SLURM_ARRAY_JOB_ID" { job = $2 } $1 == "SLURM_ARRAY_TASK_ID" { index_ = $2 }
             END { print job "_" index_ }')
scontrol update "jobid=$task" timelimit=1 || fail "cannot change the time of $task"
kill -KILL "$(runs_on n1 bad | grep -vx "$stopped" | head -n 1)"
cancelled=$(squeue --noheader --array --states=PENDING --format=%i | tail -n 1)
scancel "$cancelled"
wait_until "$child" "some runs were over" ended bad 30
lose_node n2 bad
wait "$child"
status=$?
[[ $status -eq 1 ]] || fail "a comparison with a cancelled task ends with $status"
expect_text err "task $task was killed for its time: asked for again with [0-9]+ min"
expect_text err 'was killed, as for too much memory: asked for again'
expect_text err "run .* failed: its task $cancelled was cancelled"
rows=$(column bad/compare.csv jct_s | grep -c .)
[[ $rows -ge 80 && $rows -lt 96 ]] || fail "$rows of 96 rows have results"
expect_status 0 "${compare[@]}" --out=bad --engine=slurm --jobs=12 --resume
expect_table bad "after all that"
expect_nothing_left "after all that"
start_node n2
wait_until "${slurm_daemons[1]}" "the node was back" nodes_idle

# Ctrl-C cancels what was submitted.
"${compare[@]}" --out=stopped --engine=slurm --jobs=4 >out 2>err </dev/null &
child=$!
wait_until "$child" "runs were over" ended stopped 5
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "an interrupted comparison ends with $status"
expect_nothing_left "after Ctrl-C"
rows=$(column stopped/compare.csv jct_s | grep -c .)
[[ $rows -ge 5 ]] || fail "$rows rows were kept"

# --detach leaves it, --resume collects, and without it a second call does not disturb the first.
expect_status 0 "${compare[@]}" --out=stopped --engine=slurm --jobs=4 --resume --detach
expect_text "$scratch/err" 'submitted: [1-4] tasks .*--resume collects'
expect_status 1 "${compare[@]}" --out=stopped --engine=slurm --jobs=4
expect_text "$scratch/err" 'under way .*--resume collects them'
expect_status 1 "${compare[@]}" --out=stopped --resume # local
expect_text "$scratch/err" 'has submitted these runs to slurm .*with --resume, collects them'
expect_status 1 salloc --quiet --nodes=1 --ntasks=1 "${compare[@]}" --out=stopped --engine=slurm --resume
expect_text "$scratch/err" 'has submitted these runs to slurm .*with --resume, collects them'
expect_status 0 "${compare[@]}" --out=stopped --engine=slurm --jobs=4 --resume
expect_table stopped "collected"
expect_nothing_left "after --detach"

# sbatch refuses: its own words, and nothing is left.
expect_status 1 "${compare[@]}" --out=refused --engine=slurm --partition=nowhere
expect_text "$scratch/err" 'sbatch refuses the tasks: .*[Ii]nvalid partition'
expect_status 1 "${compare[@]}" --out=refused --engine=slurm --engine-option=--no-such-option
expect_text "$scratch/err" 'sbatch refuses the tasks: .*no-such-option'
expect_nothing_left "after a refusal"

# In an allocation, steps of it.
expect_status 0 salloc --quiet --nodes=2 --ntasks=4 --mem=4000 \
    "${compare[@]}" --out=allocated --engine=slurm
expect_table allocated "in an allocation"
expect_nothing_left "in an allocation"
finish
