//===- ManifestJson.cpp - writes manifests as JSON ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/JsonReader.h"

#include <utility>

using namespace kern::runtime;
using nlohmann::ordered_json;

static ordered_json write(const DimExpr &dim) {
  ordered_json out = ordered_json::array();
  for (const DimToken &token : dim.tokens)
    out.push_back(token.text());
  return out;
}

static ordered_json write(const std::vector<DimExpr> &dims) {
  ordered_json out = ordered_json::array();
  for (const DimExpr &dim : dims)
    out.push_back(write(dim));
  return out;
}

static ordered_json write(Mapping mapping) {
  ordered_json out = ordered_json::array();
  for (const MappingWord &word : mappingWords)
    if (mapping.*word.member)
      out.push_back(word.name);
  if (mapping.tile)
    out.push_back(tileWord(mapping.tile));
  return out;
}

static ordered_json write(const Nest::Tile &tile) {
  ordered_json out = {{"rows", tile.rows},
                      {"columns", tile.columns},
                      {"threads", tile.threads}};
  if (tile.planes != 1)
    out["planes"] = tile.planes;
  if (tile.sharedBytes)
    out["shared"] = tile.sharedBytes;
  if (tile.usesMatrixUnits())
    out["speed"] = tile.speed;
  if (tile.isWide)
    out["wide"] = true;
  return out;
}

static ordered_json write(const Nest &nest) {
  ordered_json out = ordered_json::object();
  if (!nest.flat.empty())
    out["flat"] = write(nest.flat);
  if (nest.isElementwise)
    out["elementwise"] = true;
  if (nest.hasLoops)
    out["loops"] = true;
  if (nest.isStraight)
    out["straight"] = true;
  if (nest.hasOrderedLoops)
    out["ordered"] = true;
  if (nest.readsTogether)
    out["together"] = true;
  if (nest.launches)
    out["launches"] = nest.launches;
  if (nest.chunk != 1)
    out["chunk"] = nest.chunk;
  if (nest.residentChunks) {
    out["residentChunks"] = nest.residentChunks;
    out["resident"] = write(std::vector{nest.residentExtent});
    if (nest.isScan)
      out["scan"] = true;
    if (nest.recentres)
      out["recentres"] = true;
  }
  if (!nest.sharedExtents.empty())
    out["shared"] = write(nest.sharedExtents);
  if (!nest.privatised.empty())
    out["privatised"] = write(nest.privatised);
  for (const Nest::Stage &stage : nest.stages) {
    ordered_json entry = {{"bytes", write(stage.bytes)}};
    if (stage.operand) {
      entry["operand"] = *stage.operand;
      entry["dimension"] = stage.dimension;
    }
    if (stage.isInPlace)
      entry["inPlace"] = true;
    if (stage.spreadBytes)
      entry["spread"] = stage.spreadBytes;
    out["stages"].push_back(std::move(entry));
  }
  for (const Nest::Access &access : nest.accesses) {
    ordered_json entry = {{"operand", access.operand}, {"steps", access.steps}};
    if (access.isWrite)
      entry["write"] = true;
    if (!access.start.empty())
      entry["start"] = write(access.start);
    out["accesses"].push_back(std::move(entry));
  }
  for (const Nest::Tile &tile : nest.tiles)
    out["tiles"].push_back(write(tile));
  if (const Nest::Unrolled &unrolled = nest.unrolled; !unrolled.tiles.empty()) {
    ordered_json entry = {{"iterations", write(unrolled.iterations)},
                          {"rowOperands", unrolled.rowOperands}};
    for (const Nest::Tile &tile : unrolled.tiles)
      entry["tiles"].push_back(write(tile));
    out["unrolled"] = std::move(entry);
  }
  if (const auto &product = nest.product)
    for (const Nest::Product::Term *term :
         {&product->left, &product->right, &product->result})
      out["product"].push_back(
          {{"operand", term->operand}, {"indices", term->indices}});
  for (const Nest &phase : nest.phases)
    out["phases"].push_back(write(phase));
  return out;
}

static ordered_json write(const DefaultArgument &number) {
  return {{"text", number.text},
          {"type", name(number.type)},
          {"bits", bitsOf(number)}};
}

static ordered_json write(const OperandInfo &operand) {
  ordered_json out = {{"name", operand.name}, {"type", operand.type}};
  if (!operand.core.empty())
    out["core"] = write(operand.core);
  if (operand.isInout)
    out["inout"] = true;
  if (operand.isDim)
    out["dim"] = true;
  if (operand.isGeneric)
    out["generic"] = true;
  if (operand.defaultArgument)
    out["default"] = write(*operand.defaultArgument);
  return out;
}

