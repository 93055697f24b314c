"""The test suites that tools/scripts/run_tests.py runs, one function each.

A suite takes the Context and returns a Result. Python suites (test/NAME/run.py)
take `--build DIR --summary FILE` and write FILE as JSON:
  {"passed": 3, "failed": 1, "skipped": 2,
   "skip_reasons": {"no CUDA device": 2},          optional
   "failures": ["what failed", …]}                 optional
"""

import collections
import ctypes
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

SHOWN_LINES = 120
TIME_LIMIT = {
    "unit": 600, "lit": 900, "layout": 120, "bench": 120, "headers": 300,
    "package": 600,
}  # fmt: skip
DEFAULT_TIME_LIMIT = 1500
SANITIZED_SLOWER = 4
LOADING_LIBKERN = {"e2e", "programs"}
# Of python/tests: those whose tests share nothing that they change. One of each part
# of the package, so that they take a minute together.
BY_THREADS = [
    "call_options", "dask", "elementwise", "gufuncs", "guvectorize", "importer", "loops",
    "signatures", "ufunc", "vectorize", "vectorize_source",
]  # fmt: skip


@dataclasses.dataclass
class Context:
    root: pathlib.Path
    build: pathlib.Path
    package: pathlib.Path | None
    jobs: int
    preload: pathlib.Path | None = None  # for Python processes that load libkern

    @property
    def logs(self) -> pathlib.Path:
        return self.build / "logs"


@dataclasses.dataclass
class Result:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    skip_reasons: collections.Counter = dataclasses.field(
        default_factory=collections.Counter
    )
    failures: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def fail(self, name: str, output: str) -> None:
        self.failed += 1
        self.failures.append((name, output))

    def skip(self, reason: str, count: int = 1) -> None:
        self.skipped += count
        self.skip_reasons[reason] += count


def tail(path: pathlib.Path) -> str:
    """The last lines of a log."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    note = [f"(the last {SHOWN_LINES} lines of {path})"]
    if len(lines) > SHOWN_LINES:
        return "\n".join(note + lines[-SHOWN_LINES:])
    return "\n".join(lines)


def environment(context: Context, suite: str) -> dict:
    """The environment of a suite's programs."""
    variables = dict(
        os.environ,
        KERN_SOURCE_DIR=str(context.root),
        KERN_BUILD_DIR=str(context.build),
        KERN_PACKAGE=str(context.package or ""),
    )
    if context.preload and suite in LOADING_LIBKERN:
        variables["LD_PRELOAD"] = str(context.preload)
        # Python frees little of its memory at exit.
        options = variables.get("ASAN_OPTIONS", "")
        variables["ASAN_OPTIONS"] = f"{options}:detect_leaks=0"
    return variables


def run(context: Context, suite: str, name: str, command: list) -> str:
    """Runs a command with its output in a log. Returns "" for exit status 0 or
    1, which the command's own summary explains, else how it ended."""
    limit = TIME_LIMIT.get(suite, DEFAULT_TIME_LIMIT)
    if context.preload:
        limit *= SANITIZED_SLOWER
    with open(log_of(context, name), "wb") as log:
        try:
            status = subprocess.run(
                [str(part) for part in command],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=context.root,
                env=environment(context, suite),
                timeout=limit,
            ).returncode
        except subprocess.TimeoutExpired:
            return f"ran longer than {limit} s"
        except OSError as error:
            return str(error)
    if status < 0:
        return f"crashed with {signal.Signals(-status).name}"
    return "" if status in (0, 1) else f"ended with status {status}"


def log_of(context: Context, name: str) -> pathlib.Path:
    return context.logs / f"{name}.log"


