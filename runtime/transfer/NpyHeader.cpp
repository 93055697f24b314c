//===- NpyHeader.cpp - the header of .npy files ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Npy.h"

#include <charconv>
#include <cstring>

using namespace kern::runtime;

namespace {
constexpr std::string_view magic = "\x93NUMPY";

/// Parses the Python dictionary of a header.
class Literal {
public:
  explicit Literal(std::string_view text) : rest(text) {}

  bool take(char c) {
    skipSpace();
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool peek(char c) {
    skipSpace();
    return !rest.empty() && rest.front() == c;
  }
  bool atEnd() {
    skipSpace();
    return rest.empty();
  }
  std::optional<std::string_view> string() {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string_view out = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return out;
  }
  std::optional<bool> boolean() {
    skipSpace();
    for (bool value : {false, true}) {
      std::string_view word = value ? "True" : "False";
      if (rest.starts_with(word)) {
        rest.remove_prefix(word.size());
        return value;
      }
    }
    return std::nullopt;
  }
  std::optional<int64_t> integer() {
    skipSpace();
    int64_t value = 0;
    auto [end, failure] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (failure != std::errc())
      return std::nullopt;
    rest.remove_prefix(size_t(end - rest.data()));
    if (!rest.empty() && rest.front() == 'L') // written by Python 2
      rest.remove_prefix(1);
    return value;
  }

private:
  void skipSpace() {
    while (!rest.empty() && std::strchr(" \t\r\n", rest.front()) &&
           rest.front())
      rest.remove_prefix(1);
  }
  std::string_view rest;
};

std::optional<DType> typeOf(std::string_view code) {
  static constexpr std::pair<std::string_view, DType> codes[] = {
      {"b1", DType::Bool}, {"i1", DType::I8},   {"u1", DType::U8},
      {"i2", DType::I16},  {"u2", DType::U16},  {"i4", DType::I32},
      {"u4", DType::U32},  {"i8", DType::I64},  {"u8", DType::U64},
      {"f2", DType::F16},  {"V2", DType::BF16}, {"f4", DType::F32},
      {"f8", DType::F64},  {"c8", DType::C64},  {"c16", DType::C128}};
  for (auto [text, dtype] : codes)
    if (code == text)
      return dtype;
  return std::nullopt;
}

Status readDescr(Literal &literal, NpyHeader &header) {
  if (literal.peek('['))
    return Error(ErrorCode::npy_records);
  std::optional<std::string_view> descr = literal.string();
  if (!descr || descr->empty())
    return Error(ErrorCode::npy_descr);
  std::string_view code = *descr;
  char order = code.front();
  if (std::strchr("<>|=", order))
    code.remove_prefix(1);
  std::optional<DType> dtype = typeOf(code);
  if (!dtype)
    return Error(ErrorCode::npy_type, {*descr});
  header.dtype = *dtype;
  header.swapBytes = order == '>' && itemSize(*dtype) > 1;
  return {};
}

Status readShape(Literal &literal, NpyHeader &header) {
  if (!literal.take('('))
    return Error(ErrorCode::npy_shape);
  while (!literal.take(')')) {
    std::optional<int64_t> extent = literal.integer();
    if (!extent || *extent < 0)
      return Error(ErrorCode::npy_extent);
    header.shape.push_back(*extent);
    if (header.shape.size() > size_t(maxDimensions))
      return Error(ErrorCode::npy_rank, {maxDimensions});
    if (!literal.take(',') && !literal.peek(')'))
      return Error(ErrorCode::npy_shape);
  }
  return {};
}
} // namespace

Expected<NpyHeader> kern::runtime::parseNpyHeader(std::string_view head) {
  if (!head.starts_with(magic))
    return Error(ErrorCode::npy_magic);
  if (head.size() < 10)
    return Error(ErrorCode::npy_header_cut_off);
  unsigned major = static_cast<unsigned char>(head[6]);
  if (major < 1 || major > 3)
    return Error(ErrorCode::npy_version, {major});
  size_t lengthBytes = major == 1 ? 2 : 4, length = 0;
  if (head.size() < 8 + lengthBytes)
    return Error(ErrorCode::npy_header_cut_off);
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t(static_cast<unsigned char>(head[8 + i])) << (8 * i);
  NpyHeader header;
  header.dataOffset = 8 + lengthBytes + length;
  if (head.size() < header.dataOffset)
    return Error(ErrorCode::npy_header_cut_off);

  Literal literal(head.substr(8 + lengthBytes, length));
  bool seen[3] = {};
  if (!literal.take('{'))
    return Error(ErrorCode::npy_header);
  while (!literal.take('}')) {
    std::optional<std::string_view> key = literal.string();
    if (!key || !literal.take(':'))
      return Error(ErrorCode::npy_header);
    Status read;
    if (*key == "descr") {
      seen[0] = true;
      read = readDescr(literal, header);
    } else if (*key == "fortran_order") {
      seen[1] = true;
      std::optional<bool> value = literal.boolean();
      if (!value)
        return Error(ErrorCode::npy_fortran_order);
      header.fortranOrder = *value;
    } else if (*key == "shape") {
      if (seen[2])
        return Error(ErrorCode::npy_shape_twice);
      seen[2] = true;
      read = readShape(literal, header);
    } else {
      return Error(ErrorCode::npy_unknown_key, {*key});
    }
    if (!read)
      return read.error();
    if (!literal.take(',') && !literal.peek('}'))
      return Error(ErrorCode::npy_header);
  }
  if (!literal.atEnd() || !seen[0] || !seen[1] || !seen[2])
    return Error(ErrorCode::npy_header_incomplete);
  if (!bytesOf(header.shape, header.dtype))
    return Error(ErrorCode::npy_too_large, {text(header.shape)});
  return header;
}

std::string kern::runtime::formatNpyHeader(DType dtype, bool fortranOrder,
                                           std::span<const int64_t> shape) {
  static constexpr std::string_view descrs[dtypeCount] = {
      "|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8",
      "<u8", "<f2", "<V2", "<f4", "<f8", "<c8", "<c16"};
  std::string body =
      "{'descr': '" + std::string(descrs[unsigned(dtype)]) +
      "', 'fortran_order': " + (fortranOrder ? "True" : "False") +
      ", 'shape': " + text(shape) + ", }";
  // 64 dimensions of 19 digits stay far below version 1's 65535 bytes.
  size_t padded = (10 + body.size() + 1 + 63) / 64 * 64;
  body.append(padded - 10 - body.size() - 1, ' ');
  body += '\n';
  std::string out(magic);
  out += '\x01';
  out += '\x00';
  out += char(body.size() & 0xff);
  out += char(body.size() >> 8);
  return out + body;
}
