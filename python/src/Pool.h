//===- Pool.h - a few objects on the stack, more on the heap ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace kern::python {

/// A fixed number of default-initialised objects: the first `few` of them in
/// the pool itself, all of them on the heap if there are more.
template <typename T, size_t few> class Pool {
public:
  explicit Pool(size_t count)
      : count(count), many(count > few ? new T[count] : nullptr),
        first(many ? many.get() : reinterpret_cast<T *>(place)) {
    if (!many)
      for (size_t i = 0; i < count; ++i)
        new (first + i) T;
  }
  ~Pool() {
    if (!many)
      std::destroy_n(first, count);
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  T &operator[](size_t i) { return first[i]; }
  const T &operator[](size_t i) const { return first[i]; }

private:
  size_t count;
  std::unique_ptr<T[]> many;
  alignas(T) std::byte place[few * sizeof(T)];
  T *first;
};

} // namespace kern::python
