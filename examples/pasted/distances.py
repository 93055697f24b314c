"""Distances between rows of numbers, as UMAP and PyNNDescent have them.

The formulas and their order are those of umap-learn (BSD-3) and pynndescent
(BSD-2), where each function takes two rows.
"""

import numpy as np
from numba import njit


@njit
def bray_curtis(x, y):
    """The sum of the differences over the sum of the sums."""
    numerator = 0.0
    denominator = 0.0
    for i in range(x.shape[0]):
        numerator += np.abs(x[i] - y[i])
        denominator += np.abs(x[i] + y[i])
    if denominator > 0.0:
        return float(numerator) / denominator
    else:
        return 0.0


@njit
def canberra(x, y):
    result = 0.0
    for i in range(x.shape[0]):
        denominator = np.abs(x[i]) + np.abs(y[i])
        if denominator > 0:
            result += np.abs(x[i] - y[i]) / denominator
    return result


@njit
def jaccard(x, y):
    """How few of the places that one of both sets have both."""
    non_zero = 0.0
    equal = 0.0
    for i in range(x.shape[0]):
        x_true = x[i] != 0
        y_true = y[i] != 0
        non_zero += x_true or y_true
        equal += x_true and y_true
    if non_zero == 0.0:
        return 0.0
    else:
        return float(non_zero - equal) / non_zero


@njit
def yule(x, y):
    true_true = 0.0
    true_false = 0.0
    false_true = 0.0
    for i in range(x.shape[0]):
        x_true = x[i] != 0
        y_true = y[i] != 0
        true_true += x_true and y_true
        true_false += x_true and (not y_true)
        false_true += (not x_true) and y_true
    false_false = x.shape[0] - true_true - true_false - false_true
    if true_false == 0.0 or false_true == 0.0:
        return 0.0
    else:
        return (2.0 * true_false * false_true) / (true_true * false_false + true_false * false_true)


@njit
def correlation(x, y):
    mu_x = 0.0
    mu_y = 0.0
    norm_x = 0.0
    norm_y = 0.0
    dot_product = 0.0
    for i in range(x.shape[0]):
        mu_x += x[i]
        mu_y += y[i]
    mu_x /= x.shape[0]
    mu_y /= x.shape[0]
    for i in range(x.shape[0]):
        shifted_x = x[i] - mu_x
        shifted_y = y[i] - mu_y
        norm_x += shifted_x ** 2
        norm_y += shifted_y ** 2
        dot_product += shifted_x * shifted_y
    if norm_x == 0.0 and norm_y == 0.0:
        return 0.0
    elif dot_product == 0.0:
        return 1.0
    else:
        return 1.0 - (dot_product / np.sqrt(norm_x * norm_y))


@njit
def hellinger(x, y):
    result = 0.0
    norm_x = 0.0
    norm_y = 0.0
    for i in range(x.shape[0]):
        result += np.sqrt(x[i] * y[i])
        norm_x += x[i]
        norm_y += y[i]
    if norm_x == 0 and norm_y == 0:
        return 0.0
    elif norm_x == 0 or norm_y == 0:
        return 1.0
    else:
        return np.sqrt(1 - result / np.sqrt(norm_x * norm_y))


@njit
def poincare(u, v):
    """In the disk of hyperbolic geometry; of whole rows at once."""
    sq_u_norm = np.sum(u * u)
    sq_v_norm = np.sum(v * v)
    sq_dist = np.sum(np.power(u - v, 2))
    return np.arccosh(1 + 2 * (sq_dist / ((1 - sq_u_norm) * (1 - sq_v_norm))))


@njit
def wasserstein_1d(x, y, p):
    """Between two histograms, by their running sums."""
    x_sum = 0.0
    y_sum = 0.0
    for i in range(x.shape[0]):
        x_sum += x[i]
        y_sum += y[i]
    x_cdf = np.zeros(x.shape[0])
    y_cdf = np.zeros(y.shape[0])
    x_cdf[0] = x[0] / x_sum
    y_cdf[0] = y[0] / y_sum
    for i in range(1, x.shape[0]):
        x_cdf[i] = x_cdf[i - 1] + x[i] / x_sum
        y_cdf[i] = y_cdf[i - 1] + y[i] / y_sum
    if p > 2:
        result = 0.0
        for i in range(x_cdf.shape[0]):
            result += np.abs(x_cdf[i] - y_cdf[i]) ** p
        return result ** (1.0 / p)
    elif p == 2:
        result = 0.0
        for i in range(x_cdf.shape[0]):
            val = x_cdf[i] - y_cdf[i]
            result += val * val
        return np.sqrt(result)
    else:
        result = 0.0
        for i in range(x_cdf.shape[0]):
            result += np.abs(x_cdf[i] - y_cdf[i])
        return result


@njit
def mahalanobis(x, y, vinv):
    result = 0.0
    diff = np.empty(x.shape[0], dtype=np.float64)
    for i in range(x.shape[0]):
        diff[i] = x[i] - y[i]
    for i in range(x.shape[0]):
        tmp = 0.0
        for j in range(x.shape[0]):
            tmp += vinv[i, j] * diff[j]
        result += tmp * diff[i]
    return np.sqrt(result)
