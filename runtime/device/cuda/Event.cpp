//===- Event.cpp - events -------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Event.h"

#include "runtime/device/cuda/Context.h"

#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<Event> Event::create(const Context &context, bool isTimed) {
  Event out;
  out.driver = &context.driver();
  const unsigned flags = isTimed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
  if (Status status =
          check(*out.driver, out.driver->cuEventCreate(&out.event, flags),
                "cuEventCreate");
      !status)
    return status.error();
  return out;
}

Event::Event(Event &&other) noexcept
    : driver(other.driver), event(std::exchange(other.event, nullptr)) {}

Event &Event::operator=(Event &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(event, other.event);
  return *this;
}

Event::~Event() {
  if (event)
    driver->cuEventDestroy(event);
}

Status Event::record(CUstream stream) {
  return check(*driver, driver->cuEventRecord(event, stream), "cuEventRecord");
}

Status Event::wait() const {
  CaptureUndisturbed undisturbed(*driver);
  return check(*driver, driver->cuEventSynchronize(event),
               "cuEventSynchronize");
}

Status Event::precede(CUstream stream) const {
  return check(*driver, driver->cuStreamWaitEvent(stream, event, 0),
               "cuStreamWaitEvent");
}

Expected<bool> Event::isComplete() const {
  CaptureUndisturbed undisturbed(*driver);
  const CUresult result = driver->cuEventQuery(event);
  if (result == CUDA_ERROR_NOT_READY)
    return false;
  if (Status status = check(*driver, result, "cuEventQuery"); !status)
    return status.error();
  return true;
}

Expected<float> Event::millisecondsSince(const Event &begin) const {
  float milliseconds = 0;
  if (Status status =
          check(*driver,
                driver->cuEventElapsedTime(&milliseconds, begin.event, event),
                "cuEventElapsedTime");
      !status)
    return status.error();
  return milliseconds;
}
