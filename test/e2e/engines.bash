# SPDX-License-Identifier: GPL-2.0-only
# What the tests of engines share. Sourced after lib.bash, in $scratch.

# write_small: small.json, a scenario of a part of a second
write_small() {
    cat >small.json <<'JSON'
{
  "name": "small",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 1}},
  "transport": {"kind": "rdma"},
  "workload": {"jobs": [{"model": {"bytes": "10MB", "forward": "5ms"}, "workers": 4, "iterations": 20}]},
  "output": {"figures": false}
}
JSON
}

# compare_small VALUES SEEDS: $compare is a comparison of it, and local/ what the local engine makes of that
compare_small() {
    write_small
    compare=("$DDL_BUILD/ddl-compare" small.json "--vary=workload.jobs.0.iterations=$1" "--seeds=$2" --quiet)
    expect_status 0 "${compare[@]}" --out=local
}

runs_of() { # runs_of FOLDER: process numbers of the runs of a comparison
    pgrep -f -- "ddl-run small.json .*--out=$scratch/$1/runs/"
}

ended() { # ended FOLDER COUNT: at least so many runs are over
    [[ $(ls "$1/tasks/ended" 2>/dev/null | wc -l) -ge $2 ]]
}

expect_table() { # expect_table FOLDER WHEN: the table is the local one to the byte
    cmp local/compare.csv "$1/compare.csv" || fail "$2: the table is another one"
}

expect_no_files() { # expect_no_files WHEN: nothing half-written, no state of tasks
    [[ -z $(find . -name '*.part*' -o -name state.json | grep -v slurm/) ]] || fail "$1: files are left"
}

expect_no_runs() { # expect_no_runs WHEN
    [[ -z $(pgrep -f -- "ddl-run small.json .*--out=$scratch") ]] || fail "$1: runs are left"
}
