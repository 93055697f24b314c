/*===- kern/kern.h - the C interface of Kern ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Arrays are DLPack tensors. Every function that can fail returns a          *|
|* kern_status; kern_last_error() then has this thread's message. Nothing     *|
|* here throws, prints, exits or aborts, with one exception when a            *|
|* compilation runs out of memory (kern/compile.h).                           *|
|*                                                                            *|
|* Threads. Each function says which threads may be in it at once:            *|
|*   any   Any number of threads, also with the same objects.                 *|
|*   last  It destroys an object. No other thread may be using the object or  *|
|*         anything that belongs to it, then or later.                        *|
|* The caller synchronises access to its own memory: during a call no other   *|
|* thread may write what the call reads, or read or write what it writes. On  *|
|* a GPU the call lasts until the stream has completed it.                    *|
|*                                                                            *|
|* NULL is KERN_ERROR_ARGUMENT unless a comment allows it; functions that     *|
|* return no status then return "", 0 or NULL.                                *|
|*                                                                            *|
|* Structs that begin with `size` may grow at their end in later versions.    *|
|* Set it to sizeof of the struct. A size that no version had is              *|
|* KERN_ERROR_ARGUMENT. In a struct that the library reads, members that it   *|
|* does not know must be 0, or the call is KERN_ERROR_ARGUMENT. In one that   *|
|* it fills they become 0; a failed call leaves the struct unchanged.         *|
|*                                                                            *|
|* Versions. The binary interface stays compatible within a minor version     *|
|* before 1.0, and within a major version from 1.0 on; the SONAME is that     *|
|* version, libkern.so.0.1. Within it functions, enumerators and structs are  *|
|* neither removed nor changed. New ones are added, and new members to        *|
|* structs that have `size`: docs/reference/versions.md.                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_KERN_H
#define KERN_KERN_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define KERN_API
#else
#define KERN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header; kern_version() is the library's. */
#define KERN_VERSION_MAJOR 0
#define KERN_VERSION_MINOR 1
#define KERN_VERSION_PATCH 0
#define KERN_VERSION "0.1.0"
/** Whether this header is of that version or a later one; for `#if` too. */
#define KERN_VERSION_AT_LEAST(major, minor, patch)                             \
  (KERN_VERSION_MAJOR != (major)   ? KERN_VERSION_MAJOR > (major)              \
   : KERN_VERSION_MINOR != (minor) ? KERN_VERSION_MINOR > (minor)              \
                                   : KERN_VERSION_PATCH >= (patch))

/** DLPack's type code for bool (DLPack 0.8 and later name it kDLBool). */
#define KERN_DL_BOOL 6

typedef enum kern_status {
  KERN_OK = 0,
  KERN_ERROR_COMPILE = 1,   /**< the source has errors; see the diagnostics */
  KERN_ERROR_ARTEFACT = 2,  /**< a compiled file is malformed or too new */
  KERN_ERROR_NOT_FOUND = 3, /**< no such file, function or device */
  KERN_ERROR_ARGUMENT = 4,  /**< wrong number or kind of arguments */
  KERN_ERROR_TYPE = 5,      /**< no loop for the types, or a cast refused */
  KERN_ERROR_SHAPE = 6,     /**< shapes that do not fit together */
  KERN_ERROR_OVERLAP = 7,   /**< outputs that overlap one another */
  KERN_ERROR_MEMORY = 8,    /**< out of memory, on the host or the device */
  KERN_ERROR_DEVICE = 9, /**< the driver refused; the message names the call */
  KERN_ERROR_IO = 10,    /**< a file could not be read or written */
  KERN_ERROR_CHECK = 11, /**< a check of the program failed (kern_check) */
  KERN_ERROR_CANCELLED = 12, /**< the caller ended the call (kern_progress) */
  KERN_ERROR_INTERNAL = 70   /**< a defect in Kern */
} kern_status;

typedef enum kern_dtype {
  KERN_BOOL,
  KERN_I8,
  KERN_U8,
  KERN_I16,
  KERN_U16,
  KERN_I32,
  KERN_U32,
  KERN_I64,
  KERN_U64,
  KERN_F16,
  KERN_BF16,
  KERN_F32,
  KERN_F64,
  KERN_C64,
  KERN_C128
} kern_dtype;

/** The message of the last failure on this thread; "" if none. Valid until the
    next failing call on this thread. kern/diagnostics.h has the same as data,
    where a source was refused. Threads: any, each with its own. */
KERN_API const char *kern_last_error(void);
/** The version of the library, "0.1.0". Threads: any. */
KERN_API const char *kern_version(void);

/*--- Devices ---------------------------------------------------------------*/

