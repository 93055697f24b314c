"""What the library spends time on, as events."""

from dataclasses import dataclass

from kern import _kern
from kern._devices import Device

_KINDS = (None, "compile", "cache", "transfer", "launch")


@dataclass(frozen=True)
class TraceEvent:
    """One piece of work.

    compile: making code. "parse" reads and checks a source, "specialise" finds the
        types of a loop, "kernel" makes the code of one, "load" is the driver's part,
        from PTX to the GPU's machine code.
    cache: of compilations: "find" and "store".
    transfer: copies of arrays with a GPU: "to device", "to host", "on device",
        "between devices".
    launch: "run" on the CPU, from begin to end; "enqueue" on a GPU, where the work
        itself begins and ends later.
    """

    kind: str  #: "compile", "cache", "transfer" or "launch"
    step: str  #: which part of that, as above
    name: str  #: the function's; of "parse" the source's; "" without
    device: Device
    begin: int  #: in nanoseconds, as time.monotonic_ns() counts them
    end: int
    bytes: int  #: of a transfer and of "store"; else 0
    elements: int  #: of a launch: elements of its loop; else 0
    thread: int  #: threading.get_ident() of the thread that did it
    succeeded: bool  #: of "find": whether the cache had it

    @property
    def seconds(self):
        """How long it took, a float."""
        return (self.end - self.begin) * 1e-9


class trace:
    """In a `with` block: keeps what the library does in this process, in all threads,
    with its times. While none is on, tracing costs calls nothing that can be measured.

    `events` are the TraceEvents so far, ordered by their ends; str() is a table of
    how often and how long each step of each function was done. Pieces of work nest,
    so that times in it may count twice.

    The same work is shown by tools that listen to NVTX, such as Nsight Systems,
    without any of this. Threads: any.

    >>> import kern
    >>> f = kern.compile("ufunc twice(x): return x + x").twice
    >>> with kern.trace() as told:
    ...     f(1.5)
    np.float64(3.0)
    >>> [(one.step, one.name) for one in told.events if one.kind == "launch"]
    [('run', 'twice')]
    """

    def __init__(self):
        self._recorder = _kern.TraceRecorder()
        self._events = []

    def __enter__(self):
        self._recorder.start()
        return self

    def __exit__(self, type, value, traceback, /):
        self._recorder.stop()

    @property
    def events(self):
        """A list of kern.TraceEvent."""
        for one in self._recorder.take():
            kind, step, name, type_, index, *rest = one
            device = Device("cpu" if type_ == 1 else "cuda", index)
            self._events.append(TraceEvent(_KINDS[kind], step, name, device, *rest))
        return list(self._events)

    def __str__(self):
        totals = {}
        for one in self.events:
            key = (f"{one.kind}: {one.step}", one.name)
            count, seconds = totals.get(key, (0, 0.0))
            totals[key] = (count + 1, seconds + one.seconds)
        rows = [("", "", "times", "ms")]
        for key, (count, seconds) in sorted(totals.items(), key=lambda x: -x[1][1]):
            rows.append((*key, str(count), f"{seconds * 1e3:.3f}"))
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join(
            f"{step:{widths[0]}}  {name:{widths[1]}}  {count:>{widths[2]}}  "
            f"{time:>{widths[3]}}".rstrip()
            for step, name, count, time in rows
        )
