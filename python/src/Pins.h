//===- Pins.h - who is reading what may be replaced -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers take no lock: a reader pins itself before it loads a pointer. A
// writer that replaces the pointer may free the old object once it has then
// seen no reader pinned.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Numpy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kern::python {

class Pins {
#ifdef Py_GIL_DISABLED
  using Count = std::atomic<uint32_t>;
  static constexpr size_t groups = 8;
  static size_t group() {
    static std::atomic<size_t> threads{0};
    thread_local const size_t mine = threads.fetch_add(1) % groups;
    return mine;
  }
#else
  using Count = uint32_t; // under the GIL
  static constexpr size_t groups = 1;
  static size_t group() { return 0; }
#endif
  /// One for each group of threads, each on its own cache line if there are
  /// several.
  struct alignas(groups > 1 ? 64 : sizeof(Count)) Counter {
    Count readers = 0;
  };
  std::array<Counter, groups> counters;

public:
  class Pin {
  public:
    explicit Pin(Pins &pins) : count(pins.counters[group()].readers) {
      ++count;
    }
    ~Pin() { --count; }
    Pin(const Pin &) = delete;
    Pin &operator=(const Pin &) = delete;

  private:
    Count &count;
  };

  bool areFree() const {
    return std::ranges::all_of(
        counters, [](const Counter &counter) { return counter.readers == 0; });
  }
};

} // namespace kern::python
