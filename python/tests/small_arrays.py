"""A small array library. Its arrays have DLPack and the views of the array API,
and nothing else in common with NumPy's. This module is its namespace."""

import sys

import numpy as np


class Array:
    def __init__(self, array):
        self.array = array

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)
    ndim = property(lambda self: self.array.ndim)

    def __dlpack__(self, *, stream=None, max_version=None, **rest):
        assert stream is None
        return self.array.__dlpack__(max_version=max_version)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __array_namespace__(self, api_version=None):
        return sys.modules[__name__]

    def __array__(self, *args, **keywords):
        raise TypeError("not to be turned into NumPy's")

    def __getitem__(self, index):
        plain = tuple(map(_plain, index)) if isinstance(index, tuple) else _plain(index)
        return Array(self.array[plain])

    def __setitem__(self, index, value):
        self.array[index] = _plain(value)

    def reshape(self, *shape):
        return Array(self.array.reshape(*shape))

    def cpu(self):
        return self.array


def _plain(one):
    return one.array if isinstance(one, Array) else one


def from_dlpack(array):
    return Array(np.from_dlpack(array))


def asarray(values):
    return Array(np.array(_plain(values)))


def broadcast_to(array, shape):
    # DLPack of NumPy's own takes no read-only arrays.
    return Array(np.broadcast_to(array.array, shape).copy())


def reshape(array, shape):
    return array.reshape(shape)
