#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads the CSV files of results by the schema of `ddl list --results` (a Frictionless data package).

Every file must have the columns of its table, in their order, and cells of their types; a required
column has no empty cell. A table with "moreColumns" may have more columns. With
--all, every table of the package must be in some folder, with a row.

usage: check-results.py SCHEMA [--all] FOLDER...        exit status 0: they agree; 1: they do not
"""
import csv
import json
import math
import pathlib
import sys

problems = []


def read_cell(field, text):
    """Returns the value of a cell; None if it is missing. Raises ValueError if it is of another type."""
    kind = field["type"]
    if text == "":
        if field.get("constraints", {}).get("required"):
            raise ValueError("is empty")
        return None
    if kind == "string":
        return text
    if kind == "boolean":
        if text not in field["trueValues"] + field["falseValues"]:
            raise ValueError(f"is no boolean: {text}")
        return text in field["trueValues"]
    if kind == "integer":
        return int(text)
    if kind == "number" and math.isfinite(float(text)):
        return float(text)
    raise ValueError(f"is no {kind}: {text}")


def read_table(resource, path):
    """Returns the number of rows."""
    fields = resource["schema"]["fields"]
    count = 0
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows)
        named = {field["name"]: field for field in fields}
        known = [name for name in header if name in named]
        if known != list(named) or (known != header and "moreColumns" not in resource):
            problems.append(f"{path}: columns {header}")
            return 0
        for row in rows:
            count += 1
            if len(row) != len(header):
                problems.append(f"{path}:{rows.line_num}: {len(row)} cells")
                continue
            for name, text in zip(header, row):
                try:
                    if name in named:
                        read_cell(named[name], text)
                except ValueError as error:
                    problems.append(f"{path}:{rows.line_num}: {name} {error}")
    return count


with open(sys.argv[1], encoding="utf-8") as package_file:
    package = json.load(package_file)
folders = [pathlib.Path(folder) for folder in sys.argv[2:] if folder != "--all"]
files = total = 0
for table in package["resources"]:
    for field in table["schema"]["fields"]:
        if not field["title"] or not field["description"].startswith(field["title"]):
            problems.append(f"{table['name']}: {field['name']} has no title")
    found = [folder / table["path"] for folder in folders if (folder / table["path"]).exists()]
    lines = sum(read_table(table, path) for path in found)
    if "--all" in sys.argv and lines == 0:
        problems.append(f"no folder has a row of {table['path']}")
    files += len(found)
    total += lines
for problem in problems[:20]:
    print(problem)
print(f"{files} files, {total} rows, {len(problems)} problems")
sys.exit(1 if problems or files == 0 else 0)
