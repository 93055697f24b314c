#!/usr/bin/env python3
"""Runs the libFuzzer programs, from the corpus kept in test/fuzz/corpus and
the repository's .kern files on.

usage: run.py --build build/fuzz [--seconds N] [--jobs N]
              [Parser] [Formatter] [Specializer] [Compiler]

Build them with `cmake --preset fuzz && cmake --build --preset fuzz`. Inputs that
crash, leak, or take longer than a second per KiB are left in the build's folder
`fuzz`, with the corpus that grows from run to run. Exit status 1 if there is one.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["Parser", "Formatter", "Specializer", "Compiler"]
LONGEST = 4096  # bytes of an input


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1,
                        help="processes of each part")
    parser.add_argument("parts", nargs="*", default=PARTS)
    arguments = parser.parse_args()
    failed = []
    for part in arguments.parts or PARTS:
        folder = arguments.build / "fuzz" / part
        corpus = folder / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        for top in ("examples", "stdlib", "test"):
            for path in (ROOT / top).rglob("*.kern"):
                if path.stat().st_size <= LONGEST:
                    name = "-".join(path.relative_to(ROOT).parts)
                    shutil.copy(path, corpus / name)
        for path in (ROOT / "test" / "fuzz" / "corpus").glob("*"):
            shutil.copy(path, corpus / path.name)
        done = subprocess.run(
            [
                arguments.build.resolve() / "bin" / f"kern_{part}_fuzzer",
                corpus.resolve(),
                f"-artifact_prefix={folder.resolve()}/",
                f"-dict={ROOT / 'test' / 'fuzz' / 'kern.dict'}",
                f"-max_total_time={arguments.seconds}",
                f"-max_len={LONGEST}",
                f"-fork={arguments.jobs}",
                "-timeout=60",  # the programs have a stricter limit
                "-rss_limit_mb=4096",
                "-print_final_stats=1",
            ]
        )
        if done.returncode:
            failed.append(part)
    print("failed:", ", ".join(failed) or "nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
