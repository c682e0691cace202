#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands that READMEs and doc/ print, as they are printed.
exec python3 "$DDL_HOME/test/check-commands.py"
