#!/usr/bin/env python3
"""Says what part of a folder's lines the tests have run, and which lines they have not.

Reads the JSON file that `swift test --enable-code-coverage` leaves behind. Fails under a minimum.
"""

import argparse
import json
import os
import sys

# What a segment in the file says, in this order.
LINE, COLUMN, COUNT, HAS_COUNT, IS_REGION_ENTRY, IS_GAP_REGION = range(6)


def line_counts(segments):
    """Returns how often each line with code was run, by the rules of llvm-cov."""
    by_line = {}
    for segment in segments:
        by_line.setdefault(segment[LINE], []).append(segment)
    counts = {}
    wrapped = None  # The segment that reaches into the line from an earlier one.
    if not by_line:
        return counts
    for line in range(min(by_line), max(by_line) + 1):
        here = by_line.get(line, [])
        starts = [s for s in here if s[HAS_COUNT] and s[IS_REGION_ENTRY] and not s[IS_GAP_REGION]]
        skipped = bool(here) and not here[0][HAS_COUNT] and here[0][IS_REGION_ENTRY]
        if not skipped and (starts or (wrapped and wrapped[HAS_COUNT])):
            candidates = [s[COUNT] for s in starts]
            if wrapped and wrapped[HAS_COUNT]:
                candidates.append(wrapped[COUNT])
            counts[line] = max(candidates)
        if here:
            wrapped = here[-1]
    return counts


def ranges(uncovered, known):
    """Writes lines as `3`, or `3-7` where no covered line stands between."""
    result = []
    for line in sorted(uncovered):
        if result and not any(known[i] for i in range(result[-1][1], line) if i in known):
            result[-1][1] = line
        else:
            result.append([line, line])
    return [f"{a}" if a == b else f"{a}-{b}" for a, b in result]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minimum", type=float, required=True, help="in per cent")
    parser.add_argument("--folder", required=True)
    parser.add_argument("report")
    options = parser.parse_args()

    folder = os.path.realpath(options.folder) + os.sep
    with open(options.report, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    files = sorted(
        (f for f in files if os.path.realpath(f["filename"]).startswith(folder)),
        key=lambda f: f["filename"],
    )
    total = covered = 0
    for file in files:
        counts = line_counts(file["segments"])
        uncovered = [line for line, count in counts.items() if count == 0]
        total += len(counts)
        covered += len(counts) - len(uncovered)
        name = os.path.relpath(file["filename"])
        for lines in ranges(uncovered, counts):
            print(f"{name}:{lines}: not run")
    measured = {os.path.realpath(f["filename"]) for f in files}
    if not total:
        sys.exit(f"the report knows no line of {options.folder}")
    percent = 100 * covered / total
    print(f"{covered} of {total} lines in {len(measured)} files: {percent:.2f} %")
    if percent < options.minimum:
        sys.exit(f"less than {options.minimum:g} %")


main()
