//===- ElementCopyTest.cpp - copies of strided elements -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/ElementCopy.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace kern::runtime;

namespace {
constexpr size_t sizes[] = {1, 2, 4, 8, 16};

/// Memory of random bytes, from an odd address on.
struct Memory {
  std::vector<std::byte> bytes;
  Memory(std::mt19937 &random, size_t size) : bytes(size + 1) {
    for (std::byte &byte : bytes)
      byte = std::byte(random());
  }
  std::byte *data() { return bytes.data() + 1; }
  bool operator==(const Memory &) const = default;
};
} // namespace

// Element by element as the contract says, and no byte beside them.
TEST(ElementCopy, Strided) {
  std::mt19937 random(3);
  for (size_t size : sizes)
    for (int64_t to : {1, 2, 3, -1, -2, 7})
      for (int64_t from : {0, 1, 2, 3, 4, 5, -1, -2, -3, 16})
        for (int64_t count : {0, 1, 2, 7, 16, 31, 64, 100, 257}) {
          constexpr size_t half = 257 * 16;
          Memory source(random, 2 * half * size), target = source;
          for (std::byte &byte : target.bytes)
            byte = std::byte(random());
          Memory expected = target;
          auto step = int64_t(size);
          std::byte *in = source.data() + half * size,
                    *out = target.data() + half * size,
                    *right = expected.data() + half * size;
          for (int64_t i = 0; i < count; ++i)
            std::memcpy(right + i * to * step, in + i * from * step, size);
          copyStrided(size, count, out, to * step, in, from * step);
          ASSERT_EQ(target, expected) << size << " bytes, " << count << " from "
                                      << from << " to " << to;
        }
}

TEST(ElementCopy, Transposed) {
  std::mt19937 random(4);
  for (size_t size : sizes)
    for (auto [lines, length] :
         {std::pair(1, 1), {16, 16}, {5, 40}, {33, 18}, {64, 70}, {3, 2}})
      for (bool writesWhole : {false, true}) {
        int64_t fromPitch = int64_t(size) * length + 3,
                toPitch = int64_t(size) * lines + 5;
        Memory source(random, size_t(fromPitch * lines)),
            target(random, size_t(toPitch * length)), expected = target;
        for (int64_t i = 0; i < lines; ++i)
          for (int64_t j = 0; j < length; ++j)
            std::memcpy(expected.data() + j * toPitch + i * int64_t(size),
                        source.data() + i * fromPitch + j * int64_t(size),
                        size);
        transpose(size, lines, length, target.data(), toPitch, source.data(),
                  fromPitch, writesWhole);
        ASSERT_EQ(target, expected)
            << size << " bytes, " << lines << " x " << length;
      }
}

// Masks that are all true, all false and anything, of other bits than 1 too.
TEST(ElementCopy, Where) {
  std::mt19937 random(6);
  for (size_t size : sizes)
    for (int64_t to : {1, 2, -1})
      for (int64_t from : {1, 3, 0})
        for (int64_t truth : {1, 0, 2, -1})
          for (int64_t count : {0, 1, 7, 8, 9, 64, 100, 257})
            for (unsigned kind = 0; kind < 3; ++kind) {
              constexpr size_t half = 257 * 3;
              Memory source(random, 2 * half * size), target = source,
                                                      mask(random, 4 * 257);
              for (std::byte &byte : target.bytes)
                byte = std::byte(random());
              for (std::byte &byte : mask.bytes)
                byte = kind == 0   ? std::byte(0)
                       : kind == 1 ? byte | std::byte(0x80)
                                   : byte & std::byte(random() % 2 ? 0 : 0x42);
              Memory expected = target;
              auto step = int64_t(size);
              std::byte *in = source.data() + half * size,
                        *out = target.data() + half * size,
                        *right = expected.data() + half * size,
                        *flags = mask.data() + 2 * 257;
              for (int64_t i = 0; i < count; ++i)
                if (flags[i * truth] != std::byte(0))
                  std::memcpy(right + i * to * step, in + i * from * step,
                              size);
              copyWhere(size, count, out, to * step, in, from * step, flags,
                        truth);
              ASSERT_EQ(target, expected)
                  << size << " bytes, " << count << " from " << from << " to "
                  << to << " mask " << truth << " kind " << kind;
            }
}
