//===- Png.h - pictures as PNG files ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Red, green and blue of each pixel, row by row from the top.
struct Picture {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgb; ///< 3 * width * height
};

/// Writes an 8-bit RGB PNG (ISO/IEC 15948). False if the file cannot be
/// written or zlib fails.
bool writePng(const Picture &picture, const std::string &path);

/// A colour for each smoothed escape time; black from `limit` on.
Picture colourEscapeTimes(const std::vector<float> &times, uint32_t width,
                          uint32_t height, float limit);
