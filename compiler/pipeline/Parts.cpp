//===- Parts.cpp - large modules compiled in parts, in parallel -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace mlir;

namespace kern::compiler {

using runtime::Expected;

namespace {
/// Lets several threads use one context during its lifetime.
class SharedContext {
public:
  explicit SharedContext(MLIRContext *context) : context(context) {
    context->enableMultithreading();
  }
  ~SharedContext() { context->disableMultithreading(); }
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;

private:
  MLIRContext *context;
};
} // namespace

Expected<PipelineResult> runPipelineInParts(OwningOpRef<ModuleOp> module,
                                            const PipelineOptions &options,
                                            unsigned maxThreads) {
  if ((options.stage != Stage::Code && options.stage != Stage::Target) ||
      options.kernels.variant)
    return runPipeline(std::move(module), options);
  if (runtime::Status status = lowerFunctions(*module, options); !status)
    return status.error();
  Nests nests;
  if (options.target->facts.hasMappings)
    nests = nestsOf(*module);
  std::vector<Part> parts;
  if (options.stage == Stage::Code)
    parts =
        options.target->split(*module, options.kernels.allForms, options.arch);
  if (parts.size() < 2) {
    Expected<PipelineResult> result = runPipeline(
        parts.empty() ? std::move(module) : std::move(parts.front().module),
        options);
    if (result)
      result->nests = std::move(nests);
    return result;
  }

  if (!maxThreads)
    maxThreads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::optional<Expected<PipelineResult>>> results(parts.size());
  std::vector<Timing> timings(parts.size());
  {
    SharedContext shared(module->getContext());
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t k; (k = next++) < parts.size();) {
        PipelineOptions own = options;
        own.kernels.variant = parts[k].variant;
        own.timing = options.timing ? &timings[k] : nullptr;
        own.part = unsigned(k);
        results[k] = runPipeline(std::move(parts[k].module), own);
      }
    };
    std::vector<std::jthread> others;
    while (others.size() + 1 < std::min<size_t>(maxThreads, parts.size()))
      others.emplace_back(work);
    work();
  }

  PipelineResult joined;
  joined.nests = std::move(nests);
  std::vector<std::string> texts;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (options.timing)
      for (const auto &[stage, milliseconds] : timings[k].stages())
        options.timing->add(stage.c_str(), milliseconds);
    if (!*results[k])
      return results[k]->error();
    PipelineResult &result = **results[k];
    texts.push_back(std::move(result.text));
    llvm::move(result.entries, std::back_inserter(joined.entries));
  }
  joined.text = options.target->join(texts);
  return joined;
}

} // namespace kern::compiler
