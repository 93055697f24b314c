//===- Expected.h - a value or an error -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/diagnostics.h"
#include "runtime/error/Messages.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace kern::runtime {

/// Names one row of Errors.def.
enum class ErrorCode : uint16_t {
#define KERN_ERROR(NAME, STATUS, TEXT) NAME,
#include "runtime/error/Errors.def"
};
/// Names what is added to an error, a row of Errors.def too.
enum class Addition : uint8_t {
#define KERN_ADDITION(NAME, TEXT) NAME,
#include "runtime/error/Errors.def"
};

/// What went wrong: a status of the C interface, a message for people, and for
/// errors in a source the diagnostics as data.
struct Error {
  kern_status status = KERN_OK;
  std::string message;
  std::shared_ptr<const kern_diagnostics> diagnostics = nullptr;
  /// The row of a runtime error; nothing for errors of the compiler.
  std::optional<ErrorCode> code = std::nullopt;
  /// Of a device: the functions that may have caused it are named.
  bool namesCause = false;

  Error() = default;
  Error(ErrorCode code, std::initializer_list<TextArgument> arguments = {});
  Error(kern_status status, std::string message,
        std::shared_ptr<const kern_diagnostics> diagnostics = nullptr)
      : status(status), message(std::move(message)),
        diagnostics(std::move(diagnostics)) {}

  /// Adds to the message's end.
  Error &add(Addition addition,
             std::initializer_list<TextArgument> arguments = {});
  /// The same error with a text before its message.
  Error after(std::string_view prefix) const;
  /// "`function`: " before its message.
  Error in(std::string_view function) const;
  /// "'path': " before its message.
  Error ofFile(std::string_view path) const;
};

/// "cannot open 'F': No such file or directory": KERN_ERROR_NOT_FOUND for an
/// errno of ENOENT, else KERN_ERROR_IO.
Error fileError(std::string_view verb, std::string_view path, int cause);

/// A T or an Error.
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

} // namespace kern::runtime
