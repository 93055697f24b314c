"""Calls where the C library has fewer vector functions than the newest one, as that of
RHEL 9 and Ubuntu 22.04."""

import os
import shutil
import subprocess
import sys

import pytest

SOURCE = """
import kern, numpy as np
f = kern.compile('''
ufunc f(x: T) -> T where T in (f32, f64):
    return sin(x) + exp(-x * x) + log(x * x + 2) + x ** 1.5 + cos(x) + tanh(x) * atan(x)
''').f
x = np.linspace(0, 3, 10_001)
expected = np.sin(x) + np.exp(-x * x) + np.log(x * x + 2) + x**1.5 + np.cos(x)
expected += np.tanh(x) * np.arctan(x)
np.testing.assert_allclose(f(x), expected, 1e-13)
np.testing.assert_allclose(f(x.astype("f4")), expected, 2e-6)
print(any("libmvec" in line for line in open("/proc/self/maps")))
"""
# What libmvec has had since glibc 2.22; it has many more since 2.35.
OLD = "sin cos exp log pow"


@pytest.mark.parametrize("names", ["", OLD])
def test_fewer_vector_functions(names, tmp_path):
    compiler = shutil.which("cc") or shutil.which("clang-22")
    if not compiler:
        pytest.skip("there is no C compiler")
    text = "".join(
        f"__attribute__((visibility(\"hidden\"))) void *{symbol}_there;\n"
        f"__attribute__((naked)) void {symbol}(void) "
        f"{{ __asm__(\"jmp *{symbol}_there(%rip)\"); }}\n"
        for symbol in symbols(names)
    )
    text += "#include <dlfcn.h>\n__attribute__((constructor)) static void find(void) {\n"
    text += f'void *all = dlopen("{whole()}", RTLD_NOW | RTLD_LOCAL);\n'
    for symbol in symbols(names):
        text += f'{symbol}_there = dlsym(all, "{symbol}");\n'
    (tmp_path / "older.c").write_text(text + "(void)all; }\n")
    library = tmp_path / "libmvec.so.1"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-w", "-Wl,-soname,libmvec.so.1", "older.c", "-o", library],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    environment = dict(os.environ, KERN_CACHE_DIR=str(tmp_path / "cache"))
    paths = [str(tmp_path), environment.get("LD_LIBRARY_PATH")]
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, paths))
    done = subprocess.run(
        [sys.executable, "-c", SOURCE], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"


def symbols(names):
    for name in names.split():
        count = "vv" if name == "pow" else "v"
        for unit, lanes in (("b", 2), ("d", 4), ("e", 8)):
            yield f"_ZGV{unit}N{lanes}{count}_{name}"
            yield f"_ZGV{unit}N{2 * lanes}{count}_{name}f"


def whole():
    """The C library's own libmvec."""
    for folder in ("/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"):
        if os.path.exists(f"{folder}/libmvec.so.1"):
            return f"{folder}/libmvec.so.1"
    pytest.skip("there is no libmvec")
