"""How times are taken: paired batches of CUDA events, medians."""

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


def paired(functions, batches, target_ms=40.0, max_reps=50):
    """Medians in ms of each function, measured in turn within each batch, so
    that what disturbs one disturbs all."""
    reps = {}
    for name, function in functions.items():
        function()
        synchronize()
        once = event_ms(function, 1)
        reps[name] = max(1, min(max_reps, int(target_ms / max(once, 1e-3))))
    times = {name: [] for name in functions}
    for _ in range(batches):
        for name, function in functions.items():
            times[name].append(event_ms(function, reps[name]))
    return {name: statistics.median(t) for name, t in times.items()}


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