/** A device. The CPU is {kDLCPU, 0}; GPUs are {kDLCUDA, 0 …}. DLPack does not
    number CPUs: as a parameter, {kDLCPU, n} and kDLCUDAHost mean the CPU too,
    but new arrays and copies are page-locked with the latter. */
typedef DLDevice kern_device;

typedef struct kern_device_info {
  size_t size; /**< sizeof(kern_device_info) */
  char name[128];
  int compute_capability; /**< 90 for sm_90; 0 for the CPU */
  int multiprocessors;    /**< cores of the CPU */
  uint64_t memory;        /**< bytes in all */
  uint64_t memory_free;   /**< bytes free now */
} kern_device_info;

/** How many CUDA devices can be used. 0 if there is none; never fails.
    Threads: any. */
KERN_API int kern_cuda_device_count(void);
/** Why there is no CUDA device ("the driver library libcuda.so.1 is not
    installed"); "" if there is one. Valid until the process ends. Threads: any.
 */
KERN_API const char *kern_cuda_unavailable_reason(void);
/** Fills `info`. KERN_ERROR_NOT_FOUND for no device of ours. Threads: any. */
KERN_API kern_status kern_device_describe(kern_device device,
                                          kern_device_info *info);
/** Where calls on host arrays run if they ask for no device: where the thread
    says (kern/streams.h), else what KERN_DEVICE names (kern/places.h), else the
    CPU. Threads: any. */
KERN_API kern_device kern_default_device(void);

/*--- Modules and functions -------------------------------------------------*/

typedef struct kern_module kern_module;
/** Belongs to its module and lives as long as it. */
typedef struct kern_function kern_function;

/** Compiles source text (library `kern`, not `kern_runtime`). `file_name` is
    for messages, NULL is "<source>"; `text` may be NULL if `length` is 0. On
    KERN_ERROR_COMPILE, kern_last_error() holds the rendered diagnostics and
    kern_last_diagnostics() the same as data. Loops are compiled when a call
    first needs them. Threads: any. */
KERN_API kern_status kern_compile_source(const char *text, size_t length,
                                         const char *file_name,
                                         kern_module **module);
/** The same of a file. Threads: any. */
KERN_API kern_status kern_compile_file(const char *path, kern_module **module);
/** Sets the folders in which this process looks for imported modules, after the
    file's own and before those of the variable KERN_PATH: separated by `:`.
    NULL or "" is none. Threads: any; a compilation that runs at the same time
    uses either the old or the new folders. */
KERN_API kern_status kern_set_include_path(const char *folders);
/** Loads a compiled `.ptx` file. Needs no compiler. Threads: any. */
KERN_API kern_status kern_load_file(const char *path, kern_module **module);
/** The same of a text in memory, which is copied. Threads: any. */
KERN_API kern_status kern_load_text(const char *ptx, size_t length,
                                    kern_module **module);
/** Frees a module with its functions and all text that it gave. NULL: nothing.
    Threads: last; no other thread may be in a call of the module's functions.

    Calls that have returned are safe: the release waits for the GPUs that have
    code of the module, so that enqueued work completes. Results and prepared
    calls stay valid. Graphs that captured calls do not: they must not be
    launched again. Nothing may be captured on such a GPU during a release,
    because a GPU cannot be waited for while it captures. */
KERN_API void kern_module_release(kern_module *module);

/** Threads: any. */
KERN_API size_t kern_module_function_count(const kern_module *module);
/** In the source's order; NULL if `index` is not below the count. Threads:
    any. */
KERN_API kern_function *kern_module_function_at(kern_module *module,
                                                size_t index);
/** KERN_ERROR_NOT_FOUND names the function nearest in name. Threads: any. */
KERN_API kern_status kern_module_find(kern_module *module, const char *name,
                                      kern_function **function);
/** The manifest as JSON; valid as long as the module. Threads: any. */
KERN_API const char *kern_module_manifest(const kern_module *module);

/** Valid as long as the module. Threads: any. */
KERN_API const char *kern_function_name(const kern_function *function);
/** The number of parameters, including `dim`s. Threads: any. */
KERN_API size_t kern_function_input_count(const kern_function *function);
/** Results. Threads: any. */
KERN_API size_t kern_function_output_count(const kern_function *function);
/** NumPy's form: "(m,k),(k,n)->(m,n)". Valid as long as the module. Threads:
    any. */
KERN_API const char *kern_function_signature(const kern_function *function);

/*--- Arrays ----------------------------------------------------------------*/

