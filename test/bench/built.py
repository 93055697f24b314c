"""What is measured by programs of their own: calls from C++, source to PTX in
one process, and the CPU's table."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GPU_TITLE = "GPU, one element of f32"


def parse_overhead(text):
    """The GPU's rows of overhead.cpp: µs of a call, and µs beyond a launch."""
    calls, beyond = {}, {}
    section = None
    for line in text.splitlines():
        found = re.match(r"(.*?)\s{2,}(\S+)\s+(\S+)$", line)
        if not found:
            continue
        name, first, second = found.groups()
        if first == "us":
            section = name
        elif section == GPU_TITLE:
            calls[name], beyond[name] = float(first), float(second)
    return calls, beyond


def overhead(lib):
    """Compiles overhead.cpp against the library and runs it. Nothing where
    there is no C++ compiler, or no such program."""
    source = HERE / "overhead.cpp"
    compiler = shutil.which("clang++") or shutil.which("g++")
    if not source.exists() or not compiler:
        return {}, {}
    folder = pathlib.Path(lib).resolve().parent
    root = HERE.parents[1]
    includes = [p for p in (folder.parent / "include",
                            root / "runtime" / "include") if p.is_dir()]
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "overhead"
        subprocess.run(
            [compiler, "-std=c++20", "-O2", str(source), "-o", str(program),
             *[f"-I{p}" for p in includes], f"-L{folder}", "-lkern", "-ldl",
             f"-Wl,-rpath,{folder}"], check=True)
        done = subprocess.run([str(program)], check=True, text=True,
                              stdout=subprocess.PIPE)
    print(done.stdout, flush=True)
    return parse_overhead(done.stdout)


def parse_ptx(text):
    """Median milliseconds by name, as kern_compile_bench prints them."""
    return {name: float(ms) for name, ms in re.findall(
        r"^(\S.*): median ([\d.]+) ms", text, re.M)}


def ptx(kern):
    """Source to PTX in one process, where kern_compile_bench was built beside
    the tool."""
    program = pathlib.Path(kern).resolve().parent / "kern_compile_bench"
    if not program.exists():
        return {}
    done = subprocess.run([str(program)], check=True, text=True,
                          stdout=subprocess.PIPE)
    print(done.stdout, flush=True)
    return parse_ptx(done.stdout)


def host(options):
    """A program of the CPU on the same library; its table has markers of its
    own. Returns its exit status."""
    command = [sys.executable, str(HERE / "host.py"), "--lib", options.lib,
               "--layouts"]
    if options.only == ["functions-host"]:
        command = [sys.executable, str(HERE / "host_functions.py"), "--lib",
                   options.lib, "--part", options.part, "--row",
                   options.row or "", "--seed", str(options.seed), "--seconds",
                   str(options.seconds)]
        if options.json:
            command += ["--json", str(options.json)]
    if options.into:
        command += ["--into", str(options.into)]
    return subprocess.run(command, check=False).returncode
