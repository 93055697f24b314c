//===- ManifestText.cpp - a manifest for people ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/ManifestText.h"

#include <algorithm>

namespace kern::cli {
namespace {

/// NumPy's letters: "ff->f". NumPy has none for weak numbers, whose kind is
/// written out: "f<float>->f".
std::string loopLetters(const LoopInfo &loop) {
  std::string letters;
  for (ArgType type : loop.inputs) {
    if (type.isWeak())
      letters.append("<").append(name(type)).append(">");
    else
      letters += numpyCode(type.dtype);
  }
  letters += "->";
  for (DType type : loop.outputs)
    letters += numpyCode(type);
  return letters;
}

/// "a: T[m, k]" as in the header of the function.
std::string operandText(const FunctionInfo &function,
                        const OperandInfo &operand) {
  std::string core;
  for (const DimExpr &dim : operand.core)
    core += (core.empty() ? "" : ", ") + text(dim) +
            (function.isOptional(dim) ? "?" : "");
  std::string type = operand.type;
  if (!core.empty() && type.find('[') == std::string::npos)
    type += "[" + core + "]";
  std::string written =
      operand.isInout ? "inout " + operand.name : operand.name;
  if (!type.empty())
    written += (written.empty() ? "" : ": ") + type;
  return written;
}

std::string operandList(const FunctionInfo &function,
                        const std::vector<OperandInfo> &operands) {
  std::string list;
  for (const OperandInfo &operand : operands)
    list += (list.empty() ? "" : ", ") + operandText(function, operand);
  return list;
}

/// "gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n])".
std::string headerText(const FunctionInfo &function) {
  std::string header =
      function.kind == FunctionKind::Ufunc ? "ufunc " : "gufunc ";
  header +=
      function.name + "(" + operandList(function, function.parameters) + ")";
  const std::string results = operandList(function, function.results);
  if (results.empty())
    return header;
  const bool isPlain =
      function.results.size() == 1 && function.results[0].name.empty();
  return header + " -> " + (isPlain ? results : "(" + results + ")");
}

std::string firstLine(const std::string &doc) {
  const size_t begin = doc.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return "";
  std::string line = doc.substr(begin, doc.find('\n', begin) - begin);
  line.resize(line.find_last_not_of(" \t\r") + 1);
  return line;
}

/// "reads 16 and 4, writes 16 bytes at a time": the widest accesses that the
/// kernel makes of each operand in memory.
std::string accessText(const KernelInfo &kernel, const LoopInfo &loop) {
  const size_t vectorBytes =
      kernel.form == Form::Contiguous ? kernel.alignment : 16;
  size_t widest = 1, withScalars = 1; // without inputs after the first
  auto count = [&](DType type, bool isMaybeScalar) {
    widest = std::max(widest, itemSize(type));
    if (!isMaybeScalar)
      withScalars = std::max(withScalars, itemSize(type));
  };
  for (size_t k = 0; k < loop.inputs.size(); ++k)
    if (!loop.inputs[k].isWeak())
      count(loop.inputs[k].dtype, k > 0);
  for (DType type : loop.outputs)
    count(type, false);
  size_t chunk = 1; // elements of one access
  if (kernel.form == Form::Contiguous) {
    chunk = std::clamp<size_t>(vectorBytes / widest, 1, kernel.elements);
    // More elements a thread are there for calls with scalars.
    if (kernel.elements > chunk)
      chunk = std::clamp<size_t>(vectorBytes / withScalars, 1, kernel.elements);
  } else if (kernel.form == Form::Inner || kernel.form == Form::General) {
    chunk = kernel.elements;
  }
  std::string reads, writes;
  auto append = [&](std::string &list, DType type, size_t elements) {
    list += (list.empty() ? "" : " and ") +
            std::to_string(std::min(elements * itemSize(type), vectorBytes));
  };
  for (ArgType type : loop.inputs)
    if (!type.isWeak())
      append(reads, type.dtype, chunk);
  // What a group makes of its elements is written one by one.
  for (DType type : loop.outputs)
    append(writes, type, kernel.form == Form::General ? 1 : chunk);
  if (!reads.empty())
    reads = "reads " + reads + (writes.empty() ? "" : ", ");
  return reads + (writes.empty() ? "" : "writes " + writes) +
         " bytes at a time";
}

std::string kernelText(const KernelInfo &kernel, const LoopInfo &loop) {
  std::string line(name(kernel.form));
  line.resize(std::max<size_t>(line.size(), 10), ' ');
  line += "  " + kernel.symbol + ": block " + std::to_string(kernel.block);
  if (kernel.form == Form::Contiguous)
    line += ", " + std::to_string(kernel.elements) +
            (kernel.elements == 1 ? " element" : " elements") + " a thread, " +
            std::to_string(kernel.alignment) + "-byte alignment";
  std::string shared;
  for (const DimExpr &extent : kernel.sharedExtents)
    shared += (shared.empty() ? "" : ", ") + text(extent);
  if (!shared.empty())
    line += ", groups share " + shared;
  return line + "; " + accessText(kernel, loop);
}

} // namespace

std::string signatureText(const FunctionInfo &function) {
  std::string line = function.name + "  " + function.coreSignature() + " ";
  for (const LoopInfo &loop : function.loops)
    line += " " + loopLetters(loop);
  if (function.isGeneric)
    line += " generic";
  return line;
}

std::string manifestText(const Manifest &manifest, bool kernels) {
  std::string out;
  if (kernels)
    out = "compiled from " + manifest.source + " for " + manifest.target.arch +
          " by kern " + manifest.compiler + "\n";
  for (const FunctionInfo &function : manifest.functions) {
    if (!out.empty())
      out += "\n";
    out += signatureText(function) + "\n";
    out += "    " + headerText(function) + "\n";
    if (const std::string line = firstLine(function.doc); !line.empty())
      out += "    " + line + "\n";
    if (!kernels)
      continue;
    for (const LoopInfo &loop : function.loops) {
      out += "    " + text(loop) +
             (loop.kernels.empty() ? "  not compiled" : "") + "\n";
      for (const KernelInfo &kernel : loop.kernels)
        out += "        " + kernelText(kernel, loop) + "\n";
    }
  }
  return out;
}

} // namespace kern::cli
