//===- Stream.cpp - streams of our own ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Stream.h"

#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<Stream> Stream::create(const Context &context) {
  Stream out;
  out.driver = &context.driver();
  if (Status status =
          check(*out.driver,
                out.driver->cuStreamCreate(&out.stream, CU_STREAM_NON_BLOCKING),
                "cuStreamCreate");
      !status)
    return status.error();
  return out;
}

Stream::Stream(Stream &&other) noexcept
    : driver(other.driver), stream(std::exchange(other.stream, nullptr)) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(stream, other.stream);
  return *this;
}

Stream::~Stream() {
  if (stream)
    driver->cuStreamDestroy(stream);
}

Status Stream::synchronize() const {
  return check(*driver, driver->cuStreamSynchronize(stream),
               "cuStreamSynchronize");
}
