"""Errors of Python functions name the Python file, the line and the column."""

import linecache
import math
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import kern

TABLE = [1.0, 2.0]
ARRAY = np.zeros(3)


class Config:
    factor = 2.0


CONFIG = Config()


def bad_helper(x):
    y = x + 1
    return y.foo


def calls_bad_helper(x):
    return bad_helper(x)


def uses_list(x):
    return x + TABLE[0]


def uses_array(x):
    return x + ARRAY[0]


def uses_object(x):
    return x * CONFIG.factor


def uses_unknown(x):
    return x + undefined_name  # noqa: F821


def forgot_import(x):
    return sqrt(x)  # noqa: F821


def no_attribute(x):
    return math.sqroot(x)


def raises(x):
    if x < 0:
        raise ValueError("negative")
    return x


def text(x):
    é = "a" if x > 0 else "b"; return é


def attribute(x):
    é = x; return é.foo


def calls_module(x):
    return math(x)


def prints(x):
    print(x)
    return x


def recursive(n):
    return n if n < 2 else recursive(n - 1)


def starred(x):
    return bad_helper(*x)


def number_or_number(x):
    return x or 2.0


def missing_return(x):
    if x > 0:
        return x


def wrapped(x):
    return (x +
            1 +
            x.foo)


CASES = [
    (calls_bad_helper, "y.foo", bad_helper, 2, "has no attribute `foo`"),
    (uses_list, "TABLE", uses_list, 1, "make it an argument"),
    (uses_array, "ARRAY", uses_array, 1, "make it an argument"),
    (uses_object, "CONFIG", uses_object, 1, "make it an argument"),
    (uses_unknown, "undefined_name", uses_unknown, 1, "is not defined"),
    (forgot_import, "sqrt", forgot_import, 1, "write `math.sqrt`"),
    (no_attribute, "math.sqroot", no_attribute, 1, "has no attribute 'sqroot'"),
    (raises, "raise", raises, 2, "raise"),
    (text, '"a"', text, 1, "string"),
    (attribute, "é.foo", attribute, 1, "has no attribute `foo`"),
    (calls_module, "math", calls_module, 1, "is a module"),
    (prints, "print", prints, 1, "print"),
    (recursive, "recursive", recursive, 1, "no recursion"),
    (starred, "*x", starred, 1, "written out"),
    (number_or_number, "x or 2.0", number_or_number, 1, "`or` of numbers"),
    (wrapped, "x.foo", wrapped, 3, "has no attribute `foo`"),
]


def refusal(function, signatures=("f8(f8)",)):
    with pytest.raises(kern.CompileError) as raised:
        kern.vectorize(list(signatures))(function)
    return raised.value


@pytest.mark.parametrize(
    "function, part, where, line, said", CASES, ids=[c[0].__name__ for c in CASES]
)
def test_place(function, part, where, line, said):
    error = refusal(function)
    number = where.__code__.co_firstlineno + line
    source = linecache.getline(__file__, number)
    assert isinstance(error, SyntaxError)
    assert error.filename == __file__
    assert error.lineno == number
    assert error.text == source
    assert error.offset == source.index(part) + 1
    assert said in str(error)
    assert f"{__file__}:{number}:{error.offset}: error" in error.rendered
    place = error.diagnostics[0].place
    data = open(__file__, "rb").read()
    assert data[place.begin :].decode().startswith(part)


def keyword_only(x, k=2, *, p=1):
    return x * k + p


def calls_keyword_only(x):
    return keyword_only(x)


@pytest.mark.parametrize("signatures", [["f8(f8)"], []])
def test_keyword_only_parameter_of_a_helper(signatures):
    with pytest.raises(kern.CompileError, match="by position") as raised:
        kern.vectorize(signatures)(calls_keyword_only)
    assert raised.value.lineno == keyword_only.__code__.co_firstlineno


def test_place_of_the_whole_function():
    error = refusal(missing_return)
    assert error.filename == __file__
    assert error.lineno == missing_return.__code__.co_firstlineno


def test_notes_lead_to_the_caller():
    error = refusal(calls_bad_helper)
    places = [note.place for note in error.diagnostics[0].notes]
    assert calls_bad_helper.__code__.co_firstlineno + 1 in [p.line for p in places]
    assert {p.file for p in places} == {__file__}


def stores_in_array(x):
    w = np.zeros(3)
    w[0] = x.foo
    return w


def uses_an_array_that_fails(x):
    return stores_in_array(x) + 1


def test_errors_of_helpers_come_first():
    error = refusal(uses_an_array_that_fails)
    assert error.lineno == stores_in_array.__code__.co_firstlineno + 2
    begins = [stores_in_array, uses_an_array_that_fails]
    assert [one.place.line for one in error.diagnostics] == [
        function.__code__.co_firstlineno + line for function, line in zip(begins, (2, 1))
    ]
    assert error.rendered.index("x.foo") < error.rendered.index("stores_in_array(x)")


