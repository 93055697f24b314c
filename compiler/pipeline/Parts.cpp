//===- Parts.cpp - large modules in parts, at once ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Parts.h"

#include "dialects/Kern/Kern.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace mlir;

namespace kern {

std::vector<size_t> partBegins(std::span<const size_t> operations) {
  // A part should take long beside what it costs to begin one, and a function
  // costs something even if it does little: its forms.
  constexpr size_t ofFunction = 50, ofPart = 1000;
  std::vector<size_t> begins = {0};
  size_t sum = 0;
  for (size_t i = 0; i < operations.size(); ++i) {
    if (sum >= ofPart) {
      begins.push_back(i);
      sum = 0;
    }
    sum += ofFunction + operations[i];
  }
  return begins;
}

std::string joinPtx(std::span<const std::string> texts) {
  // What comes before the first symbol: version, target, address size.
  constexpr std::string_view headerEnd = ".address_size 64\n";
  std::string joined;
  for (const std::string &text : texts) {
    std::string_view part = text;
    size_t end = part.find(headerEnd);
    if (!joined.empty() && end != part.npos)
      part.remove_prefix(end + headerEnd.size());
    joined += part;
  }
  return joined;
}

static size_t operationsIn(FuncOp func) {
  size_t count = 0;
  func->walk([&](Operation *) { ++count; });
  return count;
}

/// Moves the functions into a module for each part.
static std::vector<OwningOpRef<ModuleOp>> split(ModuleOp module) {
  std::vector<FuncOp> functions(module.getOps<FuncOp>().begin(),
                                module.getOps<FuncOp>().end());
  std::vector<size_t> operations;
  for (FuncOp func : functions)
    operations.push_back(operationsIn(func));
  std::vector<size_t> begins = partBegins(operations);
  std::vector<OwningOpRef<ModuleOp>> parts;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (parts.size() < begins.size() && begins[parts.size()] == i)
      parts.push_back(ModuleOp::create(module.getLoc()));
    functions[i]->remove();
    parts.back()->push_back(functions[i]);
  }
  return parts;
}

namespace {
/// Lets several threads use one context while it lives.
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
                                            const PipelineOptions &options) {
  if (options.target.kind != CodeTarget::Kind::Cuda || options.dump)
    return runPipeline(std::move(module), options);
  std::vector<OwningOpRef<ModuleOp>> parts = split(*module);
  if (parts.size() < 2)
    return runPipeline(
        parts.empty() ? std::move(module) : std::move(parts.front()), options);

  std::vector<std::optional<Expected<PipelineResult>>> results(parts.size());
  std::vector<Timing> timings(parts.size());
  {
    SharedContext shared(module->getContext());
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t k; (k = next++) < parts.size();) {
        PipelineOptions own = options;
        own.timing = options.timing ? &timings[k] : nullptr;
        own.part = unsigned(k);
        results[k] = runPipeline(std::move(parts[k]), own);
      }
    };
    size_t atOnce = std::clamp<size_t>(std::thread::hardware_concurrency(), 1,
                                       parts.size());
    std::vector<std::jthread> others;
    while (others.size() + 1 < atOnce)
      others.emplace_back(work);
    work();
  }

  PipelineResult joined;
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
  joined.text = joinPtx(texts);
  return joined;
}

} // namespace kern
