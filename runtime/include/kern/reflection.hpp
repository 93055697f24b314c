//===- reflection.hpp - what is known of a function -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function takes and gives, as values. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_REFLECTION_HPP
#define KERN_REFLECTION_HPP

#include "kern/elements.hpp"
#include "kern/options.h"
#include "kern/reflection.h"

#include <string_view>

namespace kern {
inline namespace api {

using FunctionKind = kern_function_kind;
using OperandKind = kern_operand_kind;

/// A parameter or a result. Its texts live as long as the module.
struct Operand {
  std::string_view name; ///< "" for a result without one
  std::string_view type; ///< as the source has it: "f32", "T"; "" without
  OperandKind kind = KERN_OPERAND_INPUT;
  /// The default as the source has it: "2.0"; "" if there is none.
  std::string_view defaultText = {};
};

namespace detail {
/// Parameters in order, then results.
inline std::vector<Operand> operandsOf(const kern_function *function) {
  std::vector<Operand> all(kern_function_input_count(function) +
                           kern_function_output_count(function));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = {kern_function_operand_name(function, i),
              kern_function_operand_type(function, i),
              kern_function_operand_kind(function, i),
              kern_function_default_text(function, i)};
  return all;
}

/// The types of each loop: kern_dtype, or KERN_ANY_DTYPE.
inline std::vector<std::vector<int>> loopsOf(const kern_function *function) {
  std::vector<std::vector<int>> all(
      kern_function_loop_count(function),
      std::vector<int>(kern_function_input_count(function) +
                       kern_function_output_count(function)));
  for (size_t i = 0; i < all.size(); ++i)
    check(kern_function_loop(function, i, all[i].data(), all[i].size()));
  return all;
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