static ordered_json write(const KernelInfo &kernel,
                          const FunctionInfo &function) {
  ordered_json out = {{"form", name(kernel.form)},
                      {"symbol", kernel.symbol},
                      {"block", kernel.block},
                      {"elements", kernel.elements},
                      {"alignment", kernel.alignment}};
  if (kernel.mapping != Mapping{})
    out["mapping"] = write(kernel.mapping);
  if (kernel.mapping.chunks)
    out["chunks"] = kernel.mapping.chunks;
  if (kernel.mapping.phase)
    out["phase"] = kernel.mapping.phase;
  if (kernel.launches != 1)
    out["launches"] = kernel.launches;
  if (kernel.slicedLaunches)
    out["slicedLaunches"] = kernel.slicedLaunches;
  if (kernel.rows != 1)
    out["rows"] = kernel.rows;
  if (kernel.work)
    out["work"] = kernel.work;
  if (kernel.inParts)
    out["inParts"] = true;
  if (kernel.disjoint)
    out["disjoint"] = true;
  if (kernel.waits)
    out["waits"] = true;
  if (kernel.hasDivisors)
    out["divisors"] = true;
  if (!kernel.sharedExtents.empty())
    out["shared"] = write(kernel.sharedExtents);
  if (!kernel.nonEmpty.empty())
    out["nonEmpty"] = write(kernel.nonEmpty);
  for (const ScratchInfo &scratch : kernel.scratch) {
    ordered_json entry = {{"bytes", write(scratch.bytes)}};
    if (scratch.isPerLane)
      entry["perLane"] = true;
    if (scratch.isPerSlice)
      entry["perSlice"] = true;
    if (scratch.isCleared)
      entry["cleared"] = true;
    out["scratch"].push_back(std::move(entry));
  }
  for (const CheckInfo &check : kernel.checks)
    out["checks"].push_back({{"kind", name(check.kind)},
                             {"place", check.place},
                             {"text", check.text},
                             {"axis", check.axis}});
  if (!kernel.checks.empty())
    out["record"] = recordWords(kernel, function);
  return out;
}

static ordered_json write(const LoopInfo &loop, const FunctionInfo &function) {
  ordered_json inputs = ordered_json::array(), outputs = inputs,
               kernels = inputs;
  for (ArgType type : loop.inputs)
    inputs.push_back(name(type));
  for (DType type : loop.outputs)
    outputs.push_back(name(type));
  for (const KernelInfo &kernel : loop.kernels)
    kernels.push_back(write(kernel, function));
  ordered_json out = {
      {"inputs", inputs}, {"outputs", outputs}, {"kernels", kernels}};
  if (loop.nest != Nest{})
    out["nest"] = write(loop.nest);
  return out;
}

static ordered_json write(const FunctionInfo &function) {
  ordered_json parameters = ordered_json::array(), results = parameters,
               loops = parameters;
  for (const OperandInfo &operand : function.parameters)
    parameters.push_back(write(operand));
  for (const OperandInfo &operand : function.results)
    results.push_back(write(operand));
  for (const LoopInfo &loop : function.loops)
    loops.push_back(write(loop, function));
  ordered_json out = {
      {"name", function.name},
      {"kind", function.kind == FunctionKind::Ufunc ? "ufunc" : "gufunc"},
      {"parameters", parameters},
      {"results", results},
      {"dims", function.dims},
      {"loops", loops}};
  if (!function.doc.empty())
    out["doc"] = function.doc;
  if (!function.identity.empty())
    out["identity"] = function.identity;
  if (!function.optionalDims.empty())
    out["optional"] = function.optionalDims;
  if (function.isGeneric)
    out["generic"] = true;
  return out;
}

std::string kern::runtime::toJson(const Manifest &manifest) {
  ordered_json functions = ordered_json::array();
  for (const FunctionInfo &function : manifest.functions)
    functions.push_back(write(function));
  ordered_json out = {
      {"kern", versionOf(manifest)},
      {"compiler", manifest.compiler},
      {"source", manifest.source},
      {"target",
       {{"kind", manifest.target.kindName()}, {"arch", manifest.target.arch}}},
      {"functions", functions}};
  return out.dump(-1, ' ', /*ensure_ascii=*/true,
                  ordered_json::error_handler_t::replace);
}
