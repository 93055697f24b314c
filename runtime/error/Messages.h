//===- Messages.h - texts with places to fill -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages are data: an error is a row of Errors.def, an obstacle one of
// Obstacles.def, each with a text that has places {0}, {1} ….
//
//===----------------------------------------------------------------------===//
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace kern::runtime {

/// What fills one place of a text.
struct TextArgument {
  std::string text;
  TextArgument(std::string text) : text(std::move(text)) {}
  TextArgument(std::string_view text) : text(text) {}
  TextArgument(const char *text) : text(text) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  TextArgument(T number) : text(std::to_string(number)) {}
  operator std::string_view() const { return text; }
};

/// The text with its places filled; one without an argument becomes "".
template <std::convertible_to<std::string_view> Argument>
std::string fill(std::string_view text,
                 std::initializer_list<Argument> arguments) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isPlace = text[i] == '{' && i + 2 < text.size() &&
                   text[i + 2] == '}' && text[i + 1] >= '0' &&
                   text[i + 1] <= '9';
    if (!isPlace) {
      result += text[i];
      continue;
    }
    size_t index = size_t(text[i + 1] - '0');
    if (index < arguments.size())
      result += std::string_view(*(arguments.begin() + index));
    i += 2;
  }
  return result;
}

/// Names one row of Obstacles.def.
enum class ObstacleKind : uint8_t {
  none,
#define KERN_OBSTACLE(NAME, TEXT) NAME,
#include "runtime/error/Obstacles.def"
#undef KERN_OBSTACLE
};

/// What prevents something faster: nothing, or a kind with its text.
class Obstacle {
public:
  Obstacle() = default;
  Obstacle(ObstacleKind kind,
           std::initializer_list<TextArgument> arguments = {});

  explicit operator bool() const { return which != ObstacleKind::none; }
  ObstacleKind kind() const { return which; }
  /// For people; "" for nothing.
  const std::string &text() const { return words; }
  bool operator==(const Obstacle &) const = default;

private:
  ObstacleKind which = ObstacleKind::none;
  std::string words;
};

} // namespace kern::runtime
