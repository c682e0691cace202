#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The schema that editors complete from says what the reader of scenarios says.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 python3 "$here/../check-schema.py" "$DDL_BUILD"
cat "$scratch/out"

# A schema that lacks a key, or has a wrong default, is found out.
for edit in 's/"bands": {/"bandss": {/' 's/"default": "100kB"/"default": "10kB"/' \
    's/"enum": \["fifo", /"enum": ["fifi", /'; do
    sed "$edit" "$DDL_HOME/scenarios/scenario.schema.json" >"$scratch/schema.json"
    expect_status 1 python3 "$here/../check-schema.py" "$DDL_BUILD" "$scratch/schema.json"
done
finish
