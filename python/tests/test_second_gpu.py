"""Arrays and streams of a GPU that is not the first one."""

import numpy as np
import pytest

import kern

MODULE = kern.compile(
    "@associative(identity=0)\n"
    "ufunc add(x: T, y: T) -> T where T in (f32, f64, i64): return x + y"
)


@pytest.fixture
def cupy(gpu):
    module = pytest.importorskip("cupy")
    if module.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("there is one GPU")
    return module


@pytest.fixture
def torch(gpu):
    module = pytest.importorskip("torch")
    if module.cuda.device_count() < 2:
        pytest.skip("there is one GPU")
    return module


def test_calls_run_where_their_arrays_are(cupy):
    with cupy.cuda.Device(1):
        x = cupy.arange(1 << 20, dtype="f4")
    for _ in range(4):  # until the call is a known one, whatever device is current
        y = MODULE.add(x, 1)
        assert y.device.id == 1
    np.testing.assert_array_equal(y.get(), np.arange(1 << 20, dtype="f4") + 1)


def test_host_arrays_go_to_the_device_that_is_named(gpu):
    if len(kern.devices()) < 3:
        pytest.skip("there is one GPU")
    x = np.arange(1000, dtype="f8")
    with kern.trace() as told:
        np.testing.assert_array_equal(MODULE.add(x, 2, device="cuda:1"), x + 2)
    launches = [one for one in told.events if one.kind == "launch"]
    assert [str(one.device) for one in launches] == ["cuda:1"]


def test_streams_of_cupy(cupy):
    with cupy.cuda.Device(1):
        stream = cupy.cuda.Stream(non_blocking=True)
        x = cupy.zeros(1 << 24, "f4")
        cupy.cuda.get_current_stream().synchronize()
        for _ in range(30):
            MODULE.add(x, 1, out=x, stream=stream)
        total = MODULE.add.reduce(x, dtype="f8", stream=stream)
        stream.synchronize()
    assert total.device.id == 1 and float(total.get()) == 30 * 2.0**24
    np.testing.assert_array_equal(x.get(), np.full(1 << 24, 30, "f4"))


def test_streams_of_torch(torch):
    stream = torch.cuda.Stream(device=1)
    with torch.cuda.stream(stream):
        x = torch.zeros(1 << 22, device="cuda:1")
        for _ in range(30):
            x = MODULE.add(x, 1)
        total = MODULE.add.reduce(x)
    assert x.device.index == 1 and total.device.index == 1
    stream.synchronize()
    assert float(x.min()) == float(x.max()) == 30
    assert float(total) == 30 * 2.0**22


def test_arrays_of_two_gpus_are_refused(cupy):
    x = cupy.zeros(8, "f4")
    with cupy.cuda.Device(1):
        y = cupy.zeros(8, "f4")
    with pytest.raises((TypeError, ValueError)):
        MODULE.add(x, y)
