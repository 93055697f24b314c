//===- UfuncForms.h - which forms of a ufunc to make ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::loop {

/// Which forms of a ufunc to make. A gufunc has the general form alone.
struct UfuncForms {
  bool contiguous = true;
  bool strided = true;
};

} // namespace kern::loop
