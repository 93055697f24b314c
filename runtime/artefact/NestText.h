//===- NestText.h - the mappings of a nest, for people ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Nest.h"

namespace kern::runtime {

/// The mappings that a gufunc's kernels can have on a GPU, and what they keep
/// on chip: "grouped, across, resident (rows in registers)". Empty for a nest
/// that says nothing.
std::string mappingsText(const Nest &nest);

} // namespace kern::runtime
