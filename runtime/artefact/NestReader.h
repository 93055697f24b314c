//===- NestReader.h - reads nests and mappings from JSON --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/JsonReader.h"

#include <algorithm>

namespace kern::runtime {

/// Reads how the loops of gufuncs are described and mapped, in a manifest.
class NestReader : public JsonReader {
public:
  Mapping mapping(const JsonValue &in) {
    Mapping out;
    list(in, "mapping", false, [&](const JsonValue &element) {
      std::string name = text(element, "a mapping");
      if (std::optional<unsigned> tile = tileOfWord(name)) {
        out.tile = *tile;
        return;
      }
      auto at = std::ranges::find(mappingWords, name, &MappingWord::name);
      if (at == std::end(mappingWords))
        return fail(ErrorCode::manifest_mapping, {name});
      out.*at->member = true;
    });
    if (out.resident)
      number(in, "chunks", out.chunks, 1, maxResidentChunks);
    if (member(in, "phase"))
      number(in, "phase", out.phase, 1, maxLaunches);
    return out;
  }

  /// The core dimensions of an operand; null if there is no such operand.
  static const std::vector<DimExpr> *coreOf(const FunctionInfo &function,
                                            unsigned operand) {
    for (const OperandInfo &parameter : function.parameters)
      if (!parameter.isDim && operand-- == 0)
        return &parameter.core;
    return operand < function.results.size() ? &function.results[operand].core
                                             : nullptr;
  }

  /// A list of operands with core dimensions.
  std::vector<unsigned> arrays(const JsonValue &in, const char *name,
                               bool isRequired, const FunctionInfo &function) {
    std::vector<unsigned> out;
    list(in, name, isRequired, [&](const JsonValue &element) {
      const auto *operand = element.as<uint64_t>();
      const std::vector<DimExpr> *core =
          operand && *operand < 1u << 10 ? coreOf(function, unsigned(*operand))
                                         : nullptr;
      if (!core || core->empty())
        return fail(ErrorCode::manifest_access, {function.name});
      out.push_back(unsigned(*operand));
    });
    return out;
  }

  Nest::Access access(const JsonValue &in, const FunctionInfo &function,
                      size_t indices) {
    Nest::Access out;
    number(in, "operand", out.operand, 0, 1u << 10);
    const std::vector<DimExpr> *core = coreOf(function, out.operand);
    boolean(in, "write", out.isWrite);
    dims(in, "start", out.start);
    list(in, "steps", true, [&](const JsonValue &index) {
      out.steps.emplace_back();
      const auto *elements = index.as<JsonValue::List>();
      if (!elements)
        return fail(ErrorCode::manifest_list, {"steps"});
      for (const JsonValue &step : *elements) {
        const std::optional<int64_t> value = step.integer();
        if (!value)
          return fail(ErrorCode::manifest_access, {function.name});
        out.steps.back().push_back(*value);
      }
    });
    bool fits = core && (out.steps.empty() || out.steps.size() == indices) &&
                (out.start.empty() || out.start.size() == core->size());
    for (const auto &index : out.steps)
      fits &= core && index.size() == core->size();
    if (!fits)
      fail(ErrorCode::manifest_access, {function.name});
    return out;
  }

  Nest::Stage stage(const JsonValue &in, const FunctionInfo &function) {
    Nest::Stage out;
    if (const JsonValue *bytes = member(in, "bytes"))
      out.bytes = dim(*bytes);
    else
      fail(ErrorCode::manifest_missing, {"bytes"});
    boolean(in, "inPlace", out.isInPlace);
    if (member(in, "spread"))
      number(in, "spread", out.spreadBytes, 1, unaskedSharedBytes);
    if (!member(in, "operand"))
      return out;
    out.operand = 0;
    number(in, "operand", *out.operand, 0, 1u << 10);
    number(in, "dimension", out.dimension, 0, 1u << 10);
    const std::vector<DimExpr> *core = coreOf(function, *out.operand);
    if (!core || out.dimension >= core->size())
      fail(ErrorCode::manifest_access, {function.name});
    return out;
  }

