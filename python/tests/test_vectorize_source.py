"""kern.vectorize and the source of its function: how it is found, shown and pickled,
and what messages about it say."""

import copy
import pickle
import subprocess
import sys

import pytest

from kern import _jit, vectorize
from test_vectorize import sinc, vector_add


def test_pickle():
    f = vectorize(["f8(f8, f8)"])(vector_add)
    clone = pickle.loads(pickle.dumps(f))
    assert clone(1.0, 2.0) == 3


def test_pickles_keep_what_the_decorator_said():
    f = vectorize(["f8(f8, f8)"], identity="reorderable", target="parallel")(vector_add)
    for clone in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        assert clone.py_func is vector_add and clone.targetdevice == "parallel"
        assert clone.__doc__ == vector_add.__doc__ and not clone.is_dynamic
        assert clone.identity is None and clone.reduce([[1.0, 2], [3, 4]], (0, 1)) == 10
        again = pickle.loads(pickle.dumps(clone))
        assert again.py_func is vector_add

    @vectorize(identity=0)
    def nested(x, y):
        return x + y

    clone = pickle.loads(pickle.dumps(nested))
    assert clone.is_dynamic and clone.identity == 0
    assert not hasattr(clone, "py_func")  # no name leads to it
    assert nested.py_func(1, 2) == 3


def test_py_func_in_another_process(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import kern\n@kern.vectorize\ndef twice(x):\n    return 2 * x\n"
    )
    run = [sys.executable, "-c"]
    make = "import mine, pickle, sys; sys.stdout.buffer.write(pickle.dumps(mine.twice))"
    use = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f(4), end=' ')\n"
    use += "print(hasattr(f, 'py_func') and f.py_func(5), 'mine' in sys.modules)"
    data = subprocess.run([*run, make], capture_output=True, cwd=tmp_path).stdout
    for folder, said in [(tmp_path, "8 10 True"), (tmp_path.parent, "8 False False")]:
        done = subprocess.run([*run, use], input=data, capture_output=True, cwd=folder)
        assert done.stdout.decode().split() == said.split(), done.stderr.decode()


def test_errors_in_another_process():
    @vectorize
    def masked(x, y):
        z = x
        return z & y

    line = masked.py_func.__code__.co_firstlineno + 3
    data = pickle.dumps(masked)
    assert len(data) < 10_000  # not the whole file
    code = "import pickle, sys\n"
    code += "f = pickle.load(sys.stdin.buffer)\n"
    code += "try: f(1.5, 2.5)\n"
    code += "except TypeError as error: print(error)\n"
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True)
    said = done.stdout.decode()
    assert f"{__file__}:{line}:16" in said, done.stderr.decode()
    assert "return z & y" in said


def test_docstring():
    @vectorize(["f8(f8)"])
    def f(x):
        """It has a docstring with "quotes" and \\ backslashes."""
        return x

    assert f.__doc__.startswith("It has")
    assert f(1) == 1


def test_inspect_types(capsys):
    f = vectorize(["f8(f8)"])(sinc)
    f.inspect_types()
    assert "ufunc sinc(x: f64) -> f64" in capsys.readouterr().out


def test_inspect_ptx():
    if _jit.find_tool() is None:
        pytest.skip("the tool is not there")
    assert ".entry" in vectorize(["f4(f4)"])(vector_add_one).inspect_ptx()
    lazy = vectorize(vector_add_one)
    assert ".entry" in lazy.inspect_ptx(signature="f32(f32)")


def vector_add_one(a):
    return a + 1


def test_lines_agree_with_the_file():
    f = vectorize(["f8(f8)"])(sinc)
    line = sinc.__code__.co_firstlineno + 1
    assert f.source.splitlines()[line - 1].strip() == "if x == 0.0:"


def test_forms_of_lambdas():
    f = vectorize(["f8(f8)"])
    pair = f(lambda x: x + 1), f(lambda x: x - 1)
    assert (pair[0](1), pair[1](1)) == (2, 0)
    long = vectorize(["f8(f8)"])(
        lambda x: x
        + 1  # one
        + 2
    )
    assert long(1) == 4


def test_lambdas_in_one_line():
    run = lambda: vectorize(lambda x: x if x > 0 else -x)(-3)  # noqa: E731
    assert run() == 3
    f, k = vectorize(["f8(f8)"]), 3.0
    # fmt: off
    pair = f(lambda x: x if x > 0 else k), f(lambda x: x if x > 0 else -k)
    assert (pair[0](-1), pair[1](-1)) == (3, -3)
    pair = f(lambda x: 1.0), f(lambda x: -1.0)
    assert (pair[0](5), pair[1](5)) == (1, -1)
    pair = f(lambda x: x
        if x > 0 else 2), f(lambda x:
        x if x > 0 else 4)
    assert (pair[0](-1), pair[1](-1)) == (2, 4)
    nested = lambda x: (lambda x: (lambda x: 2 * x))  # noqa: E731
    # fmt: on
    assert f(nested(1)(2))(4) == 8


def test_lambdas_in_one_line_without_columns(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from kern import vectorize\n"
        "f = vectorize(['f8(f8)'])\n"
        "g, h = f(lambda x: x if x > 0 else 1), f(lambda x: x if x > 0 else 2)\n"
        "print(g(-1), h(-1))\n"
    )
    command = [sys.executable, "-X", "no_debug_ranges", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "1.0 2.0\n", done.stderr


def test_one_line_and_odd_layout():
    def f(x): return x; # comment
    def g(x):
      y = (x +
  1)
# a comment at the margin
      if y > 2: return y
      return -y
    assert vectorize(["f8(f8)"])(f)(2) == 2
    assert vectorize(["f8(f8)"])(g)(2) == 3
    assert vectorize(["f8(f8)"])(g)(0) == -1
