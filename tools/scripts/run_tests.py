#!/usr/bin/env python3
"""Runs the test suites and counts.

usage: run_tests.py --build DIR [--package FILE] [--only A,B] [--jobs N]
                    [--sanitize address|thread]

Each suite runs in its own processes, with its output in DIR/logs. A suite that
crashes, hangs, is missing or has no tests is a failure. Last line:
`N passed, N failed, N skipped`. Exit status 0 if nothing failed, 1 if
something did, 2 if the command line was wrong.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import suites

ROOT = pathlib.Path(__file__).resolve().parents[2]

# In this order. Every suite must exist.
SUITES = {
    "layout": suites.layout,
    "bench": suites.bench,
    "headers": suites.headers,
    "unit": suites.unit,
    "lit": suites.lit,
    "e2e": suites.e2e,
    "programs": suites.programs,
    "examples": suites.examples,
    "docs": suites.docs,
    "package": suites.package,
    "python": suites.python,
}

SYMBOLIZER = shutil.which("llvm-symbolizer-22") or ""
SANITIZER_OPTIONS = {
    # LLVM's own libraries are not instrumented. Containers that are passed to
    # or from them look overflowed, and globals look defined twice. The part of
    # an LLVM allocator that is compiled into our code poisons memory, and the
    # part in LLVM does not unpoison it.
    "address": {
        "ASAN_OPTIONS": "allow_user_poisoning=0:"
        "detect_container_overflow=0:detect_odr_violation=0:"
        "detect_leaks=1:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "ASAN_SYMBOLIZER_PATH": SYMBOLIZER,
    },
    "thread": {
        # Tests fork processes, whose threads may start.
        "TSAN_OPTIONS": "allocator_may_return_null=1:die_after_fork=0:"
        f"second_deadlock_stack=1:external_symbolizer_path={SYMBOLIZER}",
    },
}
# AddressSanitizer's stack frames are larger than the compiler's nesting limits
# assume.
SANITIZED_STACK = 64 << 20
SANITIZER_RUNTIME = {"address": "asan", "thread": "tsan"}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--package", type=pathlib.Path)
    parser.add_argument("--only", default="", help="suites, comma-separated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sanitize", choices=SANITIZER_OPTIONS)
    arguments = parser.parse_args()
    wanted = [name for name in arguments.only.split(",") if name]
    for name in wanted:
        if name not in SUITES:
            parser.error(f"no suite '{name}'; the suites are {', '.join(SUITES)}")
    arguments.suites = wanted or list(SUITES)
    return arguments


def sanitizer_runtime(kind: str) -> pathlib.Path | None:
    """The library that an uninstrumented program must preload to load an
    instrumented library."""
    if not kind:
        return None
    folder = subprocess.check_output(
        ["clang++-22", "-print-runtime-dir"], text=True
    )
    name = f"libclang_rt.{SANITIZER_RUNTIME[kind]}-x86_64.so"
    return pathlib.Path(folder.strip()) / name


def enlarge_stack(size: int) -> None:
    """Raises the stack limit of the suites' programs to `size` bytes, or to the
    hard limit if that is lower."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    if soft != resource.RLIM_INFINITY and soft < size:
        resource.setrlimit(resource.RLIMIT_STACK, (size, hard))


def report(name: str, result: suites.Result, seconds: float) -> None:
    """Prints a suite's counts, its reasons for skipping, and its failures."""
    print(
        f"    {name}: {result.passed} passed, {result.failed} failed, "
        f"{result.skipped} skipped in {seconds:.0f} s"
    )
    for reason, count in sorted(result.skip_reasons.items()):
        print(f"    skipped {count}: {reason}")
    for failure, output in result.failures:
        print(f"--- FAILED: {name}: {failure}")
        print(output.rstrip())
        print("---")
    sys.stdout.flush()


def main() -> int:
    arguments = parse_arguments()
    start = float(os.environ.get("KERN_START", time.time()))
    if arguments.sanitize:
        for variable, value in SANITIZER_OPTIONS[arguments.sanitize].items():
            os.environ.setdefault(variable, value)
        enlarge_stack(SANITIZED_STACK)
    context = suites.Context(
        root=ROOT,
        build=arguments.build.resolve(),
        package=arguments.package and arguments.package.resolve(),
        jobs=arguments.jobs,
        preload=sanitizer_runtime(arguments.sanitize),
    )
    context.logs.mkdir(parents=True, exist_ok=True)

    results = {}
    for name in arguments.suites:
        begin = time.time()
        print(f"==> [{begin - start:4.0f} s] testing: {name}", flush=True)
        try:
            result = SUITES[name](context)
        except Exception as error:  # a suite must never end the whole run
            result = suites.Result()
            result.fail("the suite itself", f"{type(error).__name__}: {error}")
        if result.passed + result.failed + result.skipped == 0:
            result.fail("the suite itself", "it has no tests")
        results[name] = result
        report(name, result, time.time() - begin)

    print()
    for name, result in results.items():
        print(
            f"{name:10} {result.passed:6} passed {result.failed:5} failed "
            f"{result.skipped:5} skipped"
        )
    for name, result in results.items():
        for failure, _ in result.failures:
            print(f"FAILED: {name}: {failure}")
    passed = sum(result.passed for result in results.values())
    failed = sum(result.failed for result in results.values())
    skipped = sum(result.skipped for result in results.values())
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
