"""The devices that Kern can run on."""

import contextlib
import operator
from dataclasses import dataclass

from kern import _kern


@dataclass(frozen=True)
class Device:
    """The CPU or a GPU. `device=` takes a Device or its name: `str(device)`.

    It is a value: equal ones compare equal and are hashable. What it tells of a
    device is asked for at each access. A device that is not there is a
    kern.NotFoundError then, a LookupError. Threads: any.
    """

    type: str  #: "cpu" or "cuda"
    id: int = 0

    def __str__(self):
        return "cpu" if self.type == "cpu" else f"cuda:{self.id}"

    @property
    def name(self):
        """The product name, a str."""
        return _kern.describe_device(self)["name"]

    @property
    def compute_capability(self):
        """90 for sm_90; 0 for the CPU."""
        return _kern.describe_device(self)["compute_capability"]

    @property
    def multiprocessors(self):
        """The number of multiprocessors; for the CPU, of cores."""
        return _kern.describe_device(self)["multiprocessors"]

    @property
    def memory(self):
        """Total memory in bytes."""
        return _kern.describe_device(self)["memory"]

    @property
    def memory_free(self):
        """Free memory in bytes."""
        return _kern.describe_device(self)["memory_free"]


def devices():
    """The CPU, then the GPUs that can be used: a list of kern.Device.

    The first call loads CUDA's driver, which `import kern` does not. Threads: any.

    >>> import kern
    >>> str(kern.devices()[0])
    'cpu'
    """
    gpus = [Device("cuda", i) for i in range(_kern.cuda_device_count())]
    return [Device("cpu"), *gpus]


def cuda_unavailable_reason():
    """Why there is no GPU, a str; "" if there is one. Threads: any."""
    return _kern.cuda_unavailable_reason()


def synchronize(device="cuda"):
    """Waits until all work on a device is done, that of other libraries too.

    device: a kern.Device or its name.

    Errors of calls that did not wait surface here, as a kern.DeviceError or a
    kern.CheckError. Raises kern.NotFoundError if there is no such device.
    Threads: any; Python's lock is released.
    """
    _kern.synchronize(device)


@contextlib.contextmanager
def on(device=None, *, stream=None, threads=None):
    """In a `with` block: where calls on host arrays and numbers run that have no
    `device=`, the stream of calls on a GPU that have no `stream=`, and the most
    threads of calls on the CPU that have no `threads=`. Arrays on a GPU stay where
    they are. It holds for the thread or task that is in the block; a block inside
    another one takes from that what it does not say itself.

    device: a kern.Device or its name.
    stream, threads: as those of a call.

    Raises TypeError or ValueError for what is not a device, stream or number of threads,
    and TypeError if there is none of them. Threads: any.

    >>> import kern
    >>> add = kern.compile("ufunc add(x, y): return x + y").add
    >>> with kern.on("cpu"):
    ...     add(1, 2)
    np.int64(3)
    """
    token = _kern.enter_scope(device, stream, threads)
    try:
        yield
    finally:
        _kern.leave_scope(token)


def get_num_threads():
    """The most threads that a call on the CPU uses. At first KERN_NUM_THREADS,
    else OMP_NUM_THREADS, else as many as the process may use cores. Starts no
    thread. Threads: any."""
    return _kern.get_num_threads()


def set_num_threads(count):
    """Sets that number for this process, from 1 to 1024. Calls that run already
    keep theirs. Raises ValueError for another number. Threads: any.

    >>> import kern
    >>> before = kern.get_num_threads()
    >>> kern.set_num_threads(1)
    >>> kern.get_num_threads()
    1
    >>> kern.set_num_threads(before)
    """
    _kern.set_num_threads(operator.index(count))
