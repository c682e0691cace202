#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands that READMEs and doc/ print, as they are printed; and where their links lead.
python3 "$DDL_HOME/test/check-links.py" || exit 1
exec python3 "$DDL_HOME/test/check-commands.py"
