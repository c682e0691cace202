#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares `ddl topology --pairs` with readers of the same files that share no code with it.

usage: check-outside-topologies.py PROGRAM FILE...

PROGRAM is build/ddl-topology. Of each FILE (HPCC, SimAI, csg-htsim) this script builds the graph itself,
and compares links and slowest rate between each pair of hosts, and what HPCC's text written by PROGRAM
reads back as. A host with several links is one with a bond, whose own link counts as one more.
Exit status: 0 if all agree.
"""
import subprocess
import sys


def read_hpcc(words, is_simai):
    head = 6 if is_simai else 3
    scale_up = int(words[2]) if is_simai else 0
    nodes, links = int(words[0]), int(words[head - 2 if is_simai else 2])
    count = scale_up + int(words[3]) if is_simai else int(words[1])
    ids = [int(word) for word in words[head:head + count]]
    inside, switches, cables = set(ids[:scale_up]), set(ids), []
    for link in range(links):
        a, b, rate, *_ = words[head + count + 5 * link:head + count + 5 * link + 5]
        assert rate.endswith("Gbps"), rate
        if int(a) not in inside and int(b) not in inside:
            cables.append((int(a), int(b), round(float(rate[:-4]) * 1e9)))
    return [node for node in range(nodes) if node not in switches], cables


def read_htsim(lines):
    head, tiers = {}, []
    for line in lines:
        key, *value = line.split("#")[0].split() or [""]
        if key.lower() == "tier":
            tiers.append({})
        elif key:
            (tiers[-1] if tiers else head)[key.lower()] = int(value[0])
    hosts, pod, cables = head["nodes"], head["podsize"], []
    down, up = tiers[0]["radix_down"], tiers[0]["radix_up"]
    per_pod = up // tiers[1].get("bundle", 1)  # aggregation switches
    speed = [tier["downlink_speed_gbps"] * 10**9 for tier in tiers]
    for host in range(hosts):
        cables.append((host, ("tor", host // down), speed[0]))
    for tor in range(hosts // down):
        for agg in range(per_pod):
            number = tor * down // pod * per_pod + agg if len(tiers) == 3 else agg
            cables.append((("tor", tor), ("agg", number), speed[1]))
    for agg in range(per_pod * (hosts // pod) if len(tiers) == 3 else 0):
        for i in range(tiers[1]["radix_up"] // tiers[2].get("bundle", 1)):
            cables.append((("agg", agg), ("core", agg % per_pod + per_pod * i), speed[2]))
    return list(range(hosts)), cables


def read(path):
    with open(path) as file:
        lines = file.read().splitlines()
    first = lines[0].split()
    if all(word.isdigit() for word in first) and len(first) == 3 or len(first) == 6:
        return read_hpcc(" ".join(lines).split(), len(first) == 6)
    return read_htsim(lines)


def pairs(hosts, cables):
    """(links, rate) by (from, to), numbers of hosts in order"""
    near = {}
    for a, b, rate in cables:
        near.setdefault(a, []).append((b, rate))
        near.setdefault(b, []).append((a, rate))
    number = {host: i for i, host in enumerate(hosts)}
    bond = {host: len(near[host]) > 1 for host in hosts}
    for start in hosts:
        best = {start: (0, sum(rate for _, rate in near[start]) if bond[start] else 10**18)}
        level = [start]
        while level:
            following = {}
            for node in level:
                if node != start and node in number:
                    continue  # hosts forward nothing
                for other, rate in near[node]:
                    if other not in best:
                        following[other] = max(following.get(other, 0), min(rate, best[node][1]))
            steps = best[level[0]][0] + 1
            best.update((node, (steps, rate)) for node, rate in following.items())
            level = list(following)
        for end in hosts:
            if end != start:
                yield (number[start], number[end]), (best[end][0] + bond[start] + bond[end], best[end][1])


def main():
    program, *paths = sys.argv[1:]
    wrong = 0
    for path in paths:
        settings = ["--set=bond=true", "--set=withoutScaleUp=true"]
        ours = {}
        text = subprocess.run([program, path, "--pairs", *settings], check=True, capture_output=True, text=True).stdout
        for line in text.splitlines()[1:]:
            a, b, links, rate = line.split(",")
            ours[int(a[1:]), int(b[1:])] = int(links), int(rate)
        theirs = dict(pairs(*read(path)))
        differ = [pair for pair in theirs if ours.get(pair) != theirs[pair]]
        wrong += bool(differ) or len(ours) != len(theirs)
        print(f"{path}: {len(theirs)} pairs, {len(differ)} differ"
              + (f", {differ[0]}: {ours.get(differ[0])} instead of {theirs[differ[0]]}" if differ else ""))
    sys.exit(1 if wrong else 0)


main()
