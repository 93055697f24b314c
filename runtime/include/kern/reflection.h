/*===- kern/reflection.h - what is known of functions and modules -*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What a binding for another language shows of a function. All texts are     *|
|* valid as long as the module. NULL for a function or module, and an index   *|
|* that is too large, give "" or 0.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_REFLECTION_H
#define KERN_REFLECTION_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kern_operand_kind {
  KERN_OPERAND_INPUT, /**< a parameter that is read */
  KERN_OPERAND_INOUT, /**< a parameter that is read and written */
  KERN_OPERAND_DIM,   /**< a `dim` parameter: a number */
  KERN_OPERAND_RESULT
} kern_operand_kind;

typedef enum kern_function_kind {
  KERN_FUNCTION_UFUNC,
  KERN_FUNCTION_GUFUNC
} kern_function_kind;

/** KERN_FUNCTION_UFUNC for NULL. Threads: any. */
KERN_API kern_function_kind
kern_function_get_kind(const kern_function *function);
/** The docstring; "" if it has none. Threads: any. */
KERN_API const char *kern_function_doc(const kern_function *function);
/** Not 0: its loops are made for the types that calls have. Threads: any. */
KERN_API int kern_function_is_generic(const kern_function *function);
/** The value V of `@associative(identity=V)`, as the source has it ("0" or
    "-inf"); "" without. Threads: any. */
KERN_API const char *kern_function_identity(const kern_function *function);

/** The name of an operand: parameters in order, then results. "" for a result
    without a name. Threads: any. */
KERN_API const char *kern_function_operand_name(const kern_function *function,
                                                size_t index);
/** KERN_OPERAND_INPUT for an index that is too large. Threads: any. */
KERN_API kern_operand_kind
kern_function_operand_kind(const kern_function *function, size_t index);
/** Its type as the source has it: "f32", "T"; "" if it has none.
    Threads: any. */
KERN_API const char *kern_function_operand_type(const kern_function *function,
                                                size_t index);

/** The default of a parameter, as the source has it: "2.0", "pi / 2"; "" if it
    has none, and of a result. Threads: any. */
KERN_API const char *kern_function_default_text(const kern_function *function,
                                                size_t index);
/** The default of a parameter, which counts as an argument of this kind: a weak
    number, or one of a type (KERN_VALUE_SCALAR). KERN_ERROR_NOT_FOUND if it has
    none. Threads: any. */
KERN_API kern_status kern_function_default(const kern_function *function,
                                           size_t index, kern_value *value);

/** How many loops the source or the compiled file lists. Threads: any. */
KERN_API size_t kern_function_loop_count(const kern_function *function);
/** The types of a loop: a kern_dtype for each operand, or KERN_ANY_DTYPE
    (kern/options.h) for a `dim` and for what a generic function takes as a
    weak number. `types` has room for `count`, the number of operands.
    KERN_ERROR_NOT_FOUND for an index that is too large, KERN_ERROR_ARGUMENT for
    another count. Threads: any. */
KERN_API kern_status kern_function_loop(const kern_function *function,
                                        size_t index, int *types, size_t count);

/** The text that was compiled; "" of a compiled file and of linked code.
    Threads: any. */
KERN_API const char *kern_module_source(const kern_module *module);
/** 32 hexadecimal digits that are the same for the same content: for a source
    its text, those of its imports, and the options that decide its code, but
    not its name; for a compiled file its text. Not meant against forgery.
    Threads: any. */
KERN_API const char *kern_module_hash(const kern_module *module);

#ifdef __cplusplus
}
#endif
#endif
