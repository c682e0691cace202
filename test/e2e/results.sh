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
# keys that write a table if they are true; the others have values below
mapfile -t all < <(python3 -c '
import json, sys
keys = {table.get("writtenWith", "") for table in json.load(open(sys.argv[1]))["resources"]}
print(*(f"{key}=true" for key in sorted(keys - {"output.series"}) if key.startswith("output.")), sep="\n")
' "$scratch/schema.json")
[[ ${#all[@]} -ge 4 ]] || fail "the tables of choice are: ${all[*]}"
all+=(output.alone=false)
run packets quickstart "${all[@]}" output.series=10ms output.alone=true
run fluids preemption "${all[@]}" output.series=60s scheduler.{placement=dally,jobs=nw-sens,estimator=table}
run model llm-one "${all[@]}" workload.jobs.0.iterations=1
run sampled two-jobs-one-link "${all[@]}" fidelity=sampled sampling.error=0.2
expect_status 0 "$DDL_BUILD/ddl-compare" two-jobs-one-link --set=output.alone=false --quiet --seeds=2 \
    --vary=scheduler.network=fair-share,sptf --out="$scratch/compare"
expect_status 0 python3 "${check[@]}" --all "$scratch"/{packets,fluids,model,sampled,compare}
cat "$scratch/out"

# A file that differs is found out.
mkdir "$scratch/wrong"
for edit in '1s/jct_s/jct/' '2s/^/x/' '2s/,[a-z-]*,/,/'; do
    sed "$edit" "$scratch/packets/jobs.csv" >"$scratch/wrong/jobs.csv"
    expect_status 1 python3 "${check[@]}" "$scratch/wrong"
done
sed '1s/^run,seed/seed,run/' "$scratch/compare/compare.csv" >"$scratch/wrong/compare.csv"
rm "$scratch/wrong/jobs.csv"
expect_status 1 python3 "${check[@]}" "$scratch/wrong"

# The recipe of the page, as printed; the means are computed a second time by awk.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import pandas' 2>/dev/null && break
done
if "$python" -c 'import pandas' 2>/dev/null; then
    mkdir "$scratch"/{results,scenarios}
    ln -s "$scratch/packets" "$scratch/results/quickstart"
    cp "$scratch/schema.json" "$scratch/scenarios/results.schema.json"
    sed -n '/^```python/,/^```$/ { /^```/!p }' "$DDL_HOME/doc/results.md" >"$scratch/recipe.py"
    cd "$scratch" || exit 1
    expect_status 0 "$python" recipe.py
    awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        { ++jobs[$at["model"]]; sum[$at["model"]] += $at["jct_s"]; early[$at["model"]] += $at["stopped_early"] }
        END { for (model in jobs) printf "%s %.5f %.5f\n", model, sum[model] / jobs[model], early[model] / jobs[model] }' \
        packets/jobs.csv | sort >expected
    awk 'NF == 3 && $2 ~ /^[0-9.]+$/ { printf "%s %.5f %.5f\n", $1, $2, $3 }' out | sort >printed
    cmp printed expected || fail "the recipe of doc/results.md prints other means: $(cat out)"
else
    echo "recipe of doc/results.md not tried: python3-pandas is not installed"
fi
finish
