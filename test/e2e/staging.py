"""Host arrays' memory on the device, layout and all."""

import numpy as np

from kernapi import CUDA, Tensor


def extent(array):
    """The first and one past the last byte an array touches."""
    if array.size == 0:
        return None
    low = high = array.ctypes.data
    for count, stride in zip(array.shape, array.strides):
        if stride < 0:
            low += (count - 1) * stride
        else:
            high += (count - 1) * stride
    return low, high + array.itemsize


class Staging:
    """Device copies of the memory that a set of host arrays lies in."""

    def __init__(self, lib, arrays, device=(CUDA, 0)):
        self.lib = lib
        self.device = device
        spans = sorted({e for e in map(extent, arrays) if e})
        merged = []
        for low, high in spans:
            if merged and low < merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], high)
            else:
                merged.append([low, high])
        self.buffers = []  # (low, high, device array, bytes before low)
        for low, high in merged:
            pad = low % 64  # the alignment of the host pointer is kept
            buffer = lib.new_array(np.uint8, (pad + high - low,), device)
            lib.assign(self._bytes(buffer.pointer + pad, high - low).c,
                       Tensor(low, np.uint8, (high - low,), (1,)).c)
            self.buffers.append((low, high, buffer, pad))

    def _bytes(self, pointer, count):
        return Tensor(pointer, np.uint8, (count,), (1,), self.device)

    def tensor(self, array):
        span = extent(array)
        if span is None:
            return Tensor.of(array, 0, self.device)
        for low, high, buffer, pad in self.buffers:
            if low <= span[0] < high:
                pointer = buffer.pointer + pad + array.ctypes.data - low
                return Tensor.of(array, pointer, self.device)
        raise AssertionError("array was not staged")

    def bring_back(self, outs):
        for low, high, buffer, pad in self.buffers:
            if any(e and low <= e[0] < high for e in map(extent, outs)):
                self.lib.assign(
                    Tensor(low, np.uint8, (high - low,), (1,)).c,
                    self._bytes(buffer.pointer + pad, high - low).c)
