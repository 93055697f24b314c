/*===- kern/options.h - what a call can ask for -------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* NumPy's options of a call. A kern_call_request begins with a               *|
|* kern_call_options and is passed in its place; `size` tells which it is. It *|
|* grows in later versions; kern_call_options does not.                       *|
|*                                                                            *|
|*     kern_call_request request = {0}; // in C++: {}                         *|
|*     request.call.size = sizeof request;                                    *|
|*     request.keepdims = 1;                                                  *|
|*     kern_call(…, &request.call, NULL);                                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_OPTIONS_H
#define KERN_OPTIONS_H

#include "kern/places.h"

#ifdef __cplusplus
extern "C" {
#endif

/** NumPy's `casting`: which conversions a call may make, of arguments to the
    loop that it names and of results to their output arrays. */
typedef enum kern_casting {
  KERN_CASTING_DEFAULT, /**< `same_kind` */
  KERN_CASTING_NO,      /**< none: not even safe casts to a loop */
  KERN_CASTING_EQUIV,   /**< the same: arrays have no byte order here */
  KERN_CASTING_SAFE,
  KERN_CASTING_SAME_KIND,
  KERN_CASTING_UNSAFE /**< any; complex to real takes the real part */
} kern_casting;

/** NumPy's `order`: how new results lie in memory. */
typedef enum kern_order {
  KERN_ORDER_DEFAULT, /**< `K` */
  KERN_ORDER_K,       /**< in the memory order of the inputs */
  KERN_ORDER_C,
  KERN_ORDER_F,
  KERN_ORDER_A /**< F if all inputs are F-contiguous, else C */
} kern_order;

/** Axes of one array; negative ones count from the end. */
typedef struct kern_axes {
  const int64_t *axes;
  size_t count;
} kern_axes;

/** Where the memory of new results comes from: a framework's own pool. */
typedef struct kern_allocator {
  void *context; /**< for `allocate` */
  /** Returns the address of the element at index 0, 0, … of new memory for
      result `result`, or NULL, with which the call is KERN_ERROR_MEMORY. `form`
      has the type, shape, strides and device, and no data; it is valid during
      the call of the function alone. The address is a multiple of 16 bytes on
      the host and of 64 on a GPU, else the call is KERN_ERROR_ARGUMENT; for a
      result without elements any address but NULL will do.

      Called by the thread that makes the call, once at most for each result.
     The memory stays the caller's whether or not the call succeeds, and on a
     GPU is used in the order of the call's stream. */
  void *(*allocate)(void *context, size_t result, const DLTensor *form);
} kern_allocator;

/** KERN_MAX_NDIM is how many dimensions an array can have. */
#define KERN_MAX_NDIM 64

/** In kern_call_request.signature: any type. */
#define KERN_ANY_DTYPE (-1)

/** Zeroed, with `call.size` set to its own size, it asks for nothing. One
    record, since a caller sets the members that it needs by name. */