/** {kDLOpaqueHandle, 0, 0} for what is not a kern_dtype. Threads: any. */
KERN_API DLDataType kern_dtype_to_dl(kern_dtype dtype);
/** KERN_ERROR_TYPE for a type that Kern does not have. Threads: any. */
KERN_API kern_status kern_dtype_from_dl(DLDataType type, kern_dtype *dtype);

/** A new C-contiguous array with undefined contents and strides, in page-locked
    memory for {kDLCUDAHost, n} if GPU n is there. `shape` may be NULL if `ndim`
    is 0. Release it, in any one thread, by `array->deleter`. Threads: any. */
KERN_API kern_status kern_array_new(kern_dtype dtype, int ndim,
                                    const int64_t *shape, kern_device device,
                                    DLManagedTensor **array);
/** A C-contiguous copy of `source`, whatever its strides, on `device`. Blocks
    until done. Threads: any. */
KERN_API kern_status kern_array_copy(const DLTensor *source, kern_device device,
                                     DLManagedTensor **array);
/** Copies `source` into `destination` (same shape and type, any strides, any
    devices). Blocks until done. Threads: any. */
KERN_API kern_status kern_array_assign(const DLTensor *destination,
                                       const DLTensor *source);
/** Reads a `.npy` file into a host array; memory order is kept. Threads: any.
 */
KERN_API kern_status kern_npy_read(const char *path, DLManagedTensor **array);
/** Writes an array (of any device) as `.npy`: to a temporary file beside
    `path`, which is then renamed, so that no half-written file is left.
    Threads: any; of several that write one path at once, one file stays. */
KERN_API kern_status kern_npy_write(const char *path, const DLTensor *array);

/*--- Calls -----------------------------------------------------------------*/

typedef enum kern_value_kind {
  KERN_VALUE_ARRAY,        /**< `array` */
  KERN_VALUE_SCALAR,       /**< a number of type `dtype` in `bits` */
  KERN_VALUE_WEAK_INT,     /**< `integer`, as a plain Python int */
  KERN_VALUE_WEAK_FLOAT,   /**< `real` */
  KERN_VALUE_WEAK_COMPLEX, /**< `complex_parts` */
  KERN_VALUE_RANGE         /**< `range` */
} kern_value_kind;

/** start, start + step, … up to but not including `stop`, as Python's range():
    empty if `stop` is not beyond `start`. `step` is not 0. As an argument it is
    an array of i64 with one dimension that takes no memory: a ufunc's kernel
    computes its elements. */
typedef struct kern_range {
  int64_t start, stop, step;
} kern_range;

/** One argument of a call. */
typedef struct kern_value {
  kern_value_kind kind;
  kern_dtype dtype;
  union {
    const DLTensor *array;
    const kern_range *range;
    int64_t integer;
    double real;
    double complex_parts[2];
    unsigned char bits[16];
  } as;
} kern_value;

typedef struct kern_call_options {
  size_t size;    /**< sizeof(kern_call_options), or of the longer struct that
                       it begins (kern/options.h) */
  int has_device; /**< 0: the device of the arrays (kern_call) */
  kern_device device;
  void *stream; /**< a CUstream (kern/streams.h); NULL: the default stream */
} kern_call_options;

/** What a call did: for logs and benchmarks. */
typedef struct kern_call_report {
  size_t size; /**< sizeof(kern_call_report) */
  kern_device device;
  char kernel[192]; /**< the kernel's symbol */
  char form[32];    /**< "contiguous", "inner", "tiled", "strided", "general",
                         "streamed" (docs/explanation/kernel-abi.md), or
                         "cuBLAS", which computed a product; "" if no kernel
                         ran */
  unsigned grid, block, group; /**< host: threads, 1, 1; cuBLAS: calls, 0, 0 */
  int64_t elements;            /**< loop elements */
} kern_call_report;

