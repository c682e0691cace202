#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# One page of a run, of a comparison and of several results: well-formed, whole in itself, whatever
# names say; and what is said of folders without results. Where chromium is installed, the page opens
# in it without an error and without a request.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# check_page FILE WORD...: HTML whose elements are closed, that loads nothing and has these words
check_page() {
    python3 - "$@" <<'PYTHON' || fail "$1 is not as it must be"
import html.parser
import sys

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.text, self.raw = [], [], "", []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "action", "data", "poster") and not value.startswith(("#", "data:,")):
                self.faults.append(f"<{tag} {name}={value}> loads something")
            if name.startswith("on"):
                self.faults.append(f"<{tag} {name}> runs something")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data):
        self.text += data


page = open(sys.argv[1], encoding="utf-8").read()
checker = Checker()
checker.feed(page)
checker.close()
faults = checker.faults + [f"<{tag}> is open" for tag in checker.open]
faults += [f"no '{word}'" for word in sys.argv[2:] if word not in checker.text]
if len(page.encode()) > 5e6:
    faults.append("more than 5 MB")
if "<th></th>" in page:
    faults.append("a column's name is empty, which a screen reader would read")
print("\n".join(faults), file=sys.stderr)
sys.exit(1 if faults else 0)
PYTHON
}

# open_page FILE: in chromium, if there is one
open_page() {
    command -v chromium >/dev/null || { echo "no chromium: $1 was not opened"; return; }
    timeout 120 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr \
        --user-data-dir="$scratch/browser" --virtual-time-budget=3000 --dump-dom "file://$1" \
        >"$scratch/dom" 2>"$scratch/log" || fail "chromium did not open $1"
    grep -E 'CONSOLE|Refused to' "$scratch/log" && fail "$1 has errors in chromium"
    grep -q '<svg viewBox' "$scratch/dom" || fail "$1 draws nothing"
}

# check_network FOLDER: the drawing of the network on the page has each link of the run's topology in both
# directions, and the bytes of ports.csv, over the run and, up to rounding, in the sum of the intervals; its jobs have the
# links of paths.csv
check_network() {
    "$DDL_BUILD/ddl-topology" two-jobs-one-link >"$scratch/topology" || fail "no topology"
    python3 - "$1" "$scratch/topology" <<'PYTHON' || fail "$1: the page draws another network"
import collections
import csv
import json
import re
import sys

page = open(sys.argv[1] + "/report.html", encoding="utf-8").read()
charts = [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)]
[panel] = [panel for chart in charts for panel in chart["panels"] if panel["kind"] == "network"]
cables = int(re.search(r"cables: +(\d+)", open(sys.argv[2]).read()).group(1))
assert len(panel["wires"]) == 2 * cables, (len(panel["wires"]), cables)
sent = collections.Counter()
for row in csv.DictReader(open(sys.argv[1] + "/ports.csv")):
    sent[f"{row['node']} to {row['peer']}"] += int(row["bytes"])
for _, _, name, _, rate, used, total, queues, _, _, used_over, bytes_over in panel["wires"]:
    assert rate > 0 and 0 <= used <= 1, name
    assert abs(total - sent[name]) <= 1e-5 * total and abs(sum(b for _, b in queues) - sent[name]) <= 1e-5 * total, name
    assert abs(sum(bytes_over) - sent[name]) <= 1e-3 * total, (name, sum(bytes_over), sent[name])
    assert len(used_over) == len(bytes_over) == len(panel["times"]) > 1 and all(-1 <= u <= 1000 for u in used_over), name
assert sum(sent.values()) > 0
listed = collections.defaultdict(set)
for row in csv.DictReader(open(sys.argv[1] + "/paths.csv")):
    listed["job " + row["job_id"]].add(f"{row['node']} to {row['peer']}")
jobs = {name: {panel["wires"][w][2] for w in wires} for name, _, wires in panel["jobs"]}
assert jobs == listed and len(jobs) == 2 and all(len(links) >= 2 for links in jobs.values()), (jobs, listed)
assert all(links == len(wires) for _, links, wires in panel["jobs"]), panel["jobs"]
down = sum(u == -1 for wire in panel["wires"] for u in wire[10])
assert (down > 0) == sys.argv[1].endswith("/down"), down
PYTHON
}

# In both themes words stand out from what is around them by 4.5:1 and edges of boxes by 3:1 (WCAG 2.1).
# In boxes of any colour that is the halo of paper; an edge is 60 % of the box's colour and 40 % of the ink.
python3 - "$DDL_HOME/app/page/ddl-page.css" <<'PYTHON' || fail "the page has too little contrast"
import re
import sys

css = open(sys.argv[1]).read()


