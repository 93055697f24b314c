//===- Expected.h - a value or an error -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/diagnostics.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace kern {

/// What went wrong: a status of the C interface, one message for people, and
/// where a source is at fault the same as data.
struct Error {
  kern_status status = KERN_OK;
  std::string message;
  std::shared_ptr<const kern_diagnostics> diagnostics = nullptr;
};

/// A T or an Error. The runtime neither throws nor aborts.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }
  Error &error() { return std::get<1>(state); }
  const Error &error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

/// Success or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}
  explicit operator bool() const { return failure.status == KERN_OK; }
  Error &error() { return failure; }
  const Error &error() const { return failure; }

private:
  Error failure;
};

} // namespace kern
