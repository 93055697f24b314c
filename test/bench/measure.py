"""How times are taken: contenders take turns in batches, medians count."""

import statistics
import time

import cupy


def synchronize():
    cupy.cuda.runtime.deviceSynchronize()


def event_ms(function, reps):
    """Milliseconds of one call, over `reps` calls between two events."""
    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    for _ in range(reps):
        function()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(start, end) / reps


def wall_ms(function, reps):
    """The same by the clock, for what runs on a stream of its own; a function
    that has a `wait` says with it how to wait for it."""
    synchronize()
    began = time.perf_counter()
    for _ in range(reps):
        function()
    getattr(function, "wait", synchronize)()
    synchronize()
    return (time.perf_counter() - began) / reps * 1e3


def paired(functions, batches, target_ms=30.0, max_reps=50, wall=()):
    """For each function its times in ms, one for each batch. All are measured
    in turn within each batch, so that what disturbs one disturbs all. Those
    named in `wall` are timed by the clock."""
    def clock(name):
        return wall_ms if name in wall else event_ms

    reps = {}
    for name, function in functions.items():
        function()
        synchronize()
        once = clock(name)(function, 1)
        reps[name] = max(1, min(max_reps, int(target_ms / max(once, 1e-3))))
    times = {name: [] for name in functions}
    for batch in range(batches):
        for name, function in functions.items():
            # What is far behind need not be measured often.
            if batch < 2 or times[name][0] < 300:
                times[name].append(clock(name)(function, reps[name]))
    return times


def ratio(times, ours, theirs):
    """How many times faster `ours` is: the median over the batches."""
    pairs = list(zip(times[theirs], times[ours]))
    return statistics.median(t / o for t, o in pairs)


def queued_us(functions, batches, count, busy):
    """Microseconds on the device for one call of each function, one list for
    each: `count` calls are enqueued behind a kernel that keeps the device
    busy (`busy(ms)` launches it), so that the host's pace does not matter.
    A batch in which the host was too slow is taken again, up to a limit."""
    for function in functions.values():
        function()
    synchronize()
    hold = {}
    for name, function in functions.items():
        began = time.perf_counter()
        for _ in range(count):
            function()
        hold[name] = (time.perf_counter() - began) * 1e3 * 1.5 + 0.2
        synchronize()
    times = {name: [] for name in functions}
    for _ in range(batches):
        for name, function in functions.items():
            for _attempt in range(4):
                start, end = cupy.cuda.Event(), cupy.cuda.Event()
                busy(hold[name])
                start.record()
                for _ in range(count):
                    function()
                end.record()
                early = start.done
                end.synchronize()
                if not early:
                    break
                hold[name] *= 1.5
            times[name].append(
                cupy.cuda.get_elapsed_time(start, end) / count * 1e3)
    return times


def wall_us(function, count, batches=5):
    """Microseconds of wall clock per call, without waiting for the device."""
    for _ in range(20):
        function()
    synchronize()
    times = []
    for _ in range(batches):
        began = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - began) / count * 1e6)
        synchronize()
    return statistics.median(times)
