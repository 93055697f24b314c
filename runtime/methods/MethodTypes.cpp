//===- MethodTypes.cpp - the types of methods -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/MethodTypes.h"
#include "runtime/error/Counted.h"

using namespace kern::runtime;

Status kern::runtime::checkMethod(const FunctionInfo &function,
                                  std::string_view method, size_t inputs) {
  if (function.kind != FunctionKind::Ufunc)
    return Error(ErrorCode::method_of_gufunc, {method, function.name});
  const size_t count = function.parameters.size();
  if (inputs ? count != inputs : count != 1 && count != 2)
    return Error(ErrorCode::method_inputs,
                 {method,
                  inputs ? counted(inputs, "parameter")
                         : std::string("one or two parameters"),
                  function.name, counted(count, "parameter")});
  if (function.results.size() != 1)
    return Error(
        ErrorCode::method_results,
        {method, function.name, counted(function.results.size(), "result")});
  return {};
}

namespace {
/// The types of a loop of two inputs and one result.
struct LoopTypes {
  DType first, second, result;
};

Expected<LoopTypes> loopTypes(kern_function &function, DType first,
                              DType second, const LoopRequest &request) {
  const ArgType types[] = {ArgType::typed(first), ArgType::typed(second)};
  Expected<std::shared_ptr<Loop>> loop = function.loopFor(types, request);
  if (!loop)
    return loop.error();
  const LoopInfo &info = (*loop)->info();
  if (std::optional<DType> wanted = request.wanted(2);
      wanted && *wanted != info.outputs[0])
    return Error(ErrorCode::result_type,
                 {"the result", name(info.outputs[0]), name(*wanted)})
        .in(function.info->name);
  return LoopTypes{info.inputs[0].carrier(), info.inputs[1].carrier(),
                   info.outputs[0]};
}

LoopRequest signature(std::optional<DType> first, std::optional<DType> second,
                      std::optional<DType> result) {
  LoopRequest request;
  request.signature = {first, second, result};
  request.casting = Casting::Unsafe;
  return request;
}

Expected<LoopTypes> find(kern_function &function, DType element,
                         std::optional<DType> output,
                         std::optional<DType> dtype) {
  auto uniform = [&](DType type) {
    return loopTypes(function, element, element, signature(type, type, type));
  };
  if (dtype) {
    Expected<LoopTypes> found = uniform(*dtype);
    return found ? found
                 : loopTypes(function, element, element,
                             signature(dtype, std::nullopt, dtype));
  }
  Expected<LoopTypes> found =
      loopTypes(function, output.value_or(element), element, {});
  // A comparison, for example: its result is an argument of the next call.
  if (found && found->first != found->result)
    found = loopTypes(function, found->result, element, {});
  if (found && found->first != found->second &&
      canCastSafely(found->second, found->first))
    if (Expected<LoopTypes> same = uniform(found->result))
      return same;
  return found;
}
} // namespace

Expected<ReductionTypes>
kern::runtime::reductionTypes(kern_function &function, Method method,
                              DType element, std::optional<DType> output,
                              std::optional<DType> dtype) {
  Expected<LoopTypes> found = find(function, element, output, dtype);
  if (!found)
    return found.error();
  const bool isUniform = method != Method::Reduce;
  if (found->first != found->result ||
      (isUniform && found->first != found->second))
    return Error(ErrorCode::method_types,
                 {name(method), function.info->name,
                  isUniform ? "has one type for all its operands"
                            : "takes its own result",
                  name(element), name(found->first), name(found->second),
                  name(found->result)});
  return ReductionTypes{found->first, found->second};
}

Expected<AtTypes> kern::runtime::atTypes(kern_function &function, DType stored,
                                         std::optional<DType> second) {
  std::vector<ArgType> types = {ArgType::typed(stored)};
  if (second)
    types.push_back(ArgType::typed(*second));
  Expected<std::shared_ptr<Loop>> loop = function.loopFor(types, {});
  if (!loop)
    return loop.error();
  const LoopInfo &info = (*loop)->info();
  AtTypes out;
  out.taken = info.inputs[0].carrier();
  if (second)
    out.second = info.inputs[1].carrier();
  out.returned = info.outputs[0];
  return out;
}
