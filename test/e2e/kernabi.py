"""The types and functions of Kern's C interface (kern/kern.h, options.h,
compile.h) for ctypes."""

import ctypes as C

import numpy as np

try:
    import ml_dtypes
    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # tests with bf16 arrays are then skipped
    BFLOAT16 = None

OK, COMPILE, ARTEFACT, NOT_FOUND, ARGUMENT, TYPE, SHAPE = range(7)
OVERLAP, MEMORY, DEVICE, IO, CHECK, CANCELLED, INTERNAL = 7, 8, 9, 10, 11, 12, 70
ALL_GPUS, AUTO = -1, -2
STATUS_NAMES = {
    0: "OK", 1: "COMPILE", 2: "ARTEFACT", 3: "NOT_FOUND", 4: "ARGUMENT",
    5: "TYPE", 6: "SHAPE", 7: "OVERLAP", 8: "MEMORY", 9: "DEVICE", 10: "IO",
    11: "CHECK", 12: "CANCELLED", 70: "INTERNAL",
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


class Sized(C.Structure):
    """A struct that begins with its size."""

    def __init__(self, *fields, **named):
        super().__init__(C.sizeof(type(self)), *fields, **named)


class DeviceInfo(Sized):
    _fields_ = [
        ("size", C.c_size_t), ("name", C.c_char * 128), ("compute_capability", C.c_int),
        ("multiprocessors", C.c_int), ("memory", C.c_uint64),
        ("memory_free", C.c_uint64),
    ]


class Range(C.Structure):
    _fields_ = [("start", C.c_int64), ("stop", C.c_int64), ("step", C.c_int64)]


class ValueUnion(C.Union):
    _fields_ = [
        ("array", C.POINTER(DLTensor)), ("range", C.POINTER(Range)), ("integer", C.c_int64),
        ("real", C.c_double), ("complex_parts", C.c_double * 2),
        ("bits", C.c_ubyte * 16),
    ]


class Value(C.Structure):
    _fields_ = [("kind", C.c_int32), ("dtype", C.c_int32), ("as_", ValueUnion)]


class Axes(C.Structure):
    _fields_ = [("axes", C.POINTER(C.c_int64)), ("count", C.c_size_t)]


#: int step(void *context, uint64_t done, uint64_t total)
STEP = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_uint64, C.c_uint64)


class Progress(C.Structure):
    _fields_ = [("context", C.c_void_p), ("step", STEP)]


class Options(Sized):
    _fields_ = [
        ("size", C.c_size_t), ("has_device", C.c_int), ("device", DLDevice),
        ("stream", C.c_void_p), ("axis", C.POINTER(Axes)),
        ("axes", C.POINTER(Axes)), ("axes_count", C.c_size_t),
        ("keepdims", C.c_int), ("order", C.c_int), ("casting", C.c_int),
        ("has_dtype", C.c_int), ("dtype", C.c_int),
        ("signature", C.POINTER(C.c_int)), ("where", C.POINTER(DLTensor)),
        ("explanation", C.c_char_p), ("explanation_size", C.c_size_t),
        ("allocator", C.c_void_p), ("threads", C.c_int),
        ("shape", C.POINTER(C.c_int64)), ("shape_ndim", C.c_int),
        ("progress", C.POINTER(Progress)), ("sharded_where", C.c_void_p),
    ]


class CompileOptions(Sized):
    _fields_ = [
        ("size", C.c_size_t), ("fp_mode", C.c_int32), ("checks", C.c_uint32),
        ("remarks", C.c_int32), ("reserved", C.c_int32),
    ]


class Report(Sized):
    _fields_ = [
        ("size", C.c_size_t),
        ("device", DLDevice), ("kernel", C.c_char * 192), ("form", C.c_char * 32),
        ("grid", C.c_uint), ("block", C.c_uint), ("group", C.c_uint),
        ("elements", C.c_int64),
    ]


class Rates(Sized):
    _fields_ = [
        ("size", C.c_size_t), ("to_device", C.c_double), ("to_host", C.c_double),
        ("copied", C.c_double), ("start", C.c_double),
    ]


TEXT = C.c_char_p
# The functions: name, result, arguments.
FUNCTIONS = [
    ("kern_last_error", TEXT, []),
    ("kern_version", TEXT, []),
    ("kern_cuda_device_count", C.c_int, []),
    ("kern_cuda_unavailable_reason", TEXT, []),
    ("kern_device_describe", C.c_int, [DLDevice, C.POINTER(DeviceInfo)]),
    ("kern_default_device", DLDevice, []),
    ("kern_device_rates", C.c_int, [DLDevice, C.c_int, C.POINTER(Rates)]),
    ("kern_compile_source", C.c_int,
     [TEXT, C.c_size_t, TEXT, C.POINTER(C.c_void_p)]),
    ("kern_compile_source_with", C.c_int,
     [TEXT, C.c_size_t, TEXT, C.POINTER(CompileOptions),
      C.POINTER(C.c_void_p)]),
    ("kern_compile_file", C.c_int, [TEXT, C.POINTER(C.c_void_p)]),
    ("kern_load_file", C.c_int, [TEXT, C.POINTER(C.c_void_p)]),
    ("kern_load_text", C.c_int,
     [TEXT, C.c_size_t, C.POINTER(C.c_void_p)]),
    ("kern_module_release", None, [C.c_void_p]),
    ("kern_module_function_count", C.c_size_t, [C.c_void_p]),
    ("kern_module_function_at", C.c_void_p, [C.c_void_p, C.c_size_t]),
    ("kern_module_find", C.c_int,
     [C.c_void_p, TEXT, C.POINTER(C.c_void_p)]),
    ("kern_module_manifest", TEXT, [C.c_void_p]),
    ("kern_function_name", TEXT, [C.c_void_p]),
    ("kern_function_input_count", C.c_size_t, [C.c_void_p]),
    ("kern_function_output_count", C.c_size_t, [C.c_void_p]),
    ("kern_function_signature", TEXT, [C.c_void_p]),
    ("kern_array_new", C.c_int,
     [C.c_int, C.c_int, C.POINTER(C.c_int64), DLDevice,
      C.POINTER(ManagedPointer)]),
    ("kern_array_copy", C.c_int,
     [C.POINTER(DLTensor), DLDevice, C.POINTER(ManagedPointer)]),
    ("kern_array_assign", C.c_int,
     [C.POINTER(DLTensor), C.POINTER(DLTensor)]),
    ("kern_npy_read", C.c_int, [TEXT, C.POINTER(ManagedPointer)]),
    ("kern_npy_write", C.c_int, [TEXT, C.POINTER(DLTensor)]),
    ("kern_call", C.c_int,
     [C.c_void_p, C.POINTER(Value), C.c_size_t,
      C.POINTER(C.POINTER(DLTensor)), C.POINTER(ManagedPointer),
      C.c_size_t, C.POINTER(Options), C.POINTER(Report)]),
    ("kern_bind_arguments", C.c_int,
     [C.c_void_p, C.POINTER(Value), C.c_size_t, C.POINTER(TEXT),
      C.POINTER(Value), C.c_size_t, C.POINTER(Value), C.c_size_t]),
    ("kern_function_default_text", TEXT, [C.c_void_p, C.c_size_t]),
    ("kern_function_default", C.c_int,
     [C.c_void_p, C.c_size_t, C.POINTER(Value)]),
    ("kern_synchronize", C.c_int, [DLDevice]),
]