  Nest::Tile tile(const JsonValue &in, const FunctionInfo &function,
                  size_t ranges) {
    Nest::Tile out;
    number(in, "rows", out.rows, 1, 1u << 20);
    number(in, "columns", out.columns, 1, 1u << 20);
    number(in, "threads", out.threads, 1, 1u << 10);
    if (member(in, "planes"))
      number(in, "planes", out.planes, 1, 1u << 20);
    if (member(in, "shared"))
      number(in, "shared", out.sharedBytes, 1, 1u << 20);
    if (member(in, "speed"))
      number(in, "speed", out.speed, 1, 1u << 10);
    boolean(in, "wide", out.isWide);
    if (!std::has_single_bit(out.threads) || ranges < (out.planes > 1 ? 3
                                                       : out.rows > 1 ? 2
                                                                      : 1))
      fail(ErrorCode::manifest_nest, {function.name});
    return out;
  }

  Nest::Unrolled unrolled(const JsonValue &in, const FunctionInfo &function,
                          size_t ranges) {
    Nest::Unrolled out;
    if (const JsonValue *iterations = member(in, "iterations"))
      out.iterations = dim(*iterations);
    else
      fail(ErrorCode::manifest_missing, {"iterations"});
    list(in, "tiles", true, [&](const JsonValue &element) {
      out.tiles.push_back(tile(element, function, ranges));
    });
    out.rowOperands = arrays(in, "rowOperands", true, function);
    return out;
  }

  /// `ranges`: the flat indices, which the sum's follows.
  Nest::Product::Term term(const JsonValue &in, const FunctionInfo &function,
                           size_t ranges) {
    Nest::Product::Term out;
    number(in, "operand", out.operand, 0, 1u << 10);
    list(in, "indices", true, [&](const JsonValue &element) {
      const auto *index = element.as<uint64_t>();
      if (!index || *index > ranges ||
          std::ranges::find(out.indices, *index) != out.indices.end())
        return fail(ErrorCode::manifest_nest, {function.name});
      out.indices.push_back(unsigned(*index));
    });
    const std::vector<DimExpr> *core = coreOf(function, out.operand);
    if (!core || core->size() != out.indices.size())
      fail(ErrorCode::manifest_access, {function.name});
    return out;
  }

  Nest nest(const JsonValue &in, const FunctionInfo &function) {
    Nest out;
    dims(in, "flat", out.flat);
    boolean(in, "elementwise", out.isElementwise);
    boolean(in, "loops", out.hasLoops);
    boolean(in, "straight", out.isStraight);
    boolean(in, "ordered", out.hasOrderedLoops);
    boolean(in, "together", out.readsTogether);
    boolean(in, "alike", out.roundsAlike);
    if (member(in, "launches"))
      number(in, "launches", out.launches, 0, maxLaunches);
    if (member(in, "chunk"))
      number(in, "chunk", out.chunk, 1, 1u << 10);
    dims(in, "shared", out.sharedExtents);
    std::vector<DimExpr> resident;
    dims(in, "resident", resident);
    if (!resident.empty()) {
      number(in, "residentChunks", out.residentChunks, 1, maxResidentChunks);
      out.residentExtent = resident.front();
      boolean(in, "scan", out.isScan);
      boolean(in, "recentres", out.recentres);
    }
    dims(in, "privatised", out.privatised);
    list(in, "stages", false, [&](const JsonValue &element) {
      out.stages.push_back(stage(element, function));
    });
    list(in, "accesses", false, [&](const JsonValue &element) {
      size_t indices = out.flat.size() + !out.isElementwise;
      out.accesses.push_back(access(element, function, indices));
    });
    out.whole = arrays(in, "whole", false, function);
    list(in, "tiles", false, [&](const JsonValue &element) {
      out.tiles.push_back(tile(element, function, out.flat.size()));
    });
    if (const JsonValue *value = member(in, "unrolled"))
      out.unrolled = unrolled(*value, function, out.flat.size());
    std::vector<Nest::Product::Term> terms;
    list(in, "product", false, [&](const JsonValue &element) {
      terms.push_back(term(element, function, out.flat.size()));
    });
    if (terms.size() == 3)
      out.product = {terms[0], terms[1], terms[2]};
    else if (!terms.empty())
      fail(ErrorCode::manifest_nest, {function.name});
    list(in, "phases", false, [&](const JsonValue &element) {
      out.phases.push_back(nest(element, function));
    });
    auto isPhase = [](const Nest &phase) {
      return !phase.flat.empty() && phase.phases.empty();
    };
    if ((out.isElementwise && out.hasLoops) ||
        !std::ranges::all_of(out.phases, isPhase))
      fail(ErrorCode::manifest_nest, {function.name});
    return out;
  }
};

} // namespace kern::runtime