/**
 * Calls a function over arrays with NumPy's rules: loop resolution,
 * broadcasting, core dimensions.
 *
 * `outputs[i]`: NULL, or an array to write to (`same_kind` casting), to which
 * the inputs broadcast. `results[i]`: set to a new array where `outputs[i]` was
 * NULL, else to NULL. `outputs` itself may be NULL.
 *
 * A call runs on the device that the options ask for, else where its arrays
 * are: inputs, outputs and mask. With numbers alone it runs on the CPU. Only
 * functions of compiled `.ptx` files, which no CPU runs, take the first GPU
 * then, and for host arrays. Arrays on two devices, the host being one, are
 * KERN_ERROR_ARGUMENT; host arrays without dimensions count as numbers.
 *
 * If the arrays are on a GPU, so are new results, and the call returns once it
 * is enqueued on the stream. Otherwise results are host arrays, also of a call
 * that runs on a GPU, and the call returns when they are complete. A failed
 * call may have changed the contents of `outputs`, and nothing else.
 *
 * Graphs: a call on a stream that is being captured needs all arrays on its
 * device; numbers, and host arrays without dimensions, are captured by value. A
 * call that would copy between host and device, or that has checks, is
 * KERN_ERROR_ARGUMENT, with nothing enqueued. Make each call once before the
 * capture: the first one loads its code. From sm_90 on captured calls are
 * joined by programmatic edges (CUDA 12.3), so that a kernel starts while the
 * one before it ends. Driver functions that do not know such edges, as the
 * first cuGraphNodeGetDependencies, refuse these graphs. The environment
 * variable KERN_EARLY_LAUNCH=0 turns them off.
 *
 * The last arguments may be left out where their parameters have defaults:
 * `input_count` is smaller then. kern_bind_arguments() (kern/options.h) takes
 * arguments by name.
 * `inputs` may be NULL if `input_count` is 0, `results` if every result has an
 * output. `options` and `report` may be NULL.
 *
 * Threads: any, also with one function, if no two calls write to the same
 * array.
 */
KERN_API kern_status kern_call(kern_function *function,
                               const kern_value *inputs, size_t input_count,
                               const DLTensor *const *outputs,
                               DLManagedTensor **results, size_t output_count,
                               const kern_call_options *options,
                               kern_call_report *report);

/*--- Prepared calls --------------------------------------------------------*/

/** A call with everything fixed but pointers, scalars and stream: types,
    shapes, strides, device and kernel are decided. It stays valid after its
    module is released. */
typedef struct kern_prepared kern_prepared;

/**
 * Plans a call and compiles its kernel, without running it.
 *
 * The arguments are those of kern_call(), with an array for every result. The
 * contents of the arrays do not matter. Their addresses do: the plan depends on
 * their alignment, and on which written arrays overlap others.
 *
 * Fails as kern_call() does, and with KERN_ERROR_ARGUMENT for a call that takes
 * more than one launch: where an array would be copied to another device,
 * copied because another one overwrites it, or converted before the kernel
 * runs (kernels of ufuncs convert; those of compiled files do on the CPU only).
 * The message says which. `where` cannot be prepared. `options` may be NULL.
 * Threads: any.
 */
KERN_API kern_status kern_prepare(kern_function *function,
                                  const kern_value *inputs, size_t input_count,
                                  const DLTensor *const *outputs,
                                  size_t output_count,
                                  const kern_call_options *options,
                                  kern_prepared **prepared);
/**
 * Runs the call. `inputs[i]` points to the element at index 0, 0, … of an
 * array; for a number, to its value in host memory: of the type that was
 * prepared, or an int64_t, a double or two doubles if it was weak. The entry of
 * a `dim` parameter is not read, since its value is fixed, but it counts.
 * `outputs[i]` points to the array for result i. There are as many inputs as
 * kern_prepare() was given; the others keep their defaults. A range is fixed:
 * its entry is not read.
 *
 * KERN_ERROR_ARGUMENT for a wrong number of inputs or outputs, for NULL, and
 * for an address of another alignment than the prepared one; KERN_ERROR_TYPE
 * for a weak integer of another range; KERN_ERROR_OVERLAP where arrays overlap
 * in another way. Nothing runs then. `stream` as in kern_call_options.
 * `inputs` and `outputs` may be NULL where their count is 0. Threads: any, also
 * with one prepared call.
 */
KERN_API kern_status kern_prepared_launch(const kern_prepared *prepared,
                                          const void *const *inputs,
                                          size_t input_count,
                                          void *const *outputs,
                                          size_t output_count, void *stream);
/**
 * The same, for a caller that has another way. Where an address has another
 * alignment than the prepared one, a weak integer another range, or arrays
 * overlap in another way, nothing runs, `*has_run` is 0 and the status KERN_OK.
 * Otherwise `*has_run` is 1 if the status is KERN_OK. Threads: any, also with
 * one prepared call.
 */
KERN_API kern_status kern_prepared_try_launch(const kern_prepared *prepared,
                                              const void *const *inputs,
                                              size_t input_count,
                                              void *const *outputs,
                                              size_t output_count, void *stream,
                                              int *has_run);
/** NULL: nothing. Waits as kern_module_release() does, and the same holds for
    graphs. Threads: last. */
KERN_API void kern_prepared_release(kern_prepared *prepared);

/** Waits until all work on a device is complete. Errors of earlier asynchronous
    calls are reported here, with the function that caused them. Threads: any.
 */
KERN_API kern_status kern_synchronize(kern_device device);

#ifdef __cplusplus
}
#endif
#endif
