//===- Binding.cpp - what names are bound to during lowering --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Binding.h"

#include "runtime/error/Counted.h"

namespace kern::compiler {

Tuple::Tuple(std::vector<Binding> elements) {
  for (const Binding &element : elements)
    count += partsIn(element);
  shared = std::make_shared<const std::vector<Binding>>(std::move(elements));
}

size_t partsIn(const Binding &binding) {
  const auto *tuple = binding.as<Tuple>();
  return tuple ? tuple->parts() : 1;
}

std::string describe(const Binding &binding) {
  if (const auto *tuple = binding.as<Tuple>())
    return "a tuple of " + runtime::counted(tuple->elements().size(), "value");
  if (binding.as<ArrayView>())
    return "an array";
  if (binding.as<FunctionName>())
    return "a function";
  return binding.as<Number>() ? "a number" : "nothing";
}

} // namespace kern::compiler
