/*===- kern/options.h - what a call can ask for -------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* NumPy's options of a call. They are passed where a function takes          *|
|* kern_call_options, of which they are the longer form: its size tells, and  *|
|* grows in later versions, while that of kern_call_options stays.            *|
|*                                                                            *|
|*     kern_call_request request = {{sizeof request}};                        *|
|*     request.keepdims = 1;                                                  *|
|*     kern_call(…, &request.call, NULL);                                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_OPTIONS_H
#define KERN_OPTIONS_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** NumPy's `casting`: which conversions a call may make of its arguments to a
    loop that it names, and of results to the arrays given for them. */
typedef enum kern_casting {
  KERN_CASTING_DEFAULT, /**< `same_kind` */
  KERN_CASTING_NO,      /**< none; nor does a loop take other types safely */
  KERN_CASTING_EQUIV,   /**< the same: there are no byte orders here */
  KERN_CASTING_SAFE,
  KERN_CASTING_SAME_KIND,
  KERN_CASTING_UNSAFE /**< any; of a complex number the real part is taken */
} kern_casting;

/** NumPy's `order`: how new results lie in memory. */
typedef enum kern_order {
  KERN_ORDER_DEFAULT, /**< `K` */
  KERN_ORDER_K,       /**< as the inputs do */
  KERN_ORDER_C,
  KERN_ORDER_F,
  KERN_ORDER_A /**< F if all inputs are F-contiguous, else C */
} kern_order;

/** Axes of one array; negative ones count from the end. */
typedef struct kern_axes {
  const int64_t *axes;
  size_t count;
} kern_axes;

/** In kern_call_request.signature: not asked for. */
#define KERN_ANY_DTYPE (-1)

/** Zeroed, with `call.size` set to its own size, it asks for nothing. */
typedef struct kern_call_request {
  kern_call_options call;

  /* Of gufuncs, as NumPy has them. */
  /** The axis that the one core dimension of the function stands for, in every
      operand that has it. With several (only where no result has it) their
      elements are taken in C order, and `axes` NULL means all of an array's
      axes. NULL: the last axis. */
  const kern_axes *axis;
  /** The axes of each operand's core dimensions: for each parameter that is no
      `dim`, then for each result, which may be left out if none has core
      dimensions. NULL: the last ones. */
  const kern_axes *axes;
  size_t axes_count;
  /** Not 0: core dimensions stay in the results with extent 1. */
  int keepdims;

  kern_order order;
  kern_casting casting;
  /** Not 0: the loop whose results are of `dtype`. */
  int has_dtype;
  kern_dtype dtype;
  /** The loop of these types: a kern_dtype or KERN_ANY_DTYPE for each
      parameter, then for each result. NULL: any. */
  const int *signature;
  /** Of a ufunc: an array of bool that broadcasts with the inputs. Where it is
      false nothing is read from or written to `outputs`, and new results are
      0. NULL: everywhere. */
  const DLTensor *where;

  /** Where to write how the call reached its operands: a line of text for each,
      with the bytes of one access and what kept them from being more, after one
      that says why the form is not contiguous, if it is not. At most
      `explanation_size` bytes, of which the last is 0. Such a call is planned
      anew each time and cannot be prepared. NULL: nowhere. */
  char *explanation;
  size_t explanation_size;
} kern_call_request;

#ifdef __cplusplus
}
#endif
#endif