def junit(result: Result, path: pathlib.Path, prefix: str) -> None:
    """Adds the tests of a JUnit file (GoogleTest's and lit's) to a result."""
    for case in ElementTree.parse(path).iter("testcase"):
        name = prefix + case.get("classname", "") + "." + case.get("name", "")
        wrong = case.findall("failure") + case.findall("error")
        skipped = case.find("skipped")
        if wrong:
            texts = (w.text or w.get("message") or "" for w in wrong)
            result.fail(name, "\n".join(texts))
        elif skipped is not None or case.get("status") == "notrun":
            reason = "disabled"
            if skipped is not None:
                reason = skipped.get("message") or skipped.text or reason
            # GoogleTest's message begins with the source location.
            result.skip(reason.strip().splitlines()[-1])
        else:
            result.passed += 1


def one_program(
    context: Context, suite: str, name: str, command: list, report: pathlib.Path
) -> Result:
    """Runs a program that writes `report`, JUnit's XML or our JSON, and reads
    it. A missing report is a failure, and so is a crash or a timeout."""
    result = Result()
    report.unlink(missing_ok=True)
    end = run(context, suite, name, command)
    log = log_of(context, name)
    try:
        if report.suffix == ".xml":
            junit(result, report, f"{name}: ")
        else:
            summary = json.loads(report.read_text(encoding="utf-8"))
            result.passed = int(summary["passed"])
            result.skipped = int(summary["skipped"])
            result.skip_reasons.update(summary.get("skip_reasons", {}))
            for group in summary.get("groups", []):  # the e2e suite's form
                result.skip_reasons.update(why for _, why in group["skips"])
            result.failed = int(summary["failed"])
            if result.failed:
                failures = map(str, summary.get("failures", [])[:20])
                named = "; ".join(failure.split("\n")[0] for failure in failures)
                result.failures.append((named or name, tail(log)))
    except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
        result.fail(name, f"{end or 'no summary'} ({error})\n{tail(log)}")
        return result
    if end:
        result.fail(name, f"{end}\n{tail(log)}")
    return result


def add(total: Result, part: Result) -> None:
    total.passed += part.passed
    total.failed += part.failed
    total.skipped += part.skipped
    total.skip_reasons.update(part.skip_reasons)
    total.failures += part.failures


def unittests(
    context: Context, suite: str, python: str | pathlib.Path = sys.executable
) -> Result:
    """Every test_*.py of test/<suite>."""
    total = Result()
    runner = context.root / "tools" / "scripts" / "unittest_summary.py"
    for test in sorted((context.root / "test" / suite).glob("test_*.py")):
        report = context.logs / f"{suite}-{test.stem}.json"
        command = [python, runner, test, report]
        name = f"{suite}-{test.stem}"
        add(total, one_program(context, suite, name, command, report))
    return total


def python_suite(context: Context, suite: str) -> Result:
    """test/<suite>/run.py."""
    script = context.root / "test" / suite / "run.py"
    report = context.logs / f"{suite}.json"
    command = [sys.executable, script]
    command += ["--build", context.build, "--summary", report]
    if not script.is_file():
        result = Result()
        result.fail(suite, f"{script.relative_to(context.root)} is missing")
        return result
    return one_program(context, suite, suite, command, report)


def layout(context: Context) -> Result:
    return unittests(context, "layout")


def bench(context: Context) -> Result:
    return unittests(context, "bench")


def headers(context: Context) -> Result:
    return unittests(context, "headers")


def unit(context: Context) -> Result:
    """The GoogleTest programs: one for each folder of test/unit, and any other
    program named kern_*_tests."""
    total = Result()
    programs = {path.name for path in (context.build / "bin").glob("kern_*_tests")}
    for folder in (context.root / "test" / "unit").glob("*/CMakeLists.txt"):
        programs.add(f"kern_{folder.parent.name}_tests")
    for name in sorted(programs):
        program = context.build / "bin" / name
        report = context.logs / f"{name}.xml"
        if not program.exists():
            total.fail(name, f"{program} was not built")
            continue
        command = [program, f"--gtest_output=xml:{report}"]
        add(total, one_program(context, "unit", name, command, report))
    return total


def lit(context: Context) -> Result:
    report = context.logs / "lit.xml"
    tools = subprocess.check_output(["llvm-config-22", "--bindir"], text=True)
    command = [pathlib.Path(tools.strip()) / "lit", "-v", "-j", context.jobs]
    command += ["--xunit-xml-output", report, context.build / "test" / "lit"]
    return one_program(context, "lit", "lit", command, report)