def channels(colour):
    return [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


faults = []
for theme in re.findall(r"--paper: .*?}", css, re.S):
    colours = {name: channels(value) for name, value in re.findall(r"--(\w[\w-]*): (#[0-9a-f]{6})", theme)}
    paper, ink = colours["paper"], colours["ink"]
    for name, ground, least in [("ink", "paper", 4.5), ("soft", "paper", 4.5), ("soft", "raised", 4.5), ("good", "good-back", 4.5),
                                ("bad", "bad-back", 4.5), ("open", "open-back", 4.5), ("link", "paper", 4.5), ("mark", "paper", 3)]:
        if contrast(colours[name], colours[ground]) < least:
            faults.append(f"{name} on {ground}: {contrast(colours[name], colours[ground]):.2f}:1")
    for name in ["c0", "c1", "c2", "c3", "c4", "c5", "box6"]:
        edge = [0.6 * own + 0.4 * other for own, other in zip(colours[name], ink)]
        if contrast(edge, paper) < 3:
            faults.append(f"edge of {name}: {contrast(edge, paper):.2f}:1")
inside = re.search(r"svg text\.inside \{(.*?)\}", css, re.S).group(1)
if not all(part in inside for part in ("fill: var(--ink)", "stroke: var(--paper)", "paint-order: stroke")):
    faults.append("words in boxes have no halo")
print("\n".join(faults), file=sys.stderr)
sys.exit(1 if faults else 0)
PYTHON

text='</script><script>alert(1)</script><img src=x onerror=alert(2)>'
quick=(--quiet --set=output.alone=false --set=output.series=100us --set=output.paths=true --set=transport.mtu=9000)
expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link "${quick[@]}" --set=description="$text" --out="$scratch/run"
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/run"
grep -qxF "$scratch/run/report.html" "$scratch/out" || fail "the path of the page is not printed"
check_page "$scratch/run/report.html" "$text" 'job completion time' 'Throughput of jobs' \
    'Jobs on GPUs over time' 'series.csv' 'cpu_s' 'identity.build'
open_page "$scratch/run/report.html"
check_network "$scratch/run"
cp "$scratch/run/report.html" "$scratch/first.html"
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/run"
cmp -s "$scratch/run/report.html" "$scratch/first.html" || fail "two pages of one run differ"

# fluids, and a link that is down for a while
expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link "${quick[@]}" --set=transport.kind=fluid --out="$scratch/down" \
    --set='cluster.links=[{"at": "5ms", "between": ["h2", "switch0"], "up": false}, {"at": "9ms", "between": ["h2", "switch0"], "up": true}]'
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/down"
check_network "$scratch/down"
open_page "$scratch/down/report.html"

compare=("$DDL_BUILD/ddl-compare" two-jobs-one-link --set=output.alone=false --set=transport.mtu=9000 --seeds=2
    --vary=scheduler.network=fair-share,sptf --out="$scratch/compare" --resume)
expect_status 0 "${compare[@]}"
grep -q 'ddl report' "$scratch/out" && fail "the page is offered though nobody looks"
script -qec "${compare[*]}" /dev/null >"$scratch/out" || fail "no comparison on a terminal"
expect_text "$scratch/out" "^Results: .*  \(a page of them: ./ddl report $scratch/compare\)"
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/compare" --out="$scratch/new/page.html"
check_page "$scratch/new/page.html" 'scheduler.network = fair-share, sptf' '4 of 4' 'sptf' \
    'in brackets the ratio to scheduler.network=fair-share' 'Means relative to fair-share'
open_page "$scratch/new/page.html"
grep -q '<button title="[^"]*" aria-pressed="true">' "$scratch/dom" || ! command -v chromium >/dev/null ||
    fail "legends do not say which series are shown"
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/run" "$scratch/compare/runs/network=sptf_seed=1"
check_page "$scratch/run/report.html" 'In brackets the ratio to'

# a run whose file was cut, and one that was interrupted, have a page that says so
echo >"$scratch/run/jobs.csv"
expect_status 0 "$DDL_BUILD/ddl-report" "$scratch/run"
check_page "$scratch/run/report.html" 'files are missing or cut' 'No figure cdf-jct'

mkdir "$scratch/empty" "$scratch/writing"
echo job_id >"$scratch/writing/jobs.csv.part"
expect_status 2 "$DDL_BUILD/ddl-report" "$scratch/empty" "$scratch/writing" "$scratch/none"
expect_text "$scratch/err" 'empty: has no results'
expect_text "$scratch/err" 'writing: a run is still writing here'
expect_text "$scratch/err" 'none: does not exist'
expect_status 2 "$DDL_BUILD/ddl-report"
expect_status 2 "$DDL_BUILD/ddl-report" "$scratch/run" --out="$scratch/empty"
expect_status 1 "$DDL_BUILD/ddl-report" "$scratch/run" --out="$scratch/first.html/page.html"
if [[ -w /dev/full && $EUID -eq 0 ]] && mkdir "$scratch/full" && mount -t tmpfs -o size=16k tmpfs "$scratch/full" 2>/dev/null; then
    expect_status 1 "$DDL_BUILD/ddl-report" "$scratch/run" --out="$scratch/full/page.html"
    [[ ! -e $scratch/full/page.html ]] || fail "a page was cut"
    umount "$scratch/full"
fi
finish
