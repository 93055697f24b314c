#!/usr/bin/env python3
"""Assembles PTX for every GPU that Kern supports.

usage: ptxas_all.py PTXAS FILE...

A file with `.target sm_90` is assembled for sm_90 and later. If one does not
assemble, prints ptxas' message; the exit status is 1.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

ARCHITECTURES = (75, 80, 90, 100, 103, 110, 120)


def assemble(ptxas: str, path: str, architecture: int) -> str:
    """ptxas' error message for one file and one GPU; "" if it assembles."""
    done = subprocess.run(
        [ptxas, f"-arch=sm_{architecture}", "-o", os.devnull, path],
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        return ""
    return f"{path}: sm_{architecture}: {done.stdout}{done.stderr}"


def main() -> int:
    ptxas, paths = sys.argv[1], sys.argv[2:]
    jobs = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            target = re.search(r"^\.target\s+sm_(\d+)", file.read(), re.M)
        if not target:
            print(f"{path}: no .target line", file=sys.stderr)
            return 1
        least = int(target[1])
        jobs += [(path, a) for a in {*ARCHITECTURES, least} if a >= least]
    if not jobs:
        print("ptxas_all.py: no files", file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(pool.map(lambda job: assemble(ptxas, *job), jobs))
    print("".join(complaints), end="", file=sys.stderr)
    return 1 if any(complaints) else 0


if __name__ == "__main__":
    sys.exit(main())
