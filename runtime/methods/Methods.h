//===- Methods.h - the other methods of ufuncs ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/methods/Reduction.h"

namespace kern::runtime {

// The functions of kern/methods.h with their options read. Arguments that may
// be NULL there may be NULL here.

Status reduceat(kern_function &function, const kern_value &array,
                const kern_value &indices, const DLTensor *output,
                DLManagedTensor **result, const kern_call_request &options,
                kern_call_report *report);

Status at(kern_function &function, const DLTensor &array,
          std::span<const kern_value> indices, const kern_value *operand,
          const kern_call_request &options, kern_call_report *report);
/// The gufunc of at(). `second` is the type of the operand, if there is one.
Expected<MethodGufunc> atGufunc(kern_function &function, DType stored,
                                std::optional<DType> second,
                                unsigned indexCount, bool isArray);

Status outer(kern_function &function, const kern_value &a, const kern_value &b,
             std::span<const DLTensor *const> outputs,
             DLManagedTensor **results, const kern_call_request &options,
             kern_call_report *report);

} // namespace kern::runtime
