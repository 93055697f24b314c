//===- ArrayText.h - arrays as NumPy prints them ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"
#include "runtime/error/Expected.h"

#include <string>

namespace kern::cli {

/// What `print(array)` of NumPy 2 writes with its default options, without a
/// line end: columns lined up, lines of 75 characters, `...` in arrays of more
/// than 1000 elements; of a 0-d array the number alone, in full. `array` must
/// be on the host. Fails as viewOf() does.
runtime::Expected<std::string> arrayText(const DLTensor &array);

} // namespace kern::cli
