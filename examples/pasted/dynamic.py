"""Dynamic programming."""

import numpy as np
from numba import guvectorize, njit


@njit
def dtw(s1, s2):
    """Time warping of two series of vectors. After tslearn (BSD-2)."""
    l1 = s1.shape[0]
    l2 = s2.shape[0]
    cum_sum = np.full((l1 + 1, l2 + 1), np.inf)
    cum_sum[0, 0] = 0.0
    for i in range(l1):
        for j in range(l2):
            dist = 0.0
            for di in range(s1.shape[1]):
                diff = s1[i, di] - s2[j, di]
                dist += diff * diff
            cum_sum[i + 1, j + 1] = dist
            cum_sum[i + 1, j + 1] += min(cum_sum[i, j + 1], cum_sum[i + 1, j], cum_sum[i, j])
    return np.sqrt(cum_sum[l1, l2])


@njit
def msm_cost(x, y, z, c):
    if (y <= x <= z) or (y >= x >= z):
        return c
    return c + min(abs(x - y), abs(x - z))


@njit
def msm(x, y, c):
    """The cost to move, split and merge one series to the other. After aeon (BSD-3)."""
    x_size = x.shape[0]
    y_size = y.shape[0]
    cost_matrix = np.zeros((x_size, y_size))
    cost_matrix[0, 0] = np.abs(x[0] - y[0])
    for i in range(1, x_size):
        cost_matrix[i, 0] = cost_matrix[i - 1, 0] + msm_cost(x[i], x[i - 1], y[0], c)
    for i in range(1, y_size):
        cost_matrix[0, i] = cost_matrix[0, i - 1] + msm_cost(y[i], x[0], y[i - 1], c)
    for i in range(1, x_size):
        for j in range(1, y_size):
            d1 = cost_matrix[i - 1][j - 1] + np.abs(x[i] - y[j])
            d2 = cost_matrix[i - 1][j] + msm_cost(x[i], x[i - 1], y[j], c)
            d3 = cost_matrix[i][j - 1] + msm_cost(y[j], x[i], y[j - 1], c)
            cost_matrix[i, j] = min(d1, d2, d3)
    return cost_matrix[-1, -1]


@njit
def lcs_length(a, b):
    """Of the longest common subsequence, with two rows that change places."""
    n = len(b)
    before = np.zeros(n + 1, dtype=np.int64)
    now = np.zeros(n + 1, dtype=np.int64)
    for i in range(len(a)):
        for j in range(n):
            if a[i] == b[j]:
                now[j + 1] = before[j] + 1
            else:
                now[j + 1] = max(now[j], before[j + 1])
        before, now = now, before
    return before[n]


@njit
def smith_waterman(a, b, match, mismatch, gap):
    """The best local alignment of two sequences; the recurrence of Smith and Waterman."""
    H = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    best = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = match if a[i - 1] == b[j - 1] else mismatch
            H[i, j] = max(0, H[i - 1, j - 1] + score, H[i - 1, j] + gap, H[i, j - 1] + gap)
            best = max(best, H[i, j])
    return best


@njit
def viterbi(log_prob, log_trans, log_p_init):
    """The most likely states of a hidden Markov model, by the full search. After librosa (ISC)."""
    n_steps, n_states = log_prob.shape
    state = np.zeros(n_steps, dtype=np.uint16)
    value = np.zeros((n_steps, n_states), dtype=np.float64)
    ptr = np.zeros((n_steps, n_states), dtype=np.uint16)
    value[0] = log_prob[0] + log_p_init
    for t in range(1, n_steps):
        for j in range(n_states):
            best_cost = -np.inf
            for k in range(n_states):
                cost = value[t - 1, k] + log_trans[k, j]
                if cost > best_cost:
                    ptr[t, j] = k
                    best_cost = cost
            value[t, j] = log_prob[t, j] + best_cost
    state[-1] = np.argmax(value[-1])
    for t in range(n_steps - 2, -1, -1):
        state[t] = ptr[t + 1, state[t + 1]]
    logp = value[-1, state[-1]]
    return state, logp


@guvectorize(["float64[:,:], float64[:,:]"], "(n,n)->(n,n)")
def floyd_warshall(graph, dist):
    """All shortest paths. After SciPy's csgraph (BSD-3)."""
    n = graph.shape[0]
    for i in range(n):
        for j in range(n):
            dist[i, j] = graph[i, j]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d_ijk = dist[i, k] + dist[k, j]
                if d_ijk < dist[i, j]:
                    dist[i, j] = d_ijk


@guvectorize(["int64[:], int64[:], int64, int64[:]"], "(n),(n),()->()")
def knapsack(weights, values, capacity, out):
    """The most worth that fits, each thing once."""
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        for c in range(capacity, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    out[0] = best[capacity]


@guvectorize(["float64[:], int64[:]"], "(n)->()")
def longest_increasing(x, out):
    """Subsequence, by patience."""
    tails = np.empty_like(x)
    size = 0
    for v in x:
        low = 0
        high = size
        while low < high:
            mid = (low + high) // 2
            if tails[mid] < v:
                low = mid + 1
            else:
                high = mid
        tails[low] = v
        size = max(size, low + 1)
    out[0] = size
