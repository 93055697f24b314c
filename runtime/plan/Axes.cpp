//===- Axes.cpp - which axes are core dimensions --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Axes.h"
#include "runtime/artefact/Dimension.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <numeric>

using namespace kern::runtime;

namespace {
struct OperandName {
  const OperandInfo *info;
  std::string label; ///< "argument 1 (`x`)", "result 1"
};

class Arranger {
public:
  Arranger(const FunctionInfo &function, const AxisRequest &request,
           std::span<const size_t> inputs,
           std::span<const std::optional<size_t>> outputs,
           std::span<const std::string> missing)
      : function(function), request(request), inputs(inputs), outputs(outputs),
        missing(missing) {
    for (size_t i = 0; i < function.parameters.size(); ++i)
      if (!function.parameters[i].isDim)
        operands.push_back({&function.parameters[i],
                            "argument " + std::to_string(i + 1) + " (`" +
                                function.parameters[i].name + "`)"});
    for (size_t i = 0; i < function.results.size(); ++i)
      operands.push_back(
          {&function.results[i], "result " + std::to_string(i + 1)});
  }

  Expected<std::vector<AxisMap>> run() {
    if (Status status = checkRequest(); !status)
      return status.error();
    std::vector<AxisMap> maps;
    size_t loopRank = outputLoopRank();
    for (size_t k = 0; k < operands.size(); ++k) {
      AxisMap map;
      map.isKept = request.keepdims && isResult(k);
      // The array's rank; SIZE_MAX for a result that is still to be made.
      size_t given = isResult(k) ? outputs[k - inputs.size()].value_or(SIZE_MAX)
                                 : inputs[k];
      Status status = placeCore(k, given, loopRank, map);
      if (!status)
        return status.error();
      if (!isResult(k) && inputs[k] >= map.core.size())
        loopRank = std::max(loopRank, inputs[k] - map.core.size());
      addMissing(k, map);
      maps.push_back(std::move(map));
    }
    return maps;
  }

private:
  bool isResult(size_t k) const { return k >= inputs.size(); }
  bool isMissing(const DimExpr &dim) const {
    const std::optional<std::string> name = nameOf(dim);
    return name && std::ranges::find(missing, *name) != missing.end();
  }
  /// The core dimensions that the operand's array has.
  size_t coreRank(size_t k) const {
    const std::vector<DimExpr> &core = operands[k].info->core;
    return size_t(std::ranges::count_if(
        core, [&](const DimExpr &dim) { return !isMissing(dim); }));
  }

  void addMissing(size_t k, AxisMap &map) const {
    const std::vector<DimExpr> &core = operands[k].info->core;
    if (map.isKept || map.core.size() != coreRank(k))
      return; // too few: binding the shapes reports it
    for (size_t i = 0; i < core.size(); ++i)
      if (isMissing(core[i]))
        map.core.insert(map.core.begin() + long(i), AxisMap::missing);
  }

  Error refuse(ErrorCode code,
               std::initializer_list<TextArgument> arguments = {}) const {
    return Error(code, arguments).in(function.name);
  }

  Status checkRequest() const {
    if (request.asksForNothing())
      return {};
    if (function.kind == FunctionKind::Ufunc)
      return refuse(ErrorCode::axes_of_ufunc);
    if (request.axis && request.axes)
      return refuse(ErrorCode::axis_and_axes);
    if (request.axis)
      if (Status status = checkAxis(); !status)
        return status;
    if (request.axes && request.axesCount != operands.size()) {
      bool resultsHaveCore = std::ranges::any_of(
          function.results, [](const auto &r) { return !r.core.empty(); });
      if (request.axesCount != inputs.size() || resultsHaveCore)
        return refuse(ErrorCode::axes_count,
                      {counted(request.axesCount, "entry"),
                       counted(inputs.size(), "input"),
                       counted(function.results.size(), "result")});
    }
    return request.keepdims ? checkKeepdims() : Status();
  }

