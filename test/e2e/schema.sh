#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The schemas of scenarios, figures and results, and the tables of keys and of columns in pages, are what the
# descriptions of keys and of result tables make; and the schema of scenarios says what the reader says.
#
# schema.sh --renew writes all of them anew.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

schema=$DDL_HOME/scenarios/scenario.schema.json
pages=(scenario.md results.md reproduce.md)
expect_status 0 "$DDL_BUILD/ddl-list" --schema
cp "$scratch/out" "$scratch/schema.json"
expect_status 0 "$DDL_BUILD/ddl-list" --figure-schema
cp "$scratch/out" "$scratch/figure.schema.json"
expect_status 0 "$DDL_BUILD/ddl-list" --results
cp "$scratch/out" "$scratch/results.schema.json"
for page in "${pages[@]}"; do
    expect_status 0 "$DDL_BUILD/ddl-list" --tables="$DDL_HOME/doc/$page"
    cp "$scratch/out" "$scratch/$page"
done
if [[ ${1:-} == --renew ]]; then
    cp "$scratch/schema.json" "$schema"
    cp "$scratch"/{figure,results}.schema.json "$DDL_HOME/scenarios/"
    cp "${pages[@]/#/$scratch/}" "$DDL_HOME/doc/"
fi

# Other versions of ns-3 have other random variables.
if grep -q '^FIND_PACKAGE_MESSAGE_DETAILS_Ns3:.*\[v3\.37(' "$DDL_BUILD/CMakeCache.txt"; then
    cmp -s "$scratch/schema.json" "$schema" || fail "$schema is out of date: $0 --renew"
    for name in figure results; do
        cmp -s "$scratch/$name.schema.json" "$DDL_HOME/scenarios/$name.schema.json" ||
            fail "$name.schema.json is out of date: $0 --renew"
    done
    for page in "${pages[@]}"; do
        cmp -s "$scratch/$page" "$DDL_HOME/doc/$page" || fail "doc/$page is out of date: $0 --renew"
    done
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
