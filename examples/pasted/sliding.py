"""Statistics of windows that slide along a row."""

import numpy as np
from numba import guvectorize


@guvectorize(["float32[:], int64, float32[:]", "float64[:], int64, float64[:]"], "(n),()->(n)")
def move_nanmean(a, window, out):
    """The mean of what is not NaN. After numbagg (BSD-3)."""
    asum = 0.0
    count = 0
    for i in range(min(window - 1, len(a))):
        ai = a[i]
        if ai == ai:
            asum += ai
            count += 1
        out[i] = np.nan
    for i in range(window - 1, len(a)):
        ai = a[i]
        if ai == ai:
            asum += ai
            count += 1
        if i >= window:
            aold = a[i - window]
            if aold == aold:
                asum -= aold
                count -= 1
        if count > 0:
            out[i] = asum / count
        else:
            out[i] = np.nan


@guvectorize(["float64[:], float64, float64[:]"], "(n),()->(n)")
def ewm_nanmean(a, com, out):
    """Exponentially weighted, by the centre of mass. After numbagg (BSD-3)."""
    N = len(a)
    if N == 0:
        return
    alpha = 1.0 / (1.0 + com)
    old_wt_factor = 1.0 - alpha
    new_wt = 1.0
    weighted_avg = a[0]
    out[0] = weighted_avg
    old_wt = 1.0
    for i in range(1, N):
        cur = a[i]
        is_observation = cur == cur
        if weighted_avg == weighted_avg:
            if is_observation:
                old_wt *= old_wt_factor
                if weighted_avg != cur:
                    weighted_avg = ((old_wt * weighted_avg) + (new_wt * cur)) / (old_wt + new_wt)
                old_wt += new_wt
        elif is_observation:
            weighted_avg = cur
        out[i] = weighted_avg


@guvectorize(["float32[:], int64, float32[:]", "float64[:], int64, float64[:]"], "(n),()->(n)")
def forward_fill(a, limit, out):
    """NaN becomes the last number, at most `limit` times. After numbagg (BSD-3)."""
    lives_remaining = limit
    current = np.nan
    for i in range(len(a)):
        val = a[i]
        if np.isnan(val):
            if lives_remaining <= 0:
                current = np.nan
            lives_remaining -= 1
        else:
            lives_remaining = limit
            current = val
        out[i] = current


@guvectorize(["float64[:], int64, int64, float64[:]"], "(n),(),()->(n)")
def move_variance(a, window, ddof, out):
    """By Welford's update, as bottleneck (BSD-2) has it."""
    amean = 0.0
    assqdm = 0.0
    count = 0
    for i in range(a.shape[0]):
        ai = a[i]
        if i < window:
            count += 1
            delta = ai - amean
            amean += delta / count
            assqdm += delta * (ai - amean)
        else:
            aold = a[i - window]
            delta = ai - aold
            aold -= amean
            amean += delta / count
            ai -= amean
            assqdm += (ai + aold) * delta
        if assqdm < 0:
            assqdm = 0.0
        if i < window - 1 or count <= ddof:
            out[i] = np.nan
        else:
            out[i] = assqdm / (count - ddof)


@guvectorize(["float32[:], int64, float32[:]", "float64[:], int64, float64[:]"], "(n),()->(n)")
def move_max(a, window, out):
    """Each element enters and leaves a queue once, as in bottleneck (BSD-2)."""
    queue = np.empty(len(a), dtype=np.int64)
    head = 0
    tail = 0
    for i in range(len(a)):
        while tail > head and a[queue[tail - 1]] <= a[i]:
            tail -= 1
        queue[tail] = i
        tail += 1
        if queue[head] <= i - window:
            head += 1
        out[i] = a[queue[head]]


@guvectorize(["float64[:], int64[:], int64[:], int64, float64[:]"], "(n),(m),(m),()->(m)")
def group_mean(values, start, end, min_periods, output):
    """Means of values[start:end] by Kahan's sums, as pandas' Numba engine (BSD-3) has them."""
    for i in range(len(start)):
        nobs = 0
        total = 0.0
        compensation = 0.0
        for j in range(start[i], end[i]):
            val = values[j]
            if not np.isnan(val):
                nobs += 1
                y = val - compensation
                t = total + y
                compensation = t - total - y
                total = t
        if nobs >= min_periods and nobs > 0:
            output[i] = total / nobs
        else:
            output[i] = np.nan


@guvectorize(["float64[:], float64, float64, int64[:], float64[:], float64[:]"], "(n),(),()->(n),(n),(n)")
def cusum(x, threshold, drift, alarm, gp, gn):
    """Changes up and down, by cumulative sums. After detecta (MIT)."""
    gp[0] = 0.0
    gn[0] = 0.0
    alarm[0] = 0
    for i in range(1, x.size):
        s = x[i] - x[i - 1]
        gp[i] = gp[i - 1] + s - drift
        gn[i] = gn[i - 1] - s - drift
        if gp[i] < 0:
            gp[i] = 0
        if gn[i] < 0:
            gn[i] = 0
        alarm[i] = 0
        if gp[i] > threshold or gn[i] > threshold:
            alarm[i] = 1 if gp[i] > threshold else -1
            gp[i], gn[i] = 0, 0