def cuda_unavailable() -> str:
    """Why no GPU can be used; "" if one can."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "the driver library libcuda.so.1 is not installed"
    count = ctypes.c_int(0)
    status = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    if status:
        return f"the CUDA driver failed with status {status}"
    return "" if count.value else "the CUDA driver reports no device"


def e2e(context: Context) -> Result:
    """The end-to-end suite on the host, and on the GPU where there is one."""
    total = Result()
    script = context.root / "test" / "e2e" / "run.py"
    why_not = cuda_unavailable()
    for device in ("cpu", "cuda"):
        name = f"e2e-{device}"
        if device == "cuda" and why_not:
            total.skip(f"end to end on the GPU: {why_not}")
            continue
        report = context.logs / f"{name}.json"
        command = [sys.executable, script, "--device", device]
        command += ["--lib", context.build / "lib" / "libkern.so"]
        command += ["--kern", context.build / "bin" / "kern"]
        command += ["--summary", report, "--jobs", context.jobs]
        add(total, one_program(context, "e2e", name, command, report))
    return total


def programs(context: Context) -> Result:
    """Random programs, compared with an evaluation of their syntax trees. The
    seed is fixed, so that a new failure comes from the change under test."""
    total = Result()
    runs = [
        ("programs", "run.py", ["--count", 1000, "--planted", 200]),
        ("programs-half", "run.py", ["--count", 300, "--types", "f16,bf16"]),
        ("programs-narrow", "run.py",
         ["--count", 300, "--types", "bool,i8,u8,i16,u16"]),
        ("programs-gufuncs", "gufuncs.py", ["--count", 600, "--planted", 60]),
        ("programs-arrays", "gufuncs.py",
         ["--kind", "arrays", "--count", 200, "--planted", 40]),
    ]
    if not cuda_unavailable():
        on_gpu = ["--device", "cuda", "--count", 320, "--kern",
                  context.build / "bin" / "kern"]
        runs.append(("programs-gufuncs-cuda", "gufuncs.py", on_gpu))
    for name, file, options in runs:
        script = context.root / "test" / "programs" / file
        report = context.logs / f"{name}.json"
        command = [sys.executable, script, *options, "--json", report]
        command += ["--lib", context.build / "lib" / "libkern.so"]
        command += ["--jobs", context.jobs]
        add(total, one_program(context, "programs", name, command, report))
    return total


def examples(context: Context) -> Result:
    return python_suite(context, "examples")


def docs(context: Context) -> Result:
    """The snippets, then the tests of the site in the Python that builds it."""
    total = python_suite(context, "docs")
    python = context.root / "build" / "docs" / "venv" / "bin" / "python"
    add(total, unittests(context, "docs", python))
    return total


def python(context: Context) -> Result:
    """The Python package's tests, in an environment with the wheels installed, each
    file in one of several processes; then some of them again, each by four threads
    at once."""
    total = Result()
    folder = context.root / "build" / "python"
    if not (folder / "wheels.txt").is_file():
        total.fail("python", "the wheels were not built or not installed")
        return total
    tests = context.root / "python" / "tests"
    threads = [tests / f"test_{name}.py" for name in BY_THREADS]
    for name, options in (
        ("python", [f"--numprocesses={context.jobs}", "--dist=loadfile", tests]),
        ("python-threads", ["--parallel-threads=4", *threads]),
    ):
        report = context.logs / f"{name}.xml"
        command = [folder / "venv" / "bin" / "python", "-m", "pytest", "-q"]
        command += ["-p", "no:cacheprovider", f"--junitxml={report}", *options]
        add(total, one_program(context, "python", name, command, report))
    return total


def package(context: Context) -> Result:
    if context.package is None or not context.package.is_file():
        result = Result()
        result.fail("package", "the release was not built or not packed")
        return result
    return unittests(context, "package")
