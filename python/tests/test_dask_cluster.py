"""Kern's functions in Dask's worker processes."""

import os
import pickle

import kern
import numpy as np
import pytest

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
import kern.dask  # noqa: E402
from kern import _dask_gpus  # noqa: E402

SOURCE = """
ufunc shifted(x: T, by: T) -> T where T in (f32, f64):
    return x + by
ufunc parts(x: f64) -> (f64, f64):
    return floor(x), x - floor(x)
gufunc norm(v: T[n]) -> T where T in (f32, f64):
    return sqrt(sum(v[i] * v[i] for i in range(n)))
"""


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def module():
    return kern.compile(SOURCE, "cluster.kern")


def where(_=None):
    """What a worker knows of itself."""
    return os.getpid(), os.getenv("OMP_NUM_THREADS")


def test_arrays_over_processes(client, module):
    x = np.arange(1000.0).reshape(100, 10)
    lazy = da.from_array(x, chunks=(10, 10))
    got = module.shifted(module.norm(lazy), 1)
    np.testing.assert_allclose(got.compute(), np.linalg.norm(x, axis=1) + 1)
    whole, rest = module.parts(lazy / 3)
    np.testing.assert_allclose((whole + rest).compute(), x / 3)
    np.testing.assert_allclose(
        lazy.map_blocks(module.shifted, 2.0).compute(), x + 2
    )


def test_functions_as_tasks(client, module):
    """By submit and map: pickled into processes that have never seen them."""
    assert os.getpid() not in {one for one, _ in client.run(where).values()}
    got = client.submit(module.norm, np.array([3.0, 4]))
    assert got.result() == 5
    got = client.gather(client.map(module.shifted, [1.0, 2.0, 3.0], by=1))
    assert got == [2, 3, 4]
    future = client.scatter(np.arange(4.0), broadcast=True)
    assert list(client.submit(module.shifted, future, 1).result()) == [1, 2, 3, 4]
    assert client.submit(lambda f: f(1.0, 2), module.shifted).result() == 3
    assert client.submit(lambda: module.norm).result() is module.norm


def test_python_functions_as_tasks(client):
    """Those that kern.vectorize has taken, from a session without a file."""

    @kern.vectorize(["f8(f8, f8)"])
    def between(x, y):
        return (x + y) / 2 if x < y else y

    assert client.submit(between, 1.0, 2.0).result() == 1.5
    lazy = da.from_array(np.arange(6.0), chunks=2)
    assert list(between(lazy, 3.0).compute()) == [1.5, 2, 2.5, 3, 3, 3]


def test_a_function_is_compiled_once_in_a_process(client, module):
    def same(one, other):
        return one is other

    assert client.submit(same, module.norm, module.norm).result()
    first = client.submit(lambda f: id(f.module), module.norm, pure=False).result()
    assert isinstance(first, int)


def test_errors_come_back(client, module):
    future = client.submit(module.norm, np.float64(1))
    with pytest.raises(kern.ShapeError, match="1 core dimension"):
        future.result()
    broken = client.submit(kern.compile, "ufunc f(x):\n    return y\n", "broken.kern")
    with pytest.raises(kern.CompileError, match="y") as raised:
        broken.result()
    assert raised.value.lineno == 2
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.lineno, str(again)) == (2, str(raised.value))


def test_processes_share_the_cores(client, module):
    """Dask gives each worker one OpenMP thread, and Kern takes that for its own."""
    assert {threads for _, threads in client.run(where).values()} == {"1"}

    def threads():
        import threading  # noqa: F401

        before = len(os.listdir("/proc/self/task"))
        x = np.zeros(1 << 22, "f4")
        module.shifted(x, 1)
        return len(os.listdir("/proc/self/task")) - before

    assert set(client.run(threads).values()) == {0}


def test_one_gpu_for_each_worker(module):
    """Workers see the GPUs that they are given, before anything asks for them."""

    def seen():
        import sys

        return os.getenv("CUDA_VISIBLE_DEVICES"), "cupy" in sys.modules

    with (
        kern.dask.gpu_cluster(["1", "GPU-2"], memory_limit="1GB") as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(2)
        assert sorted(client.run(seen).values()) == [("1", False), ("GPU-2", False)]
        assert client.submit(module.norm, np.array([3.0, 4])).result() == 5


def test_the_gpus_of_a_cluster(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2, GPU-7")
    assert _dask_gpus.visible_gpus() == ["2", "GPU-7"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(RuntimeError, match="no GPU for a worker"):
        kern.dask.gpu_cluster()


def gpus_of_blocks(client, module, x):
    """Computes norms block by block on GPUs, and checks them. Returns the GPUs that
    the workers saw, each by the name that CUDA_VISIBLE_DEVICES gives it."""

    def norms(block):
        got = module.norm(block, device="cuda")
        name = os.getenv("CUDA_VISIBLE_DEVICES")
        assert [str(one) for one in kern.devices()] == ["cpu", "cuda:0"]
        return got, name

    blocks = [x[i : i + 4] for i in range(0, len(x), 4)]
    results = client.gather(client.map(norms, blocks, pure=False))
    got = np.concatenate([one for one, _ in results])
    np.testing.assert_allclose(got, np.linalg.norm(x, axis=1))
    return {name for _, name in results}


def test_gpus(gpu, module):
    """Each worker's blocks run on its own GPU; all GPUs have some."""
    x = np.random.rand(256, 1000)
    lazy = da.from_array(x, chunks=(4, 1000))
    count = len(kern.devices()) - 1
    with (
        kern.dask.gpu_cluster() as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(count)
        assert len(gpus_of_blocks(client, module, x)) == count
        got = module.norm(lazy, device="cuda").compute()
        np.testing.assert_allclose(got, np.linalg.norm(x, axis=1))


def test_gpus_of_a_local_cluster(gpu, module):
    """Workers of Dask's own cluster, which choose their GPU before they use one."""
    names = _dask_gpus.visible_gpus()
    x = np.random.rand(256, 1000)

    def choose(name):
        os.environ.update(CUDA_VISIBLE_DEVICES=name)

    with (
        distributed.LocalCluster(
            n_workers=len(names), threads_per_worker=1, processes=True,
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        workers = list(client.scheduler_info()["workers"])
        for worker, name in zip(workers, names):
            client.run(choose, name, workers=[worker])
        assert gpus_of_blocks(client, module, x) == set(names)


def test_cupy_chunks_on_their_gpus(gpu, module):
    """Chunks of CuPy's stay on the GPU of the worker that has them. Workers have
    different GPUs, whatever they call them."""
    cupy = pytest.importorskip("cupy")
    count = len(kern.devices()) - 1
    x = np.random.rand(64, 1000)

    def number():
        import cupy

        return cupy.cuda.runtime.deviceGetPCIBusId(0)

    def scaled(block):
        """What a worker makes of a block of norms."""
        import cupy

        assert isinstance(block, cupy.ndarray) and block.device.id == 0
        return cupy.asnumpy(block) * 2

    with (
        kern.dask.gpu_cluster() as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(count)
        assert len(set(client.run(number).values())) == count
        on_gpus = da.from_array(x, chunks=(4, 1000)).map_blocks(cupy.asarray)
        norms = module.shifted(module.norm(on_gpus), 1)
        got = norms.map_blocks(scaled, dtype="f8", meta=np.empty(0)).compute()
    np.testing.assert_allclose(got, (np.linalg.norm(x, axis=1) + 1) * 2)
