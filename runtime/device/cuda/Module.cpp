//===- Module.cpp - loaded code -------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Module.h"

#include <bit>
#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<ModuleHandle> ModuleHandle::load(const Context &context,
                                          const char *ptx) {
  ContextScope scope(context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context.driver();
  ModuleHandle out;
  out.context = &context;
  CaptureUndisturbed undisturbed(driver);
  // With a log buffer the driver loads its compiler (7 ms) even if its cache
  // has the code. So the log is requested only after a failure.
  CUresult result =
      driver.cuModuleLoadDataEx(&out.module, ptx, 0, nullptr, nullptr);
  std::string log(8192, '\0');
  if (result == CUDA_ERROR_INVALID_PTX) {
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), std::bit_cast<void *>(log.size() - 1)};
    result = driver.cuModuleLoadDataEx(&out.module, ptx, 2, options, values);
  }
  if (result == CUDA_SUCCESS)
    return out;
  ErrorCode code = result == CUDA_ERROR_OUT_OF_MEMORY
                       ? ErrorCode::driver_out_of_memory
                       : ErrorCode::driver_call;
  switch (result) {
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return Error(ErrorCode::code_newer_than_driver);
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
    return Error(ErrorCode::code_for_newer_gpu, {context.computeCapability()});
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_SOURCE:
    code = ErrorCode::driver_refused_code;
    break;
  default:
    break;
  }
  Error error = driverError(driver, result, "cuModuleLoadDataEx", code);
  log.resize(log.find('\0'));
  while (!log.empty() && log.back() == '\n')
    log.pop_back();
  if (!log.empty())
    error.add(Addition::driver_log, {log});
  return error;
}

ModuleHandle::ModuleHandle(ModuleHandle &&other) noexcept
    : context(other.context), module(std::exchange(other.module, nullptr)) {}

ModuleHandle &ModuleHandle::operator=(ModuleHandle &&other) noexcept {
  std::swap(context, other.context);
  std::swap(module, other.module);
  return *this;
}

ModuleHandle::~ModuleHandle() {
  if (!module)
    return;
  ContextScope scope(*context);
  CaptureUndisturbed undisturbed(context->driver());
  // Kernels of this module may still be running.
  context->driver().cuCtxSynchronize();
  context->driver().cuModuleUnload(module);
}

Expected<CUfunction> ModuleHandle::function(const std::string &symbol) const {
  ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context->driver();
  CUfunction function = nullptr;
  CUresult result =
      driver.cuModuleGetFunction(&function, module, symbol.c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    return Error(ErrorCode::code_without_kernel, {symbol});
  if (Status status = check(driver, result, "cuModuleGetFunction"); !status)
    return status.error();
  return function;
}

Expected<std::shared_ptr<Module>>
Module::load(const std::shared_ptr<Context> &context,
             std::shared_ptr<const std::string> ptx) {
  // Locked while loading, so that concurrent requests for a text load it once.
  std::lock_guard lock(context->moduleMutex);
  std::weak_ptr<Module> &known = context->modules[ptx.get()];
  if (std::shared_ptr<Module> module = known.lock())
    return module;
  Expected<ModuleHandle> handle = ModuleHandle::load(*context, ptx->c_str());
  if (!handle) {
    context->modules.erase(ptx.get());
    return handle.error();
  }
  auto module = std::make_shared<Module>();
  module->context = context;
  module->ptx = std::move(ptx);
  module->handle = std::move(*handle);
  known = module;
  return module;
}

Module::~Module() {
  if (!context)
    return;
  std::lock_guard lock(context->moduleMutex);
  // The same text may have been loaded again since the last owner went.
  auto at = context->modules.find(ptx.get());
  if (at != context->modules.end() && at->second.expired())
    context->modules.erase(at);
}
