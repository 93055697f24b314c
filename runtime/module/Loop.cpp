//===- Loop.cpp - a loop and its kernels, ready to run --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/module/Loop.h"
#include "runtime/code/BackgroundJobs.h"
#include "runtime/plan/Schedule.h"
#include "runtime/trace/Trace.h"

#include <algorithm>
#include <exception>
#include <new>

using namespace kern::runtime;

Expected<std::shared_ptr<const LoadedKernel>>
Loop::load(const KernelVariant &wanted,
           const std::shared_ptr<cuda::Context> &context) {
  CodeTarget target;
  if (context)
    target = {CodeTarget::Kind::Cuda, context->computeCapability()};
  auto code = source->kernel(function, description, wanted, target);
  if (!code)
    return code.error();
  auto kernel = std::make_shared<LoadedKernel>();
  kernel->code = std::move(*code);
  if (!context) {
    if (!kernel->code->entry)
      return Error(ErrorCode::code_without_entry).in(function.name);
    return std::shared_ptr<const LoadedKernel>(std::move(kernel));
  }
  auto module = traced(
      [&] {
        return TraceLabel{KERN_TRACE_COMPILE, "load", function.name,
                          context->device()};
      },
      [&] { return cuda::Module::load(context, kernel->code->ptx); });
  if (!module)
    return module.error().in(function.name);
  kernel->module = std::move(*module);
  Expected<CUfunction> found =
      kernel->module->function(kernel->code->kernel.symbol);
  if (!found)
    return found.error();
  kernel->function = *found;
  return std::shared_ptr<const LoadedKernel>(std::move(kernel));
}

Expected<std::shared_ptr<const LoadedKernel>>
Loop::kernel(const KernelVariant &wanted,
             const std::shared_ptr<cuda::Context> &context) {
  const Key key = keyOf(wanted, context);
  {
    std::lock_guard lock(mutex);
    if (auto at = loaded.find(key); at != loaded.end())
      return at->second;
  }
  auto kernel = load(wanted, context);
  if (!kernel)
    return kernel.error();
  std::lock_guard lock(mutex);
  return loaded.try_emplace(key, std::move(*kernel)).first->second;
}

Loop::Key Loop::keyOf(const KernelVariant &wanted,
                      const std::shared_ptr<cuda::Context> &context) {
  return {context ? context->key() : "host", wanted};
}

bool Loop::awaits(const KernelVariant &wanted,
                  const std::shared_ptr<cuda::Context> &context,
                  int64_t iterations) {
  const Key key = keyOf(wanted, context);
  std::unique_lock lock(mutex);
  if (loaded.contains(key))
    return false;
  Beside &made = beside[key];
  if (made.hasFailed)
    return false;
  if (__builtin_add_overflow(made.iterations, iterations, &made.iterations))
    made.iterations = INT64_MAX;
  const bool isEnough = made.iterations > mostForNow;
  if (made.isRunning && isEnough)
    ended.wait(lock, [&] { return !made.isRunning; });
  if (isEnough || made.isRunning)
    return !isEnough;
  made.isRunning = true;
  lock.unlock();
  using Start = BackgroundJobs::Start;
  Start start = Start::Never;
  try {
    start = BackgroundJobs::shared().start(
        [loop = shared_from_this(), key, context] {
          loop->makeBeside(key, context);
        });
  } catch (const std::bad_alloc &) {
    start = Start::Never; // no memory for what the job needs
  }
  if (start == Start::Runs)
    return true;
  lock.lock();
  made.isRunning = false;
  ended.notify_all();
  return start == Start::Later; // then a later call has it made
}

void Loop::makeBeside(const Key &key,
                      const std::shared_ptr<cuda::Context> &context) {
  bool isMade = false;
  try {
    isMade = bool(kernel(std::get<KernelVariant>(key), context));
  } catch (const std::exception &) {
    isMade = false; // kernel() tries again, and says so
  }
  std::lock_guard lock(mutex);
  Beside &made = beside[key];
  made.isRunning = false;
  made.hasFailed = !isMade;
  ended.notify_all();
}

Expected<std::shared_ptr<const Nest>> Loop::nest() {
  {
    std::lock_guard lock(mutex);
    if (described)
      return described;
  }
  Expected<Nest> nest = source->nest(function, description);
  if (!nest)
    return nest.error();
  std::lock_guard lock(mutex);
  if (!described)
    described = std::make_shared<const Nest>(std::move(*nest));
  return described;
}

bool Loop::writesWhole(size_t operand) {
  const Expected<std::shared_ptr<const Nest>> known = nest();
  return known &&
         std::ranges::find((*known)->whole, operand) != (*known)->whole.end();
}

std::optional<HostCost> Loop::hostCost() {
  std::lock_guard lock(mutex);
  return cost;
}

void Loop::keepHostCost(const HostCost &measured) {
  std::lock_guard lock(mutex);
  cost = measured;
}
