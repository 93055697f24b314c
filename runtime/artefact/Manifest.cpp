//===- Manifest.cpp - what a compiled file holds --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/JsonReader.h"

#include <algorithm>
#include <charconv>

using namespace kern::runtime;

static constexpr std::string_view hexadecimal = "0123456789abcdef";

std::string kern::runtime::bitsOf(const DefaultArgument &number) {
  std::string bits;
  for (size_t i = 0; i < itemSize(number.type.carrier()); ++i) {
    const auto byte = unsigned(number.value[i]);
    bits += {hexadecimal[byte >> 4], hexadecimal[byte & 15]};
  }
  return bits;
}

bool kern::runtime::setBits(DefaultArgument &number, std::string_view bits) {
  if (bits.size() != 2 * itemSize(number.type.carrier()))
    return false;
  for (size_t i = 0; i < bits.size(); i += 2) {
    const size_t high = hexadecimal.find(bits[i]),
                 low = hexadecimal.find(bits[i + 1]);
    if (high == hexadecimal.npos || low == hexadecimal.npos)
      return false;
    number.value[i / 2] = std::byte(high << 4 | low);
  }
  return true;
}

std::string_view kern::runtime::name(TargetKind kind) {
  return kind == TargetKind::Host ? "host" : "nvptx";
}

std::string kern::runtime::text(Mapping mapping) {
  std::string out;
  for (const MappingWord &word : mappingWords)
    if (mapping.*word.member)
      out += (out.empty() ? "" : ", ") + std::string(word.name);
  if (mapping.chunks)
    out += " " + std::to_string(mapping.chunks);
  if (mapping.tile)
    out += (out.empty() ? "" : ", ") + tileWord(mapping.tile);
  if (mapping.phase)
    out +=
        (out.empty() ? "phase " : ", phase ") + std::to_string(mapping.phase);
  return out.empty() ? "grouped" : out;
}

static constexpr std::string_view tiledPrefix = "tiled";

std::string kern::runtime::tileWord(unsigned columns) {
  return std::string(tiledPrefix) + std::to_string(columns);
}

std::optional<unsigned> kern::runtime::tileOfWord(std::string_view word) {
  if (!word.starts_with(tiledPrefix))
    return std::nullopt;
  word.remove_prefix(tiledPrefix.size());
  unsigned columns = 0;
  auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), columns);
  if (error != std::errc() || end != word.data() + word.size() || !columns)
    return std::nullopt;
  return columns;
}

std::string kern::runtime::text(const LoopInfo &loop) {
  std::string out;
  for (size_t i = 0; i < loop.outputs.size(); ++i)
    out += (i ? ", " : "") + std::string(name(loop.outputs[i]));
  if (loop.outputs.size() != 1)
    out = "(" + out + ")";
  out += "(";
  for (size_t i = 0; i < loop.inputs.size(); ++i)
    out += (i ? ", " : "") + std::string(name(loop.inputs[i]));
  return out + ")";
}

bool FunctionInfo::isOptional(const DimExpr &dim) const {
  const std::optional<std::string> name = nameOf(dim);
  return name && std::ranges::find(optionalDims, *name) != optionalDims.end();
}

std::string FunctionInfo::coreSignature() const {
  auto list = [this](const std::vector<OperandInfo> &operands) {
    std::string out;
    bool first = true;
    for (const OperandInfo &operand : operands) {
      if (operand.isDim)
        continue;
      out += first ? "(" : ",(";
      first = false;
      for (size_t i = 0; i < operand.core.size(); ++i) {
        std::string dim = text(operand.core[i]);
        std::erase(dim, ' ');
        out += (i ? "," : "") + dim + (isOptional(operand.core[i]) ? "?" : "");
      }
      out += ")";
    }
    return out;
  };
  return list(parameters) + "->" + list(results);
}

const FunctionInfo *Manifest::find(std::string_view wanted) const {
  auto at = std::find_if(functions.begin(), functions.end(),
                         [&](const auto &f) { return f.name == wanted; });
  return at == functions.end() ? nullptr : &*at;
}

/// The most values that a check writes after its number.
static size_t valuesOf(const CheckInfo &check, const FunctionInfo &function) {
  switch (check.kind) {
  case CheckKind::Assert:
    return 0;
  case CheckKind::Index:
  case CheckKind::IndexFromEnd:
  case CheckKind::Bound:
  case CheckKind::BoundFromEnd:
    return 2;
  case CheckKind::Unwritten:
    for (const OperandInfo &result : function.results)
      if (result.name == check.text)
        return result.core.size();
    break;
  case CheckKind::Read:
  case CheckKind::Write:
  case CheckKind::Add:
    break;
  }
  return maxRecordWords - 1;
}

unsigned kern::runtime::recordWords(const KernelInfo &kernel,
                                    const FunctionInfo &function) {
  size_t words = 0;
  for (const CheckInfo &check : kernel.checks)
    words = std::max(words, 1 + valuesOf(check, function));
  return unsigned(std::min<size_t>(words, maxRecordWords));
}

int kern::runtime::versionOf(const Manifest &manifest) {
  int version = 1;
  for (const FunctionInfo &function : manifest.functions)
    for (const LoopInfo &loop : function.loops)
      for (const KernelInfo &kernel : loop.kernels) {
        if (!kernel.leastExtents.empty())
          return 4;
        if (kernel.mapping != Mapping{} || kernel.inParts)
          version = 3;
        else if (recordWords(kernel, function) > firstRecordWords)
          version = std::max(version, 2);
      }
  return version;
}
