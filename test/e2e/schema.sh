#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The schemas of scenarios, figures and results, and the tables of keys and of columns in doc/reference.md,
# are what the descriptions of keys and of result tables make; and the schema of scenarios says what the
# reader says. The README of a figure has at most a screen and a half, and its table of published numbers
# is what figure.json and expected.csv make.
#
# schema.sh --renew writes all of them anew.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

schema=$DDL_HOME/scenarios/scenario.schema.json
reference=$DDL_HOME/doc/reference.md
expect_status 0 "$DDL_BUILD/ddl-list" --schema
cp "$scratch/out" "$scratch/schema.json"
expect_status 0 "$DDL_BUILD/ddl-list" --figure-schema
cp "$scratch/out" "$scratch/figure.schema.json"
expect_status 0 "$DDL_BUILD/ddl-list" --results
cp "$scratch/out" "$scratch/results.schema.json"
expect_status 0 "$DDL_BUILD/ddl-list" --tables="$reference"
cp "$scratch/out" "$scratch/reference.md"
for figure in "$DDL_HOME"/scenarios/*/figure.json; do
    folder=$(dirname -- "$figure")
    name=$(basename -- "$folder")
    lines=$(wc -l <"$folder/README.md")
    ((lines <= 75)) || fail "$folder/README.md has $lines lines; a screen and a half has 75"
    if ! grep -q "^<!-- values of $name -->$" "$folder/README.md"; then
        ! grep -qE '"(published|program)":' "$figure" || fail "$folder/README.md has no table: <!-- values of $name -->"
        continue
    fi
    expect_status 0 "$DDL_BUILD/ddl-list" --tables="$folder/README.md"
    [[ ${1:-} != --renew || ! -s $scratch/out ]] || cp "$scratch/out" "$folder/README.md"
    cmp -s "$scratch/out" "$folder/README.md" || fail "$folder/README.md is out of date: $0 --renew"
done
printf '<!-- keys of scenario -->\n' >"$scratch/endless.md"
expect_status 2 "$DDL_BUILD/ddl-list" --tables="$scratch/endless.md"
expect_text "$scratch/err" "endless.md: the page has no line <!-- end of keys -->"
if [[ ${1:-} == --renew && $failures -eq 0 ]]; then # never from a program that failed
    cp "$scratch/schema.json" "$schema"
    cp "$scratch"/{figure,results}.schema.json "$DDL_HOME/scenarios/"
    cp "$scratch/reference.md" "$reference"
fi

# Other versions of ns-3 have other random variables.
if grep -q '^FIND_PACKAGE_MESSAGE_DETAILS_Ns3:.*\[v3\.37(' "$DDL_BUILD/CMakeCache.txt"; then
    cmp -s "$scratch/schema.json" "$schema" || fail "$schema is out of date: $0 --renew"
    for name in figure results; do
        cmp -s "$scratch/$name.schema.json" "$DDL_HOME/scenarios/$name.schema.json" ||
            fail "$name.schema.json is out of date: $0 --renew"
    done
    cmp -s "$scratch/reference.md" "$reference" || fail "doc/reference.md is out of date: $0 --renew"
fi

if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "skipped: python3-jsonschema is not installed"
    [[ $failures -gt 0 ]] || exit 77
    finish
fi
expect_status 0 python3 -W ignore "$here/../check-schema.py" "$DDL_BUILD"
cat "$scratch/out"

# A schema that lacks a key, or takes too much, is found out.
for edit in 's/"bands": {/"bandss": {/' 's/"maximum": 9000/"maximum": 90000/' \
    's/"ranked",/"never", "ranked",/'; do
    sed "$edit" "$schema" >"$scratch/schema.json"
    expect_status 1 python3 -W ignore "$here/../check-schema.py" "$DDL_BUILD" "$scratch/schema.json"
done
for edit in 's/"minItems": 1/"minItems": 0/' 's/"pattern": /"title": /' 's/"factor": {/"factors": {/'; do
    sed "$edit" "$scratch/figure.schema.json" >"$scratch/wrong.json"
    expect_status 1 python3 -W ignore "$here/../check-schema.py" "$DDL_BUILD" "$schema" "$scratch/wrong.json"
done
finish
