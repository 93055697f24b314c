//===- Messages.cpp - errors and obstacles with their texts ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/Expected.h"

#include <cerrno>
#include <cstring>

using namespace kern::runtime;

namespace {
struct ErrorRow {
  kern_status status;
  std::string_view text;
};
constexpr ErrorRow errors[] = {
#define KERN_ERROR(NAME, STATUS, TEXT) {KERN_ERROR_##STATUS, TEXT},
#include "runtime/error/Errors.def"
};
constexpr std::string_view additions[] = {
#define KERN_ADDITION(NAME, TEXT) TEXT,
#include "runtime/error/Errors.def"
};
constexpr std::string_view obstacles[] = {
    "",
#define KERN_OBSTACLE(NAME, TEXT) TEXT,
#include "runtime/error/Obstacles.def"
#undef KERN_OBSTACLE
};
} // namespace

Obstacle::Obstacle(ObstacleKind kind,
                   std::initializer_list<TextArgument> arguments)
    : which(kind), words(fill(obstacles[size_t(kind)], arguments)) {}

Error::Error(ErrorCode code, std::initializer_list<TextArgument> arguments)
    : status(errors[size_t(code)].status),
      message(fill(errors[size_t(code)].text, arguments)), code(code) {}

Error &Error::add(Addition addition,
                  std::initializer_list<TextArgument> arguments) {
  message += fill(additions[size_t(addition)], arguments);
  return *this;
}

Error Error::after(std::string_view prefix) const {
  Error out = *this;
  out.message.insert(0, prefix);
  return out;
}

Error Error::in(std::string_view function) const {
  return after("`" + std::string(function) + "`: ");
}

Error Error::ofFile(std::string_view path) const {
  return after("'" + std::string(path) + "': ");
}

Error kern::runtime::fileError(std::string_view verb, std::string_view path,
                               int cause) {
  return Error(cause == ENOENT ? ErrorCode::file_not_found
                               : ErrorCode::file_failed,
               {verb, path, std::strerror(cause)});
}
