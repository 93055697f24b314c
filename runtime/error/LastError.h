//===- LastError.h - the last error of a thread -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The boundary of the C interface: exceptions become a status, since the
// standard library's containers throw when memory runs out, and enumerators
// from C, which may have any value, are read safely.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <cstring>
#include <exception>
#include <new>

namespace kern::runtime {

/// Keeps the message for kern_last_error(), the diagnostics for
/// kern_last_diagnostics(), and returns the status.
kern_status fail(Error error) noexcept;
/// Needs no memory for its message.
kern_status failOutOfMemory() noexcept;
kern_status failInternally(const char *what) noexcept;

/// Runs the body of a function of the C interface. `body` returns a Status.
template <typename Body> kern_status guarded(Body body) noexcept {
  try {
    Status status = body();
    return status ? KERN_OK : fail(std::move(status.error()));
  } catch (const std::bad_alloc &) {
    return failOutOfMemory();
  } catch (const std::exception &error) {
    return failInternally(error.what());
  } catch (...) {
    return failInternally("an unknown exception");
  }
}

/// The number that a C caller passed, which may be no enumerator. In C++
/// reading such a value as the enumeration is undefined.
template <typename Enum> unsigned rawValue(const Enum &passed) {
  static_assert(sizeof(Enum) == sizeof(unsigned));
  unsigned raw = 0;
  std::memcpy(&raw, &passed, sizeof raw);
  return raw;
}

} // namespace kern::runtime
