//===- CompileBench.cpp - from source to PTX in one process ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: kern_compile_bench [REPETITIONS [NAME]]
//
// Prints for each source how long source text to PTX of one kernel takes in a
// process that lives on: the median and the least in milliseconds, the size of
// the PTX, and the stages of one run. With a name, for that source alone.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/JitSource.h"

#include "compiler/driver/Kernels.h"
#include "compiler/pipeline/Pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

namespace {
struct Work {
  const char *name;
  const char *source;
  unsigned parameters;
};

constexpr Work works[] = {
    {"add", "ufunc f(x, y):\n    return x + y\n", 2},
    {"exp", "ufunc f(x):\n    return exp(x)\n", 1},
    {"exp·sin·pow", "ufunc f(x, y):\n    return exp(x) * sin(y) * pow(x, y)\n",
     2},
    {"gaussian_pdf",
     "const SQRT_2PI = sqrt(2 * pi)\nufunc f(x, mean, sigma):\n"
     "    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)\n",
     3},
};

using Clock = std::chrono::steady_clock;

/// The size of the PTX; 0 on failure.
size_t compileOnce(const Work &work, Timing *timing) {
  Unit unit("bench.kern", work.source, timing);
  if (unit.diagnostics.hasErrors())
    return 0;
  StageTimer timer(timing, "specialise");
  auto module = unit.emptyModule();
  auto builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  llvm::SmallVector<ArgType> arguments(work.parameters,
                                       ArgType::typed(DType::F32));
  FuncOp func = unit.find("f");
  auto typed = specialize(func, *specializationFor(func, arguments), builder,
                          &unit.diagnostics);
  if (failed(typed))
    return 0;
  timer.next(nullptr);
  PipelineOptions options({CodeTarget::Kind::Cuda, 90});
  options.kernels.variant = {Form::Contiguous, true};
  options.timing = timing;
  auto result = runPipeline(std::move(module), options);
  return result ? result->text.size() : 0;
}
} // namespace

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? int(std::strtol(argv[1], nullptr, 10)) : 50;
  for (const Work &work : works) {
    if (argc > 2 && std::string_view(work.name) != argv[2])
      continue;
    std::vector<double> times;
    size_t size = 0;
    for (int i = 0; i < repetitions; ++i) {
      auto began = Clock::now();
      size = compileOnce(work, nullptr);
      times.push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - began)
              .count());
      if (!size)
        return 1;
    }
    std::ranges::sort(times);
    std::printf("%s: median %.2f ms, least %.2f ms, %zu bytes of PTX\n",
                work.name, times[times.size() / 2], times.front(), size);
    Timing timing;
    compileOnce(work, &timing);
    std::fputs(timing.table().c_str(), stdout);
  }
}
