//===- Manifest.cpp - what an artefact says of itself ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Manifest.h"

#include <algorithm>

using namespace kern;

std::string_view kern::name(Form form) {
  switch (form) {
  case Form::Contiguous:
    return "contiguous";
  case Form::Inner:
    return "inner";
  case Form::Tiled:
    return "tiled";
  case Form::Strided:
    return "strided";
  case Form::General:
    return "general";
  case Form::Streamed:
    return "streamed";
  }
  return "";
}

std::string kern::text(const LoopInfo &loop) {
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
  return dim.tokens.size() == 1 &&
         std::ranges::find(optionalDims, dim.tokens[0]) != optionalDims.end();
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
