"""How lit runs the tests of this folder: passes, verbs and diagnostics.

Substitutions
  %kern, %kern-opt   the tools of this build
  %ptxas             the CUDA assembler
  %ptxas-all FILE    assembles FILE for every GPU that we support and that the
                     file's own .target allows
  %python            Python with NumPy
  %nvtx-recorder     a tool that prints ranges of NVTX
  %examples %stdlib  those folders of the source
  %soon              runs a command, with a limit of 100 s, or 400 s under a
                     sanitizer
FileCheck, not, count and split-file are on PATH.

Features: `ptxas`, and `gpu` where a CUDA device can be used.
"""

import ctypes
import os
import sys

import lit.formats

config.name = "kern"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".kern", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.kern_build, "test", "lit")

build_bin = os.path.join(config.kern_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [config.kern_llvm_bin, build_bin, os.environ.get("PATH", "")]
)
for name in ("ASAN_OPTIONS", "ASAN_SYMBOLIZER_PATH", "UBSAN_OPTIONS",
             "TSAN_OPTIONS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Tests see neither the machine's cache nor each other's.
config.environment["KERN_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "kern-cache"
)

venv_python = os.path.join(config.kern_source, "build", "venv", "bin", "python")
python = venv_python if os.path.exists(venv_python) else sys.executable
scripts = os.path.join(config.kern_source, "tools", "scripts")

# Patterns in this order: %kern would match the beginning of %kern-opt.
config.substitutions += [
    ("%kern-opt", os.path.join(build_bin, "kern-opt")),
    ("%kern", os.path.join(build_bin, "kern")),
    (
        "%ptxas-all",
        f"{python} {os.path.join(scripts, 'ptxas_all.py')} {config.kern_ptxas}",
    ),
    ("%ptxas", config.kern_ptxas),
    ("%nvtx-recorder",
     os.path.join(config.kern_build, "lib", "libkern_nvtx_recorder.so")),
    ("%python", python),
    ("%examples", os.path.join(config.kern_source, "examples")),
    ("%stdlib", os.path.join(config.kern_source, "stdlib")),
    ("%soon", f"timeout {400 if config.kern_sanitize else 100}"),
]


def cuda_devices() -> int:
    """How many GPUs the driver reports; 0 without a driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


if os.access(config.kern_ptxas, os.X_OK):
    config.available_features.add("ptxas")
if cuda_devices():
    config.available_features.add("gpu")
if config.kern_sanitize:
    config.available_features.add("sanitized")
