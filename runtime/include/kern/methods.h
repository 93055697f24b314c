/*===- kern/methods.h - methods of ufuncs -------------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* NumPy's methods of ufuncs: reduce, accumulate, reduceat, at and outer.     *|
|*                                                                            *|
|*     kern_call_request request = {0}; // in C++: {}                         *|
|*     request.call.size = sizeof request;                                    *|
|*     int64_t last[] = {-1};                                                 *|
|*     kern_axes axis = {last, 1};                                            *|
|*     request.axis = &axis;                                                  *|
|*     kern_reduce(add, &array, NULL, NULL, &sums, &request.call, NULL);      *|
|*                                                                            *|
|* They are made of the function's source, so that they run compiled, on      *|
|* every device: modules of compiled files and of linked code have only       *|
|* kern_outer(), and the others are KERN_ERROR_ARGUMENT.                      *|
|*                                                                            *|
|* Elements are combined in order, f(f(a[0], a[1]), a[2]), unless the         *|
|* function is `@associative`: then in any grouping that keeps their order,   *|
|* the same one on every run. Nothing is widened: sums of i8 are i8, unless   *|
|* `dtype` asks for another type.                                             *|
|*                                                                            *|
|* Arguments, outputs, results, devices and streams are as those of           *|
|* kern_call(), and so is what fails. `options` may be a kern_call_request,   *|
|* with `axis` (NULL: the first axis), `dtype`, `order`, `explanation` and    *|
|* `allocator`; for kern_reduce() also `keepdims` and `where`. Others are     *|
|* KERN_ERROR_ARGUMENT. `output`, `options` and `report` may be NULL, and     *|
|* `result` if there is an output.                                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_METHODS_H
#define KERN_METHODS_H

#include "kern/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Combines an array's elements along axes by a ufunc of two parameters and one
 * result. The result has the shape of the array without these axes; with
 * `keepdims` they stay, with extent 1.
 *
 * `initial` is a number to begin with. NULL: the identity of an `@associative`
 * function, else the first element. `where` broadcasts to the array; only
 * elements where it is true count. `axis` with `axes` NULL is all axes.
 *
 * KERN_ERROR_ARGUMENT for several axes of a function that is not
 * `@associative`, and for `where` without identity and `initial`;
 * KERN_ERROR_SHAPE where there is nothing to begin with; KERN_ERROR_TYPE if no
 * loop takes its own result. Threads: any.
 */
KERN_API kern_status kern_reduce(
    kern_function *function, const kern_value *array, const kern_value *initial,
    const DLTensor *output, DLManagedTensor **result,
    const kern_call_options *options, kern_call_report *report);

/**
 * The results of kern_reduce() over the first 1, 2, … elements along one axis:
 * an array of the same shape. Threads: any.
 */
KERN_API kern_status kern_accumulate(kern_function *function,
                                     const kern_value *array,
                                     const DLTensor *output,
                                     DLManagedTensor **result,
                                     const kern_call_options *options,
                                     kern_call_report *report);

/**
 * Reductions over pieces of one axis: element i of the result is that of
 * array[indices[i]:indices[i + 1]] (to the end for the last index), or
 * array[indices[i]] where that is empty. `indices` is an array of integers of
 * one dimension. They are read first, also from a GPU, whose stream the call
 * then waits for; KERN_ERROR_ARGUMENT for one that the axis does not have.
 * Threads: any.
 */
KERN_API kern_status kern_reduceat(
    kern_function *function, const kern_value *array, const kern_value *indices,
    const DLTensor *output, DLManagedTensor **result,
    const kern_call_options *options, kern_call_report *report);

/**
 * array[indices] = f(array[indices], operand), one index after the other, so
 * that an index which occurs twice counts twice. `function` has one result and
 * two parameters, or one: then `operand` is NULL.
 *
 * `indices[k]` are integers along axis k, negative ones from its end; there are
 * from 1 to as many as the array has dimensions. They broadcast to one shape,
 * and `operand` to that shape followed by the array's other dimensions. Indices
 * are read as by kern_reduceat(), before anything is written. Where an operand
 * overlaps the array it is copied first. Threads: any, if no other call uses
 * the array.
 */
