"""`include_path=`: where one module's imports are looked for."""

import pickle

import pytest

import kern

TEXT = "import number\nufunc f(x): return x + number.N\n"


@pytest.fixture
def folders(tmp_path):
    for name, value in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "number.kern").write_text(f"const N = {value}\n")
    return tmp_path / "one", tmp_path / "two"


def test_modules_have_their_own(folders):
    one, two = folders
    assert kern.compile(TEXT, include_path=one).f(0) == 1
    assert kern.compile(TEXT, include_path=str(two)).f(0) == 2
    assert kern.compile(TEXT, include_path=[two, one]).f(0) == 2
    with pytest.raises(kern.CompileError):
        kern.compile(TEXT)


def test_the_files_own_folder_comes_first(folders, tmp_path):
    one, two = folders
    (two / "user.kern").write_text(TEXT)
    (tmp_path / "user.kern").write_text(TEXT)
    assert kern.compile_file(two / "user.kern", include_path=one).f(0) == 2
    assert kern.compile_file(tmp_path / "user.kern", include_path=one).f(0) == 1


def test_the_process_comes_last(folders):
    one, two = folders
    kern.include_path(one)
    try:
        assert kern.compile(TEXT, include_path=two).f(0) == 2
        assert kern.compile(TEXT).f(0) == 1
    finally:
        kern.include_path([])


def test_modules_pickle_with_it(folders):
    module = kern.compile(TEXT, include_path=folders[1])
    assert pickle.loads(pickle.dumps(module)).f(0) == 2


def test_hashes_differ_by_what_is_imported(folders):
    one, two = (kern.compile(TEXT, include_path=path) for path in folders)
    assert one.hash != two.hash and len(one.hash) == 32
    assert one.hash == kern.compile(TEXT, "other", include_path=folders[0]).hash