typedef struct kern_call_request {
  kern_call_options call;

  /* Of gufuncs, as NumPy has them. */
  /** The axis of the function's one core dimension, in every operand that has
      it. Several axes (only where no result has the dimension) are flattened in
      C order; `axes` NULL means all axes of the array. NULL: the last axis. */
  const kern_axes *axis;
  /** The axes of each operand's core dimensions: one entry for each parameter
      that is not a `dim`, then one for each result. Results may be left out if
      none has core dimensions. NULL: the last axes. */
  const kern_axes *axes;
  size_t axes_count;
  /** Not 0: core dimensions stay in the results with extent 1. */
  int keepdims;

  kern_order order;
  kern_casting casting;
  /** Not 0: call the loop whose results have type `dtype`. */
  int has_dtype;
  kern_dtype dtype;
  /** Call the loop of these types: a kern_dtype or KERN_ANY_DTYPE for each
      parameter, then for each result. NULL: any. */
  const int *signature;
  /** Of a ufunc: a mask, an array of bool that broadcasts with the inputs.
      Where it is false, `outputs` keep their elements and new results are 0.
      NULL: no mask. */
  const DLTensor *where;

  /** A buffer for a text that says how the kernel reads and writes each
      operand: first why its form is not contiguous, if it is not, then one line
      for each operand with the bytes of an access and what keeps it from being
      wider. At most `explanation_size` bytes, zero-terminated. Such a call is
      planned each time and cannot be prepared. NULL: no text. */
  char *explanation;
  size_t explanation_size;

  /** Memory for the results that have no array in `outputs`; `results[i]` is
      set to NULL then, and `results` may be NULL. NULL: Kern's own memory. Not
      for prepared calls, which have an array for every result. */
  const kern_allocator *allocator;

  /** On the CPU: the most threads of this call, from 1 to KERN_MAX_THREADS
      (kern/threads.h), and no more than kern_get_num_threads(). 0: as many as
      that. KERN_ERROR_ARGUMENT for another number. */
  int threads;

  /** The shape of the first result, as an array for it in `outputs` would have
      it: loop dimensions, to which the arguments broadcast, then core
      dimensions, of which those that only results name are as it says. So a
      function without arrays among its arguments makes any shape.
      KERN_ERROR_SHAPE if that is not the result's shape. NULL: the arguments
      decide. */
  const int64_t *shape;
  int shape_ndim; /**< 0 to KERN_MAX_NDIM */

  /** Told how far the call is, and may end it (kern/places.h). NULL: nobody. */
  const kern_progress *progress;

  /** In place of `where`: a mask in parts, or with a copy on each GPU. For
      kern_sharded_call() and kern_sharded_reduce(); with it, others are
      KERN_ERROR_ARGUMENT. NULL: no such mask. */
  const struct kern_sharded *sharded_where;
} kern_call_request;

/**
 * Puts arguments given by name, and the defaults of parameters that are given
 * none, in their places: `inputs` has an entry for each parameter, and is what
 * kern_call(), kern_prepare() and kern_resolve() take. `positional` are the
 * first arguments; `named[i]` is that for the parameter `names[i]`.
 *
 * KERN_ERROR_ARGUMENT, naming the parameter: a name that no parameter has, one
 * that is given twice, a parameter without a default that is given none, too
 * many arguments, and a name that options of a call have, whose parameter is
 * given by position (docs/reference/language.md). `inputs` is unchanged then.
 * `positional`, `names` and `named` may be NULL where their count is 0.
 * Threads: any.
 */
KERN_API kern_status kern_bind_arguments(
    const kern_function *function, const kern_value *positional,
    size_t positional_count, const char *const *names, const kern_value *named,
    size_t named_count, kern_value *inputs, size_t input_count);

/** What kern_resolve() says of one result. */
typedef struct kern_result_form {
  kern_dtype dtype;
  int ndim;
  int64_t shape[KERN_MAX_NDIM];
} kern_result_form;

/**
 * What a call would give: the types of its loop and the shapes of its results.
 * Nothing is run, and no device is touched: the data of arrays is not looked at
 * and may be NULL. A loop of a generic function is made, without its kernels.
 *
 * The arguments are those of kern_call(); `outputs` may be NULL, and of
 * `options` only what decides types and shapes counts. Arguments for `dim`
 * parameters are numbers, not arrays. `input_types[i]` is set to the type in
 * which the loop takes argument i, or to KERN_ANY_DTYPE for a `dim`; it may be
 * NULL. `results` has `output_count` entries.
 *
 * Fails as kern_call() does for types and shapes, and leaves everything as it
 * was then. Threads: any.
 */
KERN_API kern_status kern_resolve(kern_function *function,
                                  const kern_value *inputs, size_t input_count,
                                  const DLTensor *const *outputs,
                                  size_t output_count,
                                  const kern_call_options *options,
                                  int *input_types, kern_result_form *results);

#ifdef __cplusplus
}
#endif
#endif