  Status checkAxis() const {
    const DimExpr *shared = nullptr;
    for (const OperandName &operand : operands) {
      const std::vector<DimExpr> &core = operand.info->core;
      bool fits = core.size() <= 1;
      if (core.size() == 1) {
        fits = !shared || *shared == core[0];
        shared = &core[0];
      }
      if (!fits)
        return refuse(ErrorCode::axis_of_several_dimensions,
                      {function.coreSignature()});
    }
    if (!shared)
      return refuse(ErrorCode::axis_without_dimension,
                    {function.coreSignature()});
    bool isOne = request.axis->axes && request.axis->count == 1;
    bool resultHasIt = std::ranges::any_of(
        function.results, [](const auto &r) { return !r.core.empty(); });
    if (!isOne && resultHasIt)
      return refuse(ErrorCode::axis_of_result, {function.coreSignature()});
    return {};
  }

  Status checkKeepdims() const {
    bool fits = true;
    for (size_t k = 0; k < operands.size(); ++k)
      fits &= isResult(k) ? coreRank(k) == 0 : coreRank(k) == coreRank(0);
    if (fits)
      return {};
    return refuse(ErrorCode::keepdims_misfit, {function.coreSignature()});
  }

  /// The number of core axes of the caller's array, without an axis list.
  size_t axisCount(size_t k, size_t rank) const {
    bool isKept = request.keepdims && isResult(k);
    size_t core = isKept ? coreRank(0) : coreRank(k);
    if (!request.axis || core == 0)
      return core;
    if (request.axis->axes)
      return request.axis->count;
    // All axes; a result keeps those of the first input.
    return isKept ? inputs[0] : rank;
  }

  /// The most loop dimensions that an `out` array has: new results have as
  /// many.
  size_t outputLoopRank() const {
    size_t loopRank = 0;
    for (size_t k = inputs.size(); k < operands.size(); ++k)
      if (std::optional<size_t> rank = outputs[k - inputs.size()])
        if (size_t core = axisCount(k, *rank); *rank >= core)
          loopRank = std::max(loopRank, *rank - core);
    return loopRank;
  }

  Status placeCore(size_t k, size_t given, size_t loopRank, AxisMap &map) {
    size_t count = axisCount(k, given);
    const kern_axes *listed =
        request.axes && k < request.axesCount ? &request.axes[k] : nullptr;
    bool isListed = listed != nullptr;
    if (request.axis && count != 0 && request.axis->axes) {
      listed = request.axis;
      isListed = true;
    }
    bool isMerging = request.axis && coreRank(k) == 1 &&
                     !(request.axis->axes && request.axis->count == 1);
    map.isMerged = isMerging;
    size_t rank = given == SIZE_MAX ? loopRank + count : given;
    if (isListed && listed->count != count)
      return refuse(ErrorCode::axis_entries,
                    {operands[k].label, counted(count, "core dimension"),
                     counted(listed->count, "axis entry")});
    if (!isListed) {
      // The last axes. If there are too few, binding the shapes reports it.
      if (rank < count)
        count = rank;
      map.core.resize(count);
      std::iota(map.core.begin(), map.core.end(), rank - count);
      return {};
    }
    for (size_t i = 0; i < count; ++i) {
      int64_t axis = listed->axes[i];
      auto limit = int64_t(rank);
      if (axis < -limit || axis >= limit)
        return refuse(ErrorCode::axis_out_of_bounds,
                      {axis, operands[k].label, counted(rank, "dimension")});
      size_t normal = size_t(axis < 0 ? axis + limit : axis);
      if (std::ranges::find(map.core, normal) != map.core.end())
        return refuse(ErrorCode::axis_named_twice, {axis, operands[k].label});
      map.core.push_back(normal);
    }
    return {};
  }

  const FunctionInfo &function;
  const AxisRequest &request;
  std::span<const size_t> inputs;
  std::span<const std::optional<size_t>> outputs;
  std::span<const std::string> missing;
  std::vector<OperandName> operands;
};

/// The axes that are not core axes, in order.
std::vector<size_t> loopAxes(size_t rank, const AxisMap &map) {
  std::vector<size_t> axes;
  for (size_t axis = 0; axis < rank; ++axis)
    if (std::ranges::find(map.core, axis) == map.core.end())
      axes.push_back(axis);
  return axes;
}
} // namespace

