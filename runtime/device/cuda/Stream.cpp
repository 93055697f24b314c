//===- Stream.cpp - streams of our own ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Stream.h"

#include "runtime/device/cuda/DeviceFree.h"

#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<Stream> Stream::create(Context &context) {
  Stream out;
  out.context = &context;
  const Driver &driver = context.driver();
  if (Status status = check(
          driver, driver.cuStreamCreate(&out.stream, CU_STREAM_NON_BLOCKING),
          "cuStreamCreate");
      !status)
    return status.error();
  out.isOwn = true;
  Expected<StreamTable::Stream> known = context.streams().add(out.stream);
  if (!known)
    return known.error();
  out.known = std::move(*known);
  return out;
}

Expected<Stream> Stream::view(Context &context, CUstream stream) {
  Stream out;
  out.context = &context;
  out.stream = stream;
  Expected<StreamTable::Stream> known = context.streams().add(stream);
  if (!known)
    return known.error();
  out.known = std::move(*known);
  return out;
}

Stream::Stream(Stream &&other) noexcept
    : context(other.context), stream(std::exchange(other.stream, nullptr)),
      isOwn(std::exchange(other.isOwn, false)), known(std::move(other.known)) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  std::swap(context, other.context);
  std::swap(stream, other.stream);
  std::swap(isOwn, other.isOwn);
  std::swap(known, other.known);
  return *this;
}

Stream::~Stream() {
  if (known)
    retireStream(*context, known);
  if (isOwn)
    context->driver().cuStreamDestroy(stream);
}

Status Stream::synchronize() const {
  CaptureUndisturbed undisturbed(context->driver());
  return check(context->driver(), context->driver().cuStreamSynchronize(stream),
               "cuStreamSynchronize");
}

Expected<bool> Stream::isComplete() const {
  CaptureUndisturbed undisturbed(context->driver());
  const CUresult result = context->driver().cuStreamQuery(stream);
  if (result == CUDA_ERROR_NOT_READY)
    return false;
  if (Status status = check(context->driver(), result, "cuStreamQuery");
      !status)
    return status.error();
  return true;
}