def test_nested_helpers_and_closures():
    limit = {"a": 1}

    def outer(x):
        def inner(y):
            return y
        return inner(x)

    error = refusal(outer)
    assert error.lineno == outer.__code__.co_firstlineno + 1
    assert "within" in str(error)

    def uses_closure(x):
        return x + limit

    error = refusal(uses_closure)
    assert error.lineno == uses_closure.__code__.co_firstlineno + 1
    assert "`limit` is a dict" in str(error)


def test_lambda():
    function = lambda x: x + 1 if x.foo else 2  # noqa: E731
    error = refusal(function)
    line = linecache.getline(__file__, function.__code__.co_firstlineno)
    assert error.filename == __file__
    assert error.lineno == function.__code__.co_firstlineno
    assert error.offset == line.index("x.foo") + 1


def test_lambda_within_a_lambda():
    function = lambda x: (lambda y: y)(x)  # noqa: E731
    error = refusal(function)
    line = linecache.getline(__file__, function.__code__.co_firstlineno)
    assert error.offset == line.index("lambda y") + 1
    assert "a lambda within" in str(error)


def test_types_are_wrong_only_in_one_loop():
    def shifted(x):
        return x << 2

    error = refusal(shifted, ["i8(i8)", "f8(f8)"])
    assert error.lineno == shifted.__code__.co_firstlineno + 1


def test_second_body_of_a_function():
    # Loops of narrow integers have bodies of their own, on other lines.
    def odd(x):
        y = x + x
        return y.foo

    error = refusal(odd, ["f8(f8)", "u1(u1)"])
    assert error.lineno == odd.__code__.co_firstlineno + 2


def test_call_without_signatures():
    @kern.vectorize
    def masked(x):
        y = x
        return y & 1

    with pytest.raises(TypeError) as raised:
        masked(1.5)
    place = raised.value.diagnostics[0].place
    assert place.file == __file__
    assert place.line == masked.py_func.__code__.co_firstlineno + 3
    assert f"{__file__}:{place.line}:16" in str(raised.value)


def test_gufunc():
    def two(x, y):
        for i in range(x.shape[0]):
            y[i] = x.foo

    with pytest.raises(kern.CompileError) as raised:
        kern.guvectorize(["f8[:], f8[:]"], "(n)->(n)")(two)
    assert raised.value.lineno == two.__code__.co_firstlineno + 2
    assert raised.value.offset == 20

    def index(x, y):
        y[1] = x

    with pytest.raises(kern.CompileError, match="has one element") as raised:
        kern.guvectorize(["f8, f8[:]"], "()->()")(index)
    assert raised.value.lineno == index.__code__.co_firstlineno + 1


def test_made_by_exec():
    scope = {}
    exec("def f(x):\n    return x", scope)
    error = refusal(scope["f"])
    assert "exec" in str(error)
    assert error.filename == "<string>"
    error = refusal(eval("lambda x: x"))
    assert "not at hand" in str(error)


def test_notebook():
    # What IPython does with a cell.
    name = "<ipython-input-3-0123456789ab>"
    cell = textwrap.dedent(
        """\
        import kern
        @kern.vectorize(["f8(f8)"])
        def f(x):
            return x + 1
        def broken(x):
            return x.foo
        """
    )
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    scope = {"__name__": "__main__"}
    exec(compile(cell, name, "exec"), scope)
    assert scope["f"](1) == 2
    error = refusal(scope["broken"])
    assert (error.filename, error.lineno, error.offset) == (name, 6, 12)
    assert error.text == "    return x.foo\n"


def test_traceback_shows_the_line(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import kern\n@kern.vectorize(['f8(f8)'])\ndef f(x):\n    return x.foo\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert f'File "{script}", line 4\n    return x.foo\n           ^' in done.stderr


@pytest.mark.parametrize("header", ["*x", "x, *, y=1", "**x"])
def test_parameters_that_are_refused(header, tmp_path):
    path = tmp_path / "header.py"
    path.write_text(f"def f({header}):\n    return 1\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    assert refusal(scope["f"], ["f8(f8)"]).filename == str(path)


@pytest.mark.parametrize(
    "signature, said",
    [
        ("f9(f8)", "`f9` is not a type"),
        ("f64(f64)", "count bytes: `f8`"),
        ("f8(f8", "expected `)`"),
        ("f8", "has no parameters"),
        ("f8(f8, f8)", "has 2 types"),
        ("f8[:](f8)", "has arrays"),
        ("void(f8)", "that return one"),
        (kern.void(kern.float64), "that return one"),
        ("f8(void)", "has void"),
        ("__import__('os')", "is not a type"),
        (7, "a signature is"),
        ((float,), "is not a type"),
    ],
)
def test_signatures(signature, said):
    with pytest.raises(TypeError) as raised:
        kern.vectorize([signature])(lambda x: x)
    assert said in str(raised.value)


def test_only_functions():
    with pytest.raises(TypeError, match="Python functions"):
        kern.vectorize(["f8(f8)"])(3)
    with pytest.raises(TypeError, match="Python functions"):
        kern.vectorize(["f8(f8)"])(np.sin)