std::vector<std::string> kern::runtime::missingDimensions(
    const FunctionInfo &function, std::span<const size_t> inputs,
    std::span<const std::optional<size_t>> outputs) {
  std::vector<std::string> missing;
  if (function.optionalDims.empty())
    return missing;
  auto isMissing = [&](const DimExpr &dim) {
    return function.isOptional(dim) &&
           std::ranges::find(missing, *nameOf(dim)) != missing.end();
  };
  auto leaveOut = [&](const OperandInfo &operand, size_t rank) {
    auto needed = size_t(std::ranges::count_if(
        operand.core, [&](const DimExpr &dim) { return !isMissing(dim); }));
    for (const DimExpr &dim : operand.core) {
      if (rank >= needed)
        return;
      if (!function.isOptional(dim) || isMissing(dim))
        continue;
      missing.push_back(*nameOf(dim));
      needed -= size_t(std::ranges::count(operand.core, dim));
    }
  };
  size_t input = 0;
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim)
      leaveOut(parameter, inputs[input++]);
  for (size_t i = 0; i < function.results.size(); ++i)
    if (outputs[i])
      leaveOut(function.results[i], *outputs[i]);
  return missing;
}

Expected<std::vector<AxisMap>>
kern::runtime::arrangeAxes(const FunctionInfo &function,
                           const AxisRequest &request,
                           std::span<const size_t> inputs,
                           std::span<const std::optional<size_t>> outputs,
                           std::span<const std::string> missing) {
  if (request.asksForNothing() && missing.empty())
    return std::vector<AxisMap>();
  return Arranger(function, request, inputs, outputs, missing).run();
}

StridedView kern::runtime::orderedAxes(const StridedView &view,
                                       const AxisMap &map) {
  StridedView out = view;
  out.shape.clear();
  out.strides.clear();
  std::vector<size_t> axes = loopAxes(view.rank(), map);
  if (!map.isKept)
    axes.insert(axes.end(), map.core.begin(), map.core.end());
  for (size_t axis : axes) {
    bool isMissing = axis == AxisMap::missing;
    out.shape.push_back(isMissing ? 1 : view.shape[axis]);
    out.strides.push_back(isMissing ? 0 : view.strides[axis]);
  }
  return out;
}

std::optional<StridedView> kern::runtime::toKernel(const StridedView &view,
                                                   const AxisMap &map) {
  StridedView out = orderedAxes(view, map);
  if (!map.isMerged || map.isKept)
    return out;
  int64_t extent = 1, stride = 0;
  for (size_t i = out.rank(); i-- > out.rank() - map.core.size();) {
    if (out.shape[i] == 1)
      continue;
    bool isFirst = extent == 1;
    if (!isFirst && view.count() != 0 && out.strides[i] != stride * extent)
      return std::nullopt;
    if (isFirst)
      stride = out.strides[i];
    extent *= out.shape[i];
  }
  out.shape.resize(out.rank() - map.core.size());
  out.strides.resize(out.shape.size());
  out.shape.push_back(extent);
  out.strides.push_back(stride);
  return out;
}

StridedView kern::runtime::toCaller(const StridedView &view,
                                    const AxisMap &map) {
  size_t rank = view.rank() + (map.isKept ? map.core.size() : 0) -
                size_t(std::ranges::count(map.core, AxisMap::missing));
  StridedView out = view;
  // Axes that are not placed elsewhere are kept axes.
  out.shape.assign(rank, 1);
  out.strides.assign(rank, 0);
  std::vector<size_t> axes = loopAxes(rank, map);
  if (!map.isKept)
    axes.insert(axes.end(), map.core.begin(), map.core.end());
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == AxisMap::missing)
      continue;
    out.shape[axes[i]] = view.shape[i];
    out.strides[axes[i]] = view.strides[i];
  }
  return out;
}

Extents kern::runtime::toCaller(const Extents &shape, const AxisMap &map) {
  StridedView view;
  view.shape = shape;
  view.strides.assign(shape.size(), 0);
  return toCaller(view, map).shape;
}
