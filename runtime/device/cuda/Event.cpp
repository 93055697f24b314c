//===- Event.cpp - events -------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Event.h"

#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

Expected<Event> Event::create(const Context &context) {
  Event out;
  out.driver = &context.driver();
  if (Status status =
          check(*out.driver,
                out.driver->cuEventCreate(&out.event, CU_EVENT_DISABLE_TIMING),
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
  return check(*driver, driver->cuEventSynchronize(event),
               "cuEventSynchronize");
}

Status Event::precede(CUstream stream) const {
  return check(*driver, driver->cuStreamWaitEvent(stream, event, 0),
               "cuStreamWaitEvent");
}
