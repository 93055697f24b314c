/*===- kern/sharded.h - arrays dealt over several GPUs ------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* An array in parts along axis 0, one on each of several GPUs. A call over   *|
|* such arrays runs on all of the GPUs at once, each on its part, and moves   *|
|* nothing between them.                                                      *|
|*                                                                            *|
|*     kern_sharded_scatter(x, NULL, 0, &parts);   // over all GPUs           *|
|*     kern_sharded_value input = {parts};                                    *|
|*     kern_sharded_call(f, &input, 1, NULL, &made, 1, NULL, NULL);           *|
|*     kern_sharded_gather(made, y);               // y is on the host        *|
|*                                                                            *|
|* A call is enqueued on the default stream of each GPU and returns. Parts    *|
|* are ordinary arrays: other calls may use them, on their GPU.               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_SHARDED_H
#define KERN_SHARDED_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array in parts along axis 0, or with a copy on each GPU. */
typedef struct kern_sharded kern_sharded;

/** A new array with undefined contents. Axis 0 is dealt evenly over `devices`,
    in their order; the first parts have one more where it does not divide. A
    part may be empty. `devices` may be NULL with a count of 0: all GPUs.
    KERN_ERROR_SHAPE for an array without dimensions, KERN_ERROR_ARGUMENT for a
    device that is no GPU or is given twice, KERN_ERROR_NOT_FOUND for one that
    does not exist; else fails as kern_array_new() does. Threads: any. */
KERN_API kern_status kern_sharded_new(kern_dtype dtype, int ndim,
                                      const int64_t *shape,
                                      const kern_device *devices,
                                      size_t device_count,
                                      kern_sharded **array);
/** The same, with the elements of `source`, an array on the host or a GPU. All
    GPUs are filled at once. Threads: any. */
KERN_API kern_status kern_sharded_scatter(const DLTensor *source,
                                          const kern_device *devices,
                                          size_t device_count,
                                          kern_sharded **array);
/** An array of which each GPU has a copy, of any number of dimensions. In calls
    it broadcasts with the parts of others. Threads: any. */
KERN_API kern_status kern_sharded_replicate(const DLTensor *source,
                                            const kern_device *devices,
                                            size_t device_count,
                                            kern_sharded **array);
/** Copies an array of the same shape and type, on the host or a GPU, into the
    parts or copies, once all work on their GPUs is done. Complete on return.
    KERN_ERROR_TYPE and KERN_ERROR_SHAPE if they differ. Threads: any. */
KERN_API kern_status kern_sharded_assign(kern_sharded *destination,
                                         const DLTensor *source);
/** Copies all parts into an array of the same shape and type, on the host or a
    GPU, once all work on their GPUs is done. Complete on return. Fails as
    kern_sharded_assign() does. Threads: any. */
KERN_API kern_status kern_sharded_gather(const kern_sharded *source,
                                         const DLTensor *destination);

/** The whole array's type and shape. It has no data, and no device that means
    anything. Lives as long as the array. NULL for NULL. Threads: any. */
KERN_API const DLTensor *kern_sharded_form(const kern_sharded *array);
/** Whether each GPU has a copy; 0 for NULL. Threads: any. */
KERN_API int kern_sharded_is_replicated(const kern_sharded *array);
/** The number of parts or copies; 0 for NULL. Threads: any. */
KERN_API size_t kern_sharded_part_count(const kern_sharded *array);
/** One part or copy, on its GPU; NULL if there is no such one. Lives as long as
    the array. Threads: any. */
KERN_API const DLTensor *kern_sharded_part(const kern_sharded *array,
                                           size_t index);
/** The index along axis 0 of a part's first element; 0 of a copy. Threads:
    any. */
KERN_API int64_t kern_sharded_begin(const kern_sharded *array, size_t index);
/** Waits for all work on the array's GPUs. Threads: any. */
KERN_API kern_status kern_sharded_synchronize(const kern_sharded *array);
/** NULL: nothing. The memory is free once its last use is over. Threads: last.
 */
KERN_API void kern_sharded_release(kern_sharded *array);

/** An argument of a call: `sharded`, or `value` if that is NULL. */
typedef struct kern_sharded_value {
  const kern_sharded *sharded;
  kern_value value;
} kern_sharded_value;

/**
 * kern_call() over parts: calls the function on each GPU with the parts that it
 * has, and returns when all of these calls are enqueued. The results are dealt
 * as the arguments are, one part on each GPU.
 *
 * At least one argument or output is dealt. Axis 0 of those that are must be
 * the first dimension of the loop, of the same extent and dealt over the same
 * GPUs in the same order. All else is whole: numbers, arrays with a copy on
 * each GPU (kern_sharded_replicate()), and small arrays of the host or one GPU,
 * which are copied to each GPU in each call. What is whole has fewer loop
 * dimensions, or an extent of 1 in place of axis 0. A range along axis 0 is
 * dealt as the others are.
 *
 * `outputs[i]`, if not NULL, is an array for result i, dealt likewise; else
 * `results[i]` is a new one. `outputs` or `results` may be NULL where no result
 * needs it. Of `options` all counts but `device`, `stream`, `axis`, `axes`,
 * `shape`, `explanation`, `allocator` and `progress`, with which the call is
 * KERN_ERROR_ARGUMENT. A mask is as an argument is: in parts, as
 * `sharded_where`, or whole, as `where`. `report` may be NULL; it tells of the
 * first part's call, and `elements` is of all.
 *
 * Fails as kern_call() does, KERN_ERROR_ARGUMENT for arrays that are not dealt
 * alike; a message about one part says on which GPU. If a call on one GPU
 * fails, those on the GPUs before it have been made: `outputs` and `inout`
 * arguments may be changed in part, new results are released. Threads: any.
 */
KERN_API kern_status
kern_sharded_call(kern_function *function, const kern_sharded_value *inputs,
                  size_t input_count, kern_sharded *const *outputs,
                  kern_sharded **results, size_t output_count,
                  const kern_call_options *options, kern_call_report *report);

/**
 * kern_reduce() over parts. Where axis 0 stays, each GPU reduces its part, and
 * the result is dealt as the array is. Where it is reduced, what comes of the
 * parts is combined on the first GPU, in their order, and each GPU has a copy
 * of the result: it broadcasts with parts in later calls, and has no dimensions
 * if all are reduced. The same number of parts gives the same result on every
 * run. That of each part has the result's type before: sums of f16 that pass
 * 65504 in a part are infinite there, unless `dtype` asks for a wider one.
 *
 * `initial` is a number to begin with, as for kern_reduce(): it counts once. Of
 * `options` `axis` (NULL: the first axis), `keepdims`, `dtype`, `where` and
 * `sharded_where` count. A mask is dealt as the array is, or whole: then it has
 * fewer dimensions than a dealt array, or an extent of 1 in place of axis 0.
 * Other options are KERN_ERROR_ARGUMENT, and so are the parts of an axis that
 * is reduced by a function which is not `@associative`. Else fails as
 * kern_reduce() does. `report` may be NULL; it tells of the first part's call,
 * and `elements` is of all. Returns when the results are enqueued, or, if parts
 * are combined, complete. Threads: any.
 */
KERN_API kern_status kern_sharded_reduce(kern_function *function,
                                         const kern_sharded *array,
                                         const kern_value *initial,
                                         kern_sharded **result,
                                         const kern_call_options *options,
                                         kern_call_report *report);

#ifdef __cplusplus
}
#endif
#endif
