"""kern.trace: what is told of, by which thread, and that nothing is told without."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

import kern
import numpy as np
import pytest


def steps(told, *kinds):
    return [
        (one.kind, one.step, one.name) for one in told.events if one.kind in kinds
    ]


def fresh(name):
    """A function that no test has compiled."""
    body = f"return x * x + {time.time_ns()}"
    return f"ufunc {name}(x: T) -> T where T in (f32, f64): {body}"


def test_a_compilation_and_its_launch():
    text = fresh("traced")
    before = time.monotonic_ns()
    with kern.trace() as told:
        f = kern.compile(text, name="traced.kern").traced
        f(np.ones(7, np.float32))
    after = time.monotonic_ns()
    f(np.ones(9, np.float32))  # is not told of
    assert steps(told, "compile", "launch") == [
        ("compile", "parse", "traced.kern"),
        ("compile", "kernel", "traced"),
        ("launch", "run", "traced"),
    ]
    for one in told.events:
        assert before <= one.begin <= one.end <= after
        assert one.seconds == (one.end - one.begin) * 1e-9
        assert one.thread == threading.get_ident()
        assert one.device == kern.Device("cpu")
    launch = told.events[-1]
    assert launch.elements == 7 and launch.succeeded
    assert "launch: run      traced" in str(told)


def test_the_cache():
    text = fresh("looked_up")
    with kern.trace() as first:
        kern.compile(text)
    with kern.trace() as second:  # the package keeps modules by name and text
        kern.compile(text, name="another")
    found = [one.succeeded for one in first.events if one.step == "find"]
    assert found == [False]
    assert [one.succeeded for one in second.events if one.step == "find"] == [True]
    assert not steps(second, "compile")
    stored = [one.bytes for one in first.events if one.step == "store"]
    assert len(stored) == 1 and stored[0] > 100


def test_what_fails():
    with kern.trace() as told, pytest.raises(kern.CompileError):
        kern.compile("ufunc f(x): return nothing_of_this_name")
    (parse,) = [one for one in told.events if one.kind == "compile"]
    assert parse.step == "parse" and not parse.succeeded


def test_calls_that_are_known():
    f = kern.compile(fresh("known")).known
    x = np.ones(8)
    out = np.empty(8)
    for _ in range(5):
        f(x, out=out)
    prepared = f.prepare(x, out=out)
    with kern.trace() as told:
        f(x, out=out)
        prepared(x, out=out)
    assert steps(told, "launch") == [("launch", "run", "known")] * 2


def test_threads_and_several_traces():
    f = kern.compile(fresh("shared")).shared
    f(np.ones(3))
    outer = kern.trace()
    with outer:
        with kern.trace() as inner:
            one = threading.Thread(target=f, args=(np.ones(3),))
            one.start()
            ident = one.ident
            one.join()
        f(np.ones(3))
    launches = [one for one in outer.events if one.kind == "launch"]
    assert [one.thread for one in launches] == [ident, threading.get_ident()]
    assert len([one for one in inner.events if one.kind == "launch"]) == 1
    with outer:  # goes on
        f(np.ones(3))
    assert len([one for one in outer.events if one.kind == "launch"]) == 3


def test_a_gpu(gpu):
    f = kern.compile(fresh("there")).there
    with kern.trace() as told:
        f(np.ones(1000, np.float32), device="cuda")
    assert steps(told, "transfer", "launch") == [
        ("transfer", "to device", ""),
        ("launch", "enqueue", "there"),
        ("transfer", "to host", ""),
    ]
    assert ("compile", "load", "there") in steps(told, "compile")
    assert {one.bytes for one in told.events if one.kind == "transfer"} == {4000}
    assert all(
        one.device == kern.Device("cuda", 0)
        for one in told.events
        if one.kind in ("transfer", "launch")
    )


RECORDER = pathlib.Path(__file__).resolve().parents[2] / "test/lit/NvtxRecorder.cpp"


@pytest.fixture
def recorder(tmp_path):
    """A tool that listens to NVTX and prints the ranges."""
    compiler = shutil.which("c++") or shutil.which("g++")
    if not compiler or not RECORDER.is_file():
        pytest.skip("there is no C++ compiler, or the tree is not here")
    library = tmp_path / "recorder.so"
    command = [compiler, "-std=c++20", "-shared", "-fPIC", RECORDER, "-o", library]
    subprocess.run(command, check=True)
    return library


def ranges(recorder, program):
    """What the tool prints of a program."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NVTX_INJECTION64_PATH": str(recorder)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_importing_compiles_nothing(recorder):
    """Nor does it look into the cache. LLVM is initialised by the first compilation
    (test/unit/driver/InitialisationTest.cpp)."""
    assert ranges(recorder, "import kern") == ""
    text = fresh("first")
    found = ranges(recorder, f"import kern; kern.compile({text!r}, name='n.kern').first(2.0)")
    assert "<compile: parse n.kern>" in found and "<launch: run first> 1" in found


def test_the_recorder_with_a_program_of_nvtx(recorder):
    """NVIDIA's own headers, in the package nvtx, talk to the tool as the library
    does."""
    pytest.importorskip("nvtx")
    program = (
        "import nvtx, kern\n"
        "with nvtx.annotate('around', domain='ours'):\n"
        "    kern.compile('ufunc f(x): return x').f(2.0)\n"
    )
    found = ranges(recorder, program)
    assert "ours 3/48 " in found and "\n  kern 3/48 1 <" in found
