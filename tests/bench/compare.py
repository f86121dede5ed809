#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Inversight developers
"""Prints the table of ./dev bench: how long we take for a file, beside what others take for it.

compare.py BIN DATA [RUNS]: BIN holds bench_load and the others, DATA the files mix-*.dat. Both sides
of a row run in turn, RUNS times (7), after one run each that is not counted and warms the page cache.
A ratio is the median of the pairs' ratios, for a shared machine's speed drifts from pair to pair.
"""
import os
import re
import statistics
import subprocess
import sys
import time

BIN, DATA = sys.argv[1], sys.argv[2]
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 7


def values(command):
    """The "name value" lines that a program printed."""
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(line.split(None, 1) for line in out.splitlines() if " " in line)


def timed_inside(*command):
    return lambda: float(values(command)["seconds"])


def timed_outside(*command):
    def run():
        begin = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.monotonic() - begin
    return run


def pairs(ours, theirs, runs):
    ours(), theirs()
    return [(ours(), theirs()) for _ in range(runs)]


def row(what, ours, theirs, bar, runs=RUNS):
    found = pairs(ours, theirs, runs)
    ratio = statistics.median(a / b for a, b in found)
    mine = statistics.median(a for a, _ in found)
    other = statistics.median(b for _, b in found)
    print(f"{what:<58} {mine:8.3f} s {other:8.3f} s  {ratio:6.3f} x   {bar}", flush=True)


def load(name):
    return timed_inside(f"{BIN}/bench_load", f"{DATA}/{name}")


def check_digests(name):
    ours = values([f"{BIN}/bench_load", f"{DATA}/{name}", "--digest"])["digest"]
    theirs = values([f"{BIN}/bench_tracecmd", f"{DATA}/{name}", "--digest"])["digest"]
    print(f"digest of all fields, {name}: ours {ours}, libtracecmd's {theirs}")
    if ours != theirs:
        sys.exit("the digests differ: the two readers did not read the same")


def main():
    sizes = sorted(int(m.group(1)) for m in
                   (re.fullmatch(r"mix-(\d+)m\.dat", f) for f in os.listdir(DATA)) if m)
    largest, smallest = f"mix-{sizes[-1]}m.dat", f"mix-{sizes[0]}m.dat"
    check_digests(largest)
    facts = values([f"{BIN}/bench_load", f"{DATA}/{largest}"])
    events = int(facts["events"])
    print(f"{largest}: {events} events; anonymous memory after load: "
          f"{int(facts['anonymous_bytes']) / events:.1f} bytes an event (bar 40)\n")

    print(f"{'median of ' + str(RUNS) + ' pairs':<58} {'ours':>10} {'theirs':>10}  {'ratio':>8}   bar")
    tracecmd = timed_inside(f"{BIN}/bench_tracecmd", f"{DATA}/{largest}")
    row("load v6 / libtracecmd's bare iteration", load(largest), tracecmd, "0.5")
    zstd = "mix-v7-zstd.dat"
    row("load v7 zstd / libtracecmd's bare iteration", load(zstd),
        timed_inside(f"{BIN}/bench_tracecmd", f"{DATA}/{zstd}"), "0.7")
    row("load v6 / libkshark's kshark_load_entries", load(largest),
        timed_inside(f"{BIN}/bench_kshark", f"{DATA}/{largest}"), "-", min(RUNS, 3))
    report = timed_outside("trace-cmd", "report", "-i", f"{DATA}/{smallest}")
    row(f"load v6 / trace-cmd report, {smallest}", load(smallest), report, "-", min(RUNS, 3))
    row(f"load text / trace-cmd report that wrote it, {smallest}", load("mix.txt"), report, "0.15",
        min(RUNS, 3))

    print("\ntime grows with events:")
    for size in sizes:
        run = load(f"mix-{size}m.dat")
        run()
        count = int(values([f"{BIN}/bench_load", f"{DATA}/mix-{size}m.dat"])["events"])
        seconds = statistics.median(run() for _ in range(RUNS))
        print(f"  {count:>9} events {seconds:8.3f} s  {seconds / count * 1e9:6.1f} ns an event", flush=True)


main()
