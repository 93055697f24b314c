//===- ManifestSample.h - a manifest for tests ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Manifest.h"

namespace kern::runtime {

/// The manifest of a gufunc of two loops, of which one has a kernel.
inline Manifest sample() {
  Manifest manifest;
  manifest.compiler = "0.1.0";
  manifest.source = "matrix \"α\"\n.kern";
  manifest.target = {TargetKind::Cuda, "sm_80"};
  FunctionInfo f;
  f.name = "convolve";
  f.kind = FunctionKind::Gufunc;
  f.doc = "Two lines\nof text.";
  f.dims = {"n", "k", "times"};
  OperandInfo x, w, times, y;
  x.name = "x";
  x.type = "T";
  x.core = {{{"n"}}};
  w.name = "w";
  w.core = {{{"k"}}};
  w.isInout = true;
  times.name = "times";
  times.isDim = true;
  times.defaultArgument = {ArgType::weak(Weakness::Int), {std::byte(20)}, "20"};
  y.name = "y";
  y.core = {{{"n", "k", "-", "1", "+"}}};
  f.parameters = {x, w, times};
  f.results = {y};
  LoopInfo loop;
  loop.inputs = {ArgType::typed(DType::F32), ArgType::weak(Weakness::Float)};
  loop.outputs = {DType::BF16};
  KernelInfo kernel;
  kernel.form = Form::General;
  kernel.symbol = "convolve_f32";
  kernel.block = 128;
  kernel.disjoint = true;
  kernel.waits = true;
  kernel.hasDivisors = true;
  kernel.sharedExtents = {{{"k"}}};
  kernel.nonEmpty = {{{"n"}}};
  kernel.work = 1234;
  loop.kernels = {kernel};
  f.loops = {loop, loop};
  f.loops[1].kernels.clear();
  f.loops[1].inputs[0] = ArgType::typed(DType::F64);
  manifest.functions = {f};
  return manifest;
}

} // namespace kern::runtime