KERN_API kern_status kern_at(kern_function *function, const DLTensor *array,
                             const kern_value *indices, size_t index_count,
                             const kern_value *operand,
                             const kern_call_options *options,
                             kern_call_report *report);

/**
 * f(a[i, …], b[j, …]) for all pairs of elements: a call whose results have the
 * shape of `a` followed by that of `b`. `function` is a ufunc of two
 * parameters. Numbers have their own types: i64, f64 and c128. `outputs` and
 * `results` as in kern_call(), and so are the options. Threads: any.
 */
KERN_API kern_status kern_outer(kern_function *function, const kern_value *a,
                                const kern_value *b,
                                const DLTensor *const *outputs,
                                DLManagedTensor **results, size_t output_count,
                                const kern_call_options *options,
                                kern_call_report *report);

/*--- For bindings ----------------------------------------------------------*/

typedef enum kern_method {
  KERN_METHOD_REDUCE,
  KERN_METHOD_ACCUMULATE,
  KERN_METHOD_REDUCEAT
} kern_method;

/** What a reduction begins with. */
typedef enum kern_start {
  KERN_START_DEFAULT, /**< the identity, if there is one, else the first
                           element */
  KERN_START_FIRST,   /**< the first element */
  KERN_START_GIVEN    /**< a number */
} kern_start;

/** How a method is called as a gufunc: by kern_call() or kern_prepare(), with
    these options. The arguments are the initial value (of
    KERN_START_GIVEN), the array, and for KERN_METHOD_REDUCE the mask if there
    is one, over the array's shape; for KERN_METHOD_REDUCEAT the indices, i64
    and within the axis. */
typedef struct kern_method_call {
  size_t size;           /**< sizeof(kern_method_call) */
  kern_function *gufunc; /**< lives as long as the function */
  kern_dtype dtype;      /**< of the result: call with `dtype` and `casting`
                              KERN_CASTING_UNSAFE */
  kern_dtype element;    /**< of the array; others convert to it */
  int adds_axis; /**< not 0: give array and mask another dimension of extent 1,
                      at the end */
  int has_axes;  /**< 0: call with `axis`, of `array_axes`. Else with `axes`:
                      `array_axes` for array and mask, `result_axes` for the
                      result, none for the initial value */
  int array_axis_count, result_axis_count;
  int64_t array_axes[KERN_MAX_NDIM];
  int64_t result_axes[2];
} kern_method_call;

/**
 * Says how a method is called. Makes the gufunc, without its kernels; no data
 * is looked at, and that of the tensors may be NULL. `array` has type, shape,
 * strides and device. `output` has the type of the array for the result, NULL
 * if there is none. Of `options` only `axis`, `dtype`, `where` (whether there
 * is one) and the device count. Fails as the method does. Threads: any.
 */
KERN_API kern_status kern_method_resolve(
    kern_function *function, kern_method method, const DLTensor *array,
    kern_start start, const DLTensor *output, const kern_call_options *options,
    kern_method_call *call);

/**
 * The gufunc of kern_at() for an array of one dimension of type `array`, an
 * array of indices (i64, from -n to n - 1), and an operand of type `operand`:
 * an array of as many elements (`operand_ndim` 1), one number (0), or none
 * (-1). Its parameters are these. Threads: any.
 */
KERN_API kern_status kern_method_resolve_at(kern_function *function,
                                            kern_dtype array,
                                            kern_dtype operand,
                                            int operand_ndim,
                                            kern_function **gufunc);

/** The position in C order of the first integer in `indices`, an array of the
    host, that is less than `low` or not less than `high`; -1 if there is none.
    KERN_ERROR_TYPE for other types. Threads: any. */
KERN_API kern_status kern_find_outside(const DLTensor *indices, int64_t low,
                                       int64_t high, int64_t *position);

#ifdef __cplusplus
}
#endif
#endif
