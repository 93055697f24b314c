//===- FakeCode.cpp - functions to call, written in C++ -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCode.h"
#include "FakeDriver.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

using namespace kern::runtime;
using namespace kern::test;

std::atomic<int> kern::test::kernelsMade = 0;
void (*kern::test::beforeAdd)(const void *) = nullptr;
thread_local KernelVariant kern::test::lastWanted;

namespace {
template <typename T> T load(int64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof value);
  return value;
}
template <typename T> void store(int64_t address, T value) {
  std::memcpy(reinterpret_cast<void *>(address), &value, sizeof value);
}

/// Of GPU kernels; `elements` also of the blocks of contiguous host kernels.
constexpr unsigned block = 64, elements = 4;

//===----------------------------------------------------------------------===//
// Host kernels
//===----------------------------------------------------------------------===//

// blocks, then pointer and step of a, b and c.
template <typename T> void addContiguous(const int64_t *w) {
  if (beforeAdd)
    beforeAdd(reinterpret_cast<const void *>(w[5]));
  for (int64_t block = 0; block < w[0]; ++block)
    for (int64_t i = 0; i < int64_t(elements); ++i) {
      int64_t at = i * int64_t(sizeof(T));
      store<T>(w[5] + block * w[6] + at, load<T>(w[1] + block * w[2] + at) +
                                             load<T>(w[3] + block * w[4] + at));
    }
}
template <typename T> void addStrided(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i)
    store<T>(w[5] + i * w[6],
             load<T>(w[1] + i * w[2]) + load<T>(w[3] + i * w[4]));
}
/// Two microseconds for each element.
void addSlowly(const int64_t *w) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::microseconds(2 * w[0]);
  addStrided<float>(w);
  while (std::chrono::steady_clock::now() < end)
    ;
}
void bothStrided(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i) {
    auto a = load<int32_t>(w[1] + i * w[2]), b = load<int32_t>(w[3] + i * w[4]);
    store<int32_t>(w[5] + i * w[6], a + b);
    store<int32_t>(w[7] + i * w[8], a - b);
  }
}
void isnegStrided(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i)
    store<uint8_t>(w[3] + i * w[4], load<double>(w[1] + i * w[2]) < 0);
}
// n loop elements, n (dim), x: pointer, stride, core stride, y.
void totalGeneral(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i) {
    double sum = 0;
    for (int64_t k = 0; k < w[1]; ++k)
      sum += load<double>(w[2] + i * w[3] + k * w[4]);
    store(w[5] + i * w[6], sum);
  }
}
void largestGeneral(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i) {
    double best = load<double>(w[2] + i * w[3]);
    for (int64_t k = 1; k < w[1]; ++k)
      best = std::max(best, load<double>(w[2] + i * w[3] + k * w[4]));
    store(w[5] + i * w[6], best);
  }
}
// count, m k n, a: pointer stride sm sk, b: pointer stride sk sn, c: likewise.
void matmulGeneral(const int64_t *w) {
  for (int64_t e = 0; e < w[0]; ++e)
    for (int64_t i = 0; i < w[1]; ++i)
      for (int64_t j = 0; j < w[3]; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < w[2]; ++k)
          sum += load<double>(w[4] + e * w[5] + i * w[6] + k * w[7]) *
                 load<double>(w[8] + e * w[9] + k * w[10] + j * w[11]);
        store(w[12] + e * w[13] + i * w[14] + j * w[15], sum);
      }
}
void scaleGeneral(const int64_t *w) {
  for (int64_t e = 0; e < w[0]; ++e)
    for (int64_t k = 0; k < w[1]; ++k) {
      int64_t at = w[2] + e * w[3] + k * w[4];
      store(at, load<double>(at) * load<double>(w[5] + e * w[6]));
    }
}
void tileGeneral(const int64_t *w) {
  for (int64_t e = 0; e < w[0]; ++e)
    for (int64_t k = 0; k < w[1]; ++k)
      store(w[4] + e * w[5] + k * w[6], load<double>(w[2] + e * w[3]));
}
template <typename T> void twiceStrided(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i) {
    T value = load<T>(w[1] + i * w[2]);
    store<T>(w[3] + i * w[4], T(value + value));
  }
}

