#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The CSV files of results are what `ddl list --results` says: columns, types, which cells may be empty.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

check=("$here/../check-results.py" "$scratch/schema.json")
expect_status 0 "$DDL_BUILD/ddl-list" --results
cp "$scratch/out" "$scratch/schema.json"

# run FOLDER SCENARIO [SETTING]...
run() {
    local folder=$1 scenario=$2
    shift 2
    expect_status 0 "$DDL_BUILD/ddl-run" "$scenario" --quiet --out="$scratch/$folder" \
        --set=output.figures=false "${@/#/--set=}"
}
all=(output.{iterations,coflows,waits,timers}=true output.alone=false)
run packets quickstart "${all[@]}" output.series=10ms output.alone=true
run fluids preemption "${all[@]}" output.series=60s scheduler.{placement=dally,jobs=nw-sens,estimator=table}
run sampled two-jobs-one-link "${all[@]}" fidelity=sampled
expect_status 0 python3 "${check[@]}" --all "$scratch"/{packets,fluids,sampled}
cat "$scratch/out"

# A file that differs is found out.
mkdir "$scratch/wrong"
for edit in '1s/jct_s/jct/' '2s/^/x/' '2s/,[a-z-]*,/,/'; do
    sed "$edit" "$scratch/packets/jobs.csv" >"$scratch/wrong/jobs.csv"
    expect_status 1 python3 "${check[@]}" "$scratch/wrong"
done
finish
