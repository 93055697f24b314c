//===- MethodTypes.h - the types of methods ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/MethodGufunc.h"
#include "runtime/module/Function.h"

namespace kern::runtime {

/// Refuses, with KERN_ERROR_ARGUMENT, gufuncs and functions of other than
/// `inputs` parameters and one result. 0: one or two parameters.
Status checkMethod(const FunctionInfo &function, std::string_view method,
                   size_t inputs);

/// The types of a reduction's accumulator, which is the result's, and of its
/// elements.
struct ReductionTypes {
  DType value = DType::F64, element = DType::F64;
};
/// As NumPy finds them: the loop for `output` (if there is one) and `element`
/// that takes its own result, or the loop of `dtype` alone. Methods other than
/// reduce have one type for both. KERN_ERROR_TYPE if there is no such loop.
Expected<ReductionTypes> reductionTypes(kern_function &function, Method method,
                                        DType element,
                                        std::optional<DType> output,
                                        std::optional<DType> dtype);

/// The types of a loop of `at`.
struct AtTypes {
  DType taken = DType::F64, second = DType::F64, returned = DType::F64;
};
/// `second` is nothing for a function of one parameter.
Expected<AtTypes> atTypes(kern_function &function, DType stored,
                          std::optional<DType> second);

} // namespace kern::runtime