//===----------------------------------------------------------------------===//
// GPU kernels
//===----------------------------------------------------------------------===//

template <typename T> T scalarOf(int64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// n, flags, a: pointer value, b: pointer value, c.
template <typename T> void gpuAddContiguous(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  auto *a = w[1] & 1 ? nullptr : launch.driver->at<const T>(w[2]);
  auto *b = w[1] & 2 ? nullptr : launch.driver->at<const T>(w[4]);
  auto *c = launch.driver->at<T>(w[6]);
  for (int64_t t = 0; t < int64_t(launch.grid) * launch.blockX; ++t)
    for (int64_t i = t * elements; i < std::min(w[0], (t + 1) * elements); ++i)
      c[i] = (w[1] & 1 ? scalarOf<T>(w[3]) : a[i]) +
             (w[1] & 2 ? scalarOf<T>(w[5]) : b[i]);
}

// n0…n5 rank count, divisors of n0…n4, flags, a: pointer value s0…s5,
// b: likewise, c: pointer s0…
template <typename T> void gpuAddStrided(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  int64_t threads = int64_t(launch.grid) * launch.blockX;
  for (int64_t i = 0; i < std::min(w[7], threads); ++i) {
    int64_t a = w[14], b = w[22], c = w[30];
    auto rest = uint64_t(i);
    for (size_t d = 0; d < size_t(w[6]); ++d) {
      auto divisor = uint64_t(d < 5 ? w[8 + d] : 0);
      uint64_t outer = d < 5 ? (rest + (rest * (divisor & 0xffffffff) >> 32)) >>
                                   (divisor >> 32)
                             : 0;
      auto index = int64_t(rest - outer * uint64_t(w[d]));
      rest = outer;
      a += index * w[16 + d];
      b += index * w[24 + d];
      c += index * w[31 + d];
    }
    T x = w[13] & 1 ? scalarOf<T>(w[15]) : *launch.driver->at<const T>(a);
    T y = w[13] & 2 ? scalarOf<T>(w[23]) : *launch.driver->at<const T>(b);
    *launch.driver->at<T>(c) = x + y;
  }
}

// count n0…n5 group flags n, x: pointer s0…s5 core, y: pointer s0…s5.
void gpuTotal(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  for (int64_t t = 0; t < int64_t(launch.grid) * launch.blockX; t += w[7]) {
    int64_t e = t / w[7];
    if (e >= w[0])
      continue;
    int64_t x = w[10], y = w[18], rest = e;
    for (size_t d = 0; d < 6; ++d) {
      x += rest % w[1 + d] * w[11 + d];
      y += rest % w[1 + d] * w[19 + d];
      rest /= w[1 + d];
    }
    double sum = 0;
    for (int64_t k = 0; k < w[9]; ++k)
      sum += *launch.driver->at<const double>(x + k * w[17]);
    *launch.driver->at<double>(y) = sum;
  }
}

// Of one loop element: as gpuTotal, with launch slices blocks behind n, and at
// the end memory for the sums of slices.
void gpuLongTotal(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  int64_t n = w[9], slices = w[11];
  auto *sums = launch.driver->at<double>(w[28]);
  if (w[10] == 0) {
    for (int64_t s = 0; s < slices; ++s) {
      sums[s] = 0;
      for (int64_t k = n * s / slices; k < n * (s + 1) / slices; ++k)
        sums[s] += *launch.driver->at<const double>(w[13] + k * w[20]);
    }
    return;
  }
  double sum = 0;
  for (int64_t s = 0; s < slices; ++s)
    sum += sums[s];
  *launch.driver->at<double>(w[21]) = sum;
}

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

OperandInfo operand(const char *name, std::vector<DimExpr> core = {}) {
  OperandInfo out;
  out.name = name;
  out.core = std::move(core);
  out.type = "T";
  return out;
}

class FakeCode : public CodeSource {
public:
  FakeCode() {
    info.target = {}; // made on demand, for whatever runs it
    DType f32 = DType::F32, f64 = DType::F64, i32 = DType::I32;
    define("add", FunctionKind::Ufunc, {operand("x"), operand("y")},
           {operand("")}, {});
    loop({f32, f32}, {f32},
         {{Form::Contiguous, addContiguous<float>},
          {Form::Strided, addStrided<float>}});
    loop({f64, f64}, {f64},
         {{Form::Contiguous, addContiguous<double>},
          {Form::Strided, addStrided<double>}});
    define("both", FunctionKind::Ufunc, {operand("x"), operand("y")},
           {operand("sum"), operand("difference")}, {});
    loop({i32, i32}, {i32, i32}, {{Form::Strided, bothStrided}});
    define("isneg", FunctionKind::Ufunc, {operand("x")}, {operand("")}, {});
    loop({f64}, {DType::Bool}, {{Form::Strided, isnegStrided}});
    DimExpr m = {{"m"}}, n = {{"n"}}, k = {{"k"}};
    define("total", FunctionKind::Gufunc, {operand("x", {n})}, {operand("")},
           {"n"});
    loop({f64}, {f64}, {{Form::General, totalGeneral}});
    info.functions.back().loops[0].kernels[0].sharedExtents = {n};
    define("largest", FunctionKind::Gufunc, {operand("x", {n})}, {operand("")},
           {"n"});
    loop({f64}, {f64}, {{Form::General, largestGeneral}});
    info.functions.back().loops[0].kernels[0].nonEmpty = {n};
    define("matmul", FunctionKind::Gufunc,
           {operand("a", {m, k}), operand("b", {k, n})}, {operand("c", {m, n})},
           {"m", "k", "n"});
    loop({f64, f64}, {f64}, {{Form::General, matmulGeneral}});
    Nest &product = info.functions.back().loops[0].nest;
    product.hasLoops = product.isStraight = true;
    product.flat = {m, n};
    product.sharedExtents = {k};
    product.product = {{0, {0, 2}}, {1, {2, 1}}, {2, {0, 1}}};
    OperandInfo inout = operand("x", {n});
    inout.isInout = true;
    define("scale", FunctionKind::Gufunc, {inout, operand("factor")}, {},
           {"n"});
    loop({f64, f64}, {}, {{Form::General, scaleGeneral}});
    OperandInfo dim = operand("n");
    dim.isDim = true;
    define("tile", FunctionKind::Gufunc, {operand("x"), dim},
           {operand("y", {n})}, {"n"});
    loop({f64}, {f64}, {{Form::General, tileGeneral}});
    define("twice", FunctionKind::Ufunc, {operand("x")}, {operand("")}, {});
    info.functions.back().isGeneric = true;
    define("wide", FunctionKind::Ufunc, {operand("x"), operand("y")},
           {operand("")}, {});
    loop({f32, f32}, {f32},
         {{Form::Contiguous, addContiguous<float>},
          {Form::Strided, addStrided<float>}},
         32);
    define("heavy", FunctionKind::Ufunc, {operand("x"), operand("y")},
           {operand("")}, {});
    loop({f32, f32}, {f32}, {{Form::Strided, addSlowly}});
    info.functions.back().loops[0].kernels[0].work = 1'000'000;
    define("long_total", FunctionKind::Gufunc, {operand("x", {n})},
           {operand("")}, {"n"});
    loop({f64}, {f64}, {{Form::General, totalGeneral}});
    inSlices(info.functions.back().loops[0], n);
  }

  const Manifest &manifest() const override { return info; }
  const char *digest() const override { return ""; }

  Expected<LoopInfo> specialise(const FunctionInfo &,
                                std::span<const ArgType> arguments) override {
    LoopInfo loop;
    loop.inputs = {arguments[0]};
    loop.outputs = {arguments[0].carrier()};
    return loop;
  }

  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         const KernelVariant &wanted, CodeTarget target) override {
    ++kernelsMade;
    lastWanted = wanted;
    auto code = std::make_shared<KernelCode>();
    if (function.isGeneric) {
      DType type = loop.outputs[0];
      code->kernel.form = Form::Strided;
      code->kernel.symbol = "twice_" + std::string(name(type));
      code->entry = type == DType::F64   ? twiceStrided<double>
                    : type == DType::I16 ? twiceStrided<int16_t>
                    : type == DType::I64 ? twiceStrided<int64_t>
                                         : nullptr;
      if (!code->entry)
        return Error{KERN_ERROR_COMPILE, "twice is not for this type"};
      return std::shared_ptr<const KernelCode>(code);
    }
    std::optional<size_t> best = bestKernel(loop.kernels, wanted);
    if (!best)
      return Error{KERN_ERROR_ARTEFACT, "no kernel for this layout"};
    code->kernel = loop.kernels[*best];
    code->entry = entries.at(code->kernel.symbol);
    if (target.kind == CodeTarget::Kind::Cuda)
      code->ptx = ptx;
    return std::shared_ptr<const KernelCode>(code);
  }

private:
  void define(const char *name, FunctionKind kind,
              std::vector<OperandInfo> parameters,
              std::vector<OperandInfo> results, std::vector<std::string> dims) {
    FunctionInfo f;
    f.name = name;
    f.kind = kind;
    f.parameters = std::move(parameters);
    f.results = std::move(results);
    f.dims = std::move(dims);
    info.functions.push_back(f);
  }
  void loop(std::vector<DType> inputs, std::vector<DType> outputs,
            const std::vector<std::pair<Form, HostEntry>> &kernels,
            unsigned alignment = 16) {
    FunctionInfo &f = info.functions.back();
    LoopInfo out;
    for (DType type : inputs)
      out.inputs.push_back(ArgType::typed(type));
    out.outputs = std::move(outputs);
    for (auto [form, entry] : kernels) {
      KernelInfo kernel;
      kernel.form = form;
      kernel.symbol = f.name + "_" + std::string(name(inputs[0])) + "_" +
                      std::string(name(form));
      kernel.block = block;
      kernel.elements = form == Form::Contiguous ? elements : 1;
      kernel.alignment = alignment;
      kernel.work = 1000;
      kernel.waits = inputs[0] == DType::F64;
      out.kernels.push_back(kernel);
      entries[kernel.symbol] = entry;
    }
    f.loops.push_back(out);
  }

  /// A loop over `extent` in one launch of slices, and one that adds them up.
  static void inSlices(LoopInfo &loop, const DimExpr &extent) {
    loop.nest.hasLoops = loop.nest.isStraight = true;
    loop.nest.launches = 2;
    loop.nest.sharedExtents = {extent};
    KernelInfo &kernel = loop.kernels[0];
    kernel.mapping.sliced = true;
    kernel.launches = 2;
    kernel.slicedLaunches = 1;
    kernel.sharedExtents = {extent};
    kernel.scratch = {{.bytes = {{"16"}}, .isPerSlice = true}};
    kernel.waits = false;
  }

  Manifest info;
  std::shared_ptr<const std::string> ptx =
      std::make_shared<const std::string>("fake PTX");
  std::map<std::string, HostEntry> entries; ///< by symbol
};
} // namespace

std::shared_ptr<CodeSource> kern::test::makeFakeCode() {
  return std::make_shared<FakeCode>();
}

const std::map<std::string, FakeKernel> &kern::test::fakeKernels() {
  static const std::map<std::string, FakeKernel> kernels = {
      {"add_f32_contiguous", gpuAddContiguous<float>},
      {"add_f32_strided", gpuAddStrided<float>},
      {"heavy_f32_strided", gpuAddStrided<float>},
      {"wide_f32_contiguous", gpuAddContiguous<float>},
      {"wide_f32_strided", gpuAddStrided<float>},
      {"add_f64_contiguous", gpuAddContiguous<double>},
      {"add_f64_strided", gpuAddStrided<double>},
      {"total_f64_general", gpuTotal},
      {"long_total_f64_general", gpuLongTotal},
  };
  return kernels;
}
