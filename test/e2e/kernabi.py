"""The types of Kern's C interface (kern/kern.h, options.h, compile.h) for ctypes,
and its options in the words of NumPy."""

import ctypes as C

import numpy as np

try:
    import ml_dtypes
    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # then what needs bf16 arrays is skipped
    BFLOAT16 = None

OK, COMPILE, ARTEFACT, NOT_FOUND, ARGUMENT, TYPE, SHAPE = range(7)
OVERLAP, MEMORY, DEVICE, IO, CHECK, INTERNAL = 7, 8, 9, 10, 11, 70
STATUS_NAMES = {
    0: "OK", 1: "COMPILE", 2: "ARTEFACT", 3: "NOT_FOUND", 4: "ARGUMENT",
    5: "TYPE", 6: "SHAPE", 7: "OVERLAP", 8: "MEMORY", 9: "DEVICE", 10: "IO",
    11: "CHECK", 70: "INTERNAL",
}

# kern_dtype, NumPy's type, DLPack's code.
DTYPES = [
    ("bool", np.bool_, 6), ("i8", np.int8, 0), ("u8", np.uint8, 1),
    ("i16", np.int16, 0), ("u16", np.uint16, 1), ("i32", np.int32, 0),
    ("u32", np.uint32, 1), ("i64", np.int64, 0), ("u64", np.uint64, 1),
    ("f16", np.float16, 2), ("bf16", BFLOAT16, 4), ("f32", np.float32, 2),
    ("f64", np.float64, 2), ("c64", np.complex64, 5),
    ("c128", np.complex128, 5),
]
KERN_NAME = {np.dtype(t): name for name, t, _ in DTYPES if t}
NUMPY_TYPE = {name: np.dtype(t) for name, t, _ in DTYPES if t}
ENUM = {np.dtype(t): i for i, (_, t, _) in enumerate(DTYPES) if t}
DL_CODE = {np.dtype(t): code for _, t, code in DTYPES if t}
DL_TO_NUMPY = {
    (code, np.dtype(t).itemsize * 8): np.dtype(t) for _, t, code in DTYPES if t
}
CPU, CUDA = 1, 2


class DLDevice(C.Structure):
    _fields_ = [("device_type", C.c_int32), ("device_id", C.c_int32)]


class DLDataType(C.Structure):
    _fields_ = [("code", C.c_uint8), ("bits", C.c_uint8), ("lanes", C.c_uint16)]


class DLTensor(C.Structure):
    _fields_ = [
        ("data", C.c_void_p), ("device", DLDevice), ("ndim", C.c_int32),
        ("dtype", DLDataType), ("shape", C.POINTER(C.c_int64)),
        ("strides", C.POINTER(C.c_int64)), ("byte_offset", C.c_uint64),
    ]


class DLManagedTensor(C.Structure):
    pass


DLManagedTensor._fields_ = [
    ("dl_tensor", DLTensor), ("manager_ctx", C.c_void_p),
    ("deleter", C.CFUNCTYPE(None, C.POINTER(DLManagedTensor))),
]
ManagedPointer = C.POINTER(DLManagedTensor)


class DeviceInfo(C.Structure):
    _fields_ = [
        ("name", C.c_char * 128), ("compute_capability", C.c_int),
        ("multiprocessors", C.c_int), ("memory", C.c_uint64),
        ("memory_free", C.c_uint64),
    ]


class ValueUnion(C.Union):
    _fields_ = [
        ("array", C.POINTER(DLTensor)), ("integer", C.c_int64),
        ("real", C.c_double), ("complex_parts", C.c_double * 2),
        ("bits", C.c_ubyte * 16),
    ]


class Value(C.Structure):
    _fields_ = [("kind", C.c_int32), ("dtype", C.c_int32), ("as_", ValueUnion)]


class Axes(C.Structure):
    _fields_ = [("axes", C.POINTER(C.c_int64)), ("count", C.c_size_t)]


class Options(C.Structure):
    _fields_ = [
        ("size", C.c_size_t), ("has_device", C.c_int), ("device", DLDevice),
        ("stream", C.c_void_p), ("axis", C.POINTER(Axes)),
        ("axes", C.POINTER(Axes)), ("axes_count", C.c_size_t),
        ("keepdims", C.c_int), ("order", C.c_int), ("casting", C.c_int),
        ("has_dtype", C.c_int), ("dtype", C.c_int),
        ("signature", C.POINTER(C.c_int)), ("where", C.POINTER(DLTensor)),
    ]


class CompileOptions(C.Structure):
    _fields_ = [("size", C.c_size_t), ("fp_mode", C.c_int32),
                ("checks", C.c_uint32)]


CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
ORDERS = "KCFA"
ALL_AXES = "all"


def fill_axes(c, axes, keep):
    """`axes`: an int, a tuple of them, or ALL_AXES."""
    if axes == ALL_AXES:
        return
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    memory = (C.c_int64 * max(len(axes), 1))(*axes)
    keep.append(memory)
    c.axes = C.cast(memory, C.POINTER(C.c_int64))
    c.count = len(axes)


def call_options(keep, tensor, device=None, axis=None, axes=None,
                 keepdims=False, order=None, casting=None, dtype=None,
                 signature=None, where=None):
    """kern_call_options in the words of NumPy. `signature` has a type or None
    for each input and result, `axis` may be ALL_AXES; what the options point
    at is appended to `keep`."""
    options = Options(size=C.sizeof(Options))
    if device is not None:
        options.has_device = 1
        options.device = DLDevice(*device)
    if axis is not None:
        one = Axes()
        fill_axes(one, axis, keep)
        keep.append(one)
        options.axis = C.pointer(one)
    if axes is not None:
        many = (Axes * max(len(axes), 1))()
        for c, entry in zip(many, axes):
            fill_axes(c, entry, keep)
        keep.append(many)
        options.axes = C.cast(many, C.POINTER(Axes))
        options.axes_count = len(axes)
    options.keepdims = keepdims
    if order is not None:
        options.order = 1 + ORDERS.index(order)
    if casting is not None:
        options.casting = 1 + CASTINGS.index(casting)
    if dtype is not None:
        options.has_dtype, options.dtype = 1, ENUM[np.dtype(dtype)]
    if signature is not None:
        types = (C.c_int * len(signature))(
            *[-1 if t is None else ENUM[np.dtype(t)] for t in signature])
        keep.append(types)
        options.signature = C.cast(types, C.POINTER(C.c_int))
    if where is not None:
        mask = tensor(where)
        keep.append(mask)
        options.where = C.pointer(mask.c)
    return options


class Report(C.Structure):
    _fields_ = [
        ("device", DLDevice), ("kernel", C.c_char * 192), ("form", C.c_char * 32),
        ("grid", C.c_uint), ("block", C.c_uint), ("group", C.c_uint),
        ("elements", C.c_int64),
    ]
