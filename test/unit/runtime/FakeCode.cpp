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
thread_local bool kern::test::makesKernelsForCalls = false;

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
/// Of kernels that only GPUs run.
void nowhere(const int64_t *) { std::abort(); }
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
    // The same, with a nest that says that all of y is written.
    define("tile_whole", FunctionKind::Gufunc, {operand("x"), dim},
           {operand("y", {n})}, {"n"});
    loop({f64}, {f64}, {{Form::General, tileGeneral}});
    info.functions.back().loops[0].nest.whole = {1};
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
    // A ufunc with `reduce`: @associative.
    define("plus", FunctionKind::Ufunc, {operand("x"), operand("y")},
           {operand("")}, {});
    info.functions.back().identity = "0";
    loop({f64, f64}, {f64}, {{Form::Strided, addStrided<double>}});
    // What it begins with and a mask are parameters of its reductions.
    const DType truth = DType::Bool;
    define("total_from", FunctionKind::Gufunc,
           {operand("initial"), operand("x", {n})}, {operand("")}, {"n"});
    loop({f64, f64}, {f64}, {{Form::General, nowhere}});
    define("total_where", FunctionKind::Gufunc,
           {operand("x", {n}), operand("where", {n})}, {operand("")}, {"n"});
    loop({f64, truth}, {f64}, {{Form::General, nowhere}});
    define("total_from_where", FunctionKind::Gufunc,
           {operand("initial"), operand("x", {n}), operand("where", {n})},
           {operand("")}, {"n"});
    loop({f64, f64, truth}, {f64}, {{Form::General, nowhere}});
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

  /// Sums, by `total` and its kin.
  Expected<std::shared_ptr<CodeSource>>
  method(const FunctionInfo &function, const MethodGufunc &wanted) override {
    const bool begins = wanted.start == MethodGufunc::Start::Given;
    if (function.name != "plus" || wanted.method != Method::Reduce ||
        wanted.start == MethodGufunc::Start::First || wanted.columns ||
        wanted.element != DType::F64)
      return CodeSource::method(function, wanted);
    auto made = std::make_shared<FakeCode>();
    FunctionInfo total =
        *made->info.find(std::string("total") + (begins ? "_from" : "") +
                         (wanted.masked ? "_where" : ""));
    made->info.functions.push_back(std::move(total));
    return std::shared_ptr<CodeSource>(std::move(made));
  }

  bool makesVariants() const override { return makesKernelsForCalls; }

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
