//===- ManifestText.cpp - a manifest for people ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/ManifestText.h"

#include "runtime/artefact/KernelAccess.h"
#include "runtime/artefact/Nest.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kern::cli {

using namespace runtime;

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
  if (operand.defaultArgument)
    written += (type.empty() ? "=" : " = ") + operand.defaultArgument->text;
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

/// The names of the operands that a loop has types for, results last.
std::vector<std::string> operandNames(const FunctionInfo &function) {
  std::vector<std::string> names;
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim)
      names.push_back(parameter.name);
  for (size_t i = 0; i < function.results.size(); ++i)
    names.push_back(!function.results[i].name.empty() ? function.results[i].name
                    : function.results.size() == 1
                        ? "the result"
                        : "result " + std::to_string(i + 1));
  return names;
}

/// "x, y: another operand's elements are wider", for each reason; without names
/// where it is everybody's.
std::string reasonText(const std::vector<Access> &accesses,
                       const std::vector<std::string> &names) {
  std::string text;
  for (size_t k = 0; k < accesses.size(); ++k) {
    const Obstacle &obstacle = accesses[k].obstacle;
    const auto sameBefore = [&](const Access &a) {
      return a.obstacle == obstacle;
    };
    if (!obstacle ||
        std::any_of(accesses.begin(), accesses.begin() + std::ptrdiff_t(k),
                    sameBefore))
      continue;
    std::string who;
    size_t count = 0, inMemory = 0;
    for (size_t i = 0; i < accesses.size(); ++i) {
      inMemory += accesses[i].bytes != 0;
      if (accesses[i].obstacle != obstacle || i >= names.size())
        continue;
      who += (who.empty() ? "" : ", ") + names[i];
      ++count;
    }
    text += "; " + (count == inMemory ? "" : who + ": ") + obstacle.text();
  }
  return text;
}

/// "reads 16 and 4, writes 16 bytes at a time; y: …": the widest accesses that
/// the kernel makes of each operand in memory, and what keeps them from more.
std::string accessText(const KernelInfo &kernel, const FunctionInfo &function,
                       const LoopInfo &loop) {
  const std::vector<Access> accesses = widestAccesses(kernel, function, loop);
  std::string reads, writes;
  for (size_t k = 0; k < accesses.size(); ++k) {
    std::string &list = k < loop.inputs.size() ? reads : writes;
    if (accesses[k].bytes)
      list += (list.empty() ? "" : " and ") + std::to_string(accesses[k].bytes);
  }
  if (!reads.empty())
    reads = "reads " + reads + (writes.empty() ? "" : ", ");
  return reads + (writes.empty() ? "" : "writes " + writes) +
         " bytes at a time" + reasonText(accesses, operandNames(function));
}

std::string kernelText(const KernelInfo &kernel, const FunctionInfo &function,
                       const LoopInfo &loop) {
  std::string line(name(kernel.form));
  line.resize(std::max<size_t>(line.size(), 10), ' ');
  line += "  " + kernel.symbol + ": block " + std::to_string(kernel.block);
  if (kernel.form == Form::Contiguous)
    line += ", " + counted(kernel.elements, "element") + " a thread, " +
            std::to_string(kernel.alignment) + "-byte alignment";
  if (kernel.form == Form::General)
    line += ", " + text(kernel.mapping);
  std::string shared;
  for (const DimExpr &extent : kernel.sharedExtents)
    shared += (shared.empty() ? "" : ", ") + text(extent);
  if (!shared.empty())
    line += ", groups share " + shared;
  return line + "; " + accessText(kernel, function, loop);
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
      if (const std::string mappings = mappingsText(loop.nest);
          !mappings.empty())
        out += "        mappings: " + mappings + "\n";
      for (const KernelInfo &kernel : loop.kernels)
        out += "        " + kernelText(kernel, function, loop) + "\n";
    }
  }
  return out;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

using nlohmann::ordered_json;

static ordered_json operandsJson(const FunctionInfo &function,
                                 const std::vector<OperandInfo> &operands) {
  ordered_json list = ordered_json::array();
  for (const OperandInfo &operand : operands) {
    ordered_json core = ordered_json::array();
    for (const DimExpr &dim : operand.core)
      core.push_back(text(dim) + (function.isOptional(dim) ? "?" : ""));
    list.push_back({{"name", operand.name},
                    {"type", operand.isDim ? "dim" : operand.type},
                    {"core", std::move(core)},
                    {"inout", operand.isInout}});
    if (operand.defaultArgument)
      list.back()["default"] = operand.defaultArgument->text;
  }
  return list;
}

static ordered_json kernelJson(const KernelInfo &kernel,
                               const FunctionInfo &function,
                               const LoopInfo &loop) {
  ordered_json accesses = ordered_json::array();
  for (const Access &access : widestAccesses(kernel, function, loop))
    accesses.push_back(
        {{"bytes", access.bytes}, {"limit", access.obstacle.text()}});
  return {{"form", name(kernel.form)},   {"symbol", kernel.symbol},
          {"block", kernel.block},       {"mapping", text(kernel.mapping)},
          {"disjoint", kernel.disjoint}, {"accesses", std::move(accesses)}};
}

static ordered_json loopJson(const LoopInfo &loop, const FunctionInfo &function,
                             bool kernels) {
  ordered_json inputs = ordered_json::array(), outputs = inputs;
  for (ArgType type : loop.inputs)
    inputs.push_back(name(type));
  for (DType type : loop.outputs)
    outputs.push_back(name(type));
  ordered_json json = {{"inputs", std::move(inputs)},
                       {"outputs", std::move(outputs)},
                       {"letters", loopLetters(loop)}};
  if (!kernels)
    return json;
  json["kernels"] = ordered_json::array();
  for (const KernelInfo &kernel : loop.kernels)
    json["kernels"].push_back(kernelJson(kernel, function, loop));
  return json;
}

std::string manifestJson(const Manifest &manifest, bool kernels) {
  ordered_json json = {{"source", manifest.source},
                       {"compiler", manifest.compiler}};
  if (kernels)
    json["target"] = manifest.target.arch;
  json["functions"] = ordered_json::array();
  for (const FunctionInfo &function : manifest.functions) {
    ordered_json loops = ordered_json::array();
    for (const LoopInfo &loop : function.loops)
      loops.push_back(loopJson(loop, function, kernels));
    json["functions"].push_back(
        {{"name", function.name},
         {"kind", function.kind == FunctionKind::Ufunc ? "ufunc" : "gufunc"},
         {"header", headerText(function)},
         {"signature", function.coreSignature()},
         {"doc", function.doc},
         {"generic", function.isGeneric},
         {"parameters", operandsJson(function, function.parameters)},
         {"results", operandsJson(function, function.results)},
         {"loops", std::move(loops)}});
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace kern::cli
