//===- Png.cpp - pictures as PNG files ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Png.h"

#include <array>
#include <cmath>
#include <fstream>
#include <zlib.h>

namespace {

void appendWord(std::vector<uint8_t> &bytes, uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(uint8_t(word >> shift));
}

/// Length, kind, contents, checksum of kind and contents.
void appendChunk(std::vector<uint8_t> &file, const char *kind,
                 const std::vector<uint8_t> &contents) {
  appendWord(file, uint32_t(contents.size()));
  size_t start = file.size();
  file.insert(file.end(), kind, kind + 4);
  file.insert(file.end(), contents.begin(), contents.end());
  appendWord(file,
             uint32_t(crc32_z(0, file.data() + start, file.size() - start)));
}

/// Each row's bytes as differences to the row above (filter type 2), which
/// compresses smooth pictures well.
std::vector<uint8_t> filterRows(const Picture &picture) {
  size_t rowBytes = 3 * size_t(picture.width);
  std::vector<uint8_t> rows;
  rows.reserve((rowBytes + 1) * picture.height);
  for (size_t y = 0; y < picture.height; ++y) {
    rows.push_back(2);
    const uint8_t *row = picture.rgb.data() + y * rowBytes;
    for (size_t x = 0; x < rowBytes; ++x)
      rows.push_back(uint8_t(row[x] - (y ? row[x - rowBytes] : 0)));
  }
  return rows;
}

/// A colour in [0, 1) round a closed palette: cosines that differ in phase.
std::array<uint8_t, 3> paletteColour(float place) {
  constexpr float tau = 6.2831853f;
  constexpr std::array<float, 3> phase = {0.58f, 0.70f, 0.82f};
  std::array<uint8_t, 3> colour;
  for (size_t k = 0; k < 3; ++k) {
    float wave = 0.5f - 0.5f * std::cos(tau * (place + phase[k]));
    colour[k] = uint8_t(255.0f * std::pow(wave, 0.8f));
  }
  return colour;
}

} // namespace

bool writePng(const Picture &picture, const std::string &path) {
  std::vector<uint8_t> rows = filterRows(picture);
  uLongf packedSize = compressBound(uLong(rows.size()));
  std::vector<uint8_t> packed(packedSize);
  if (compress2(packed.data(), &packedSize, rows.data(), uLong(rows.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    return false;
  packed.resize(packedSize);

  std::vector<uint8_t> file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::vector<uint8_t> header;
  appendWord(header, picture.width);
  appendWord(header, picture.height);
  // 8 bits, RGB, deflate, adaptive filters, not interlaced.
  header.insert(header.end(), {8, 2, 0, 0, 0});
  appendChunk(file, "IHDR", header);
  appendChunk(file, "IDAT", packed);
  appendChunk(file, "IEND", {});

  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char *>(file.data()),
               std::streamsize(file.size()));
  return bool(stream.flush());
}

Picture colourEscapeTimes(const std::vector<float> &times, uint32_t width,
                          uint32_t height, float limit) {
  Picture picture{width, height, {}};
  picture.rgb.reserve(3 * times.size());
  for (float time : times) {
    std::array<uint8_t, 3> colour = {0, 0, 0};
    // The root spreads the colours where escape times change fastest.
    if (time < limit) {
      float place = 0.16f * std::sqrt(std::max(time, 0.0f));
      colour = paletteColour(place - std::floor(place));
    }
    picture.rgb.insert(picture.rgb.end(), colour.begin(), colour.end());
  }
  return picture;
}
