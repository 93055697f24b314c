//===- ManifestReader.cpp - reads manifests from JSON ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/NestReader.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

using namespace kern::runtime;

namespace {
class Reader : public NestReader {
public:
  std::optional<ArgType> argType(const std::string &name) {
    for (Weakness weakness :
         {Weakness::Int, Weakness::Float, Weakness::Complex})
      if (name == kern::runtime::name(ArgType::weak(weakness)))
        return ArgType::weak(weakness);
    std::optional<DType> dtype = parseDType(name);
    return dtype ? std::optional(ArgType::typed(*dtype)) : std::nullopt;
  }

  DefaultArgument defaultArgument(const JsonValue &in) {
    DefaultArgument out;
    string(in, "text", out.text);
    std::string type, bits;
    string(in, "type", type);
    string(in, "bits", bits);
    out.type = argType(type).value_or(ArgType());
    if (!argType(type) || !setBits(out, bits))
      fail(ErrorCode::manifest_default, {out.text});
    return out;
  }

  OperandInfo operand(const JsonValue &in) {
    OperandInfo out;
    string(in, "name", out.name);
    string(in, "type", out.type, false);
    dims(in, "core", out.core);
    boolean(in, "inout", out.isInout);
    boolean(in, "dim", out.isDim);
    boolean(in, "generic", out.isGeneric);
    if (const JsonValue *value = member(in, "default"))
      out.defaultArgument = defaultArgument(*value);
    return out;
  }

  KernelInfo kernel(const JsonValue &in) {
    KernelInfo out;
    std::string form;
    string(in, "form", form);
    string(in, "symbol", out.symbol);
    if (std::optional<Form> known = formNamed(form))
      out.form = *known;
    else
      fail(ErrorCode::manifest_form, {form});
    out.mapping = mapping(in);
    if (member(in, "launches"))
      number(in, "launches", out.launches, 1, maxLaunches);
    if (member(in, "slicedLaunches"))
      number(in, "slicedLaunches", out.slicedLaunches, 1, out.launches);
    boolean(in, "disjoint", out.disjoint);
    boolean(in, "waits", out.waits);
    boolean(in, "divisors", out.hasDivisors);
    boolean(in, "inParts", out.inParts);
    number(in, "block", out.block, 0, 1024);
    number(in, "elements", out.elements, 1, 1u << 20);
    number(in, "alignment", out.alignment, 1, 1u << 20);
    if (member(in, "rows"))
      number(in, "rows", out.rows, 1, 1u << 10);
    if (member(in, "work"))
      number(in, "work", out.work, 0, INT32_MAX);
    dims(in, "shared", out.sharedExtents);
    dims(in, "nonEmpty", out.nonEmpty);
    list(in, "leastExtents", false, [&](const JsonValue &element) {
      LeastExtent needed;
      for (auto [key, extent] :
           {std::pair("extent", &needed.extent), {"least", &needed.least}})
        if (const JsonValue *value = member(element, key))
          *extent = dim(*value);
        else
          fail(ErrorCode::manifest_missing, {key});
      string(element, "array", needed.array);
      number(element, "axis", needed.axis, 0, 1u << 20);
      string(element, "place", needed.place);
      out.leastExtents.push_back(std::move(needed));
    });
    list(in, "scratch", false, [&](const JsonValue &element) {
      ScratchInfo scratch;
      const JsonValue *bytes = member(element, "bytes");
      if (!bytes)
        return fail(ErrorCode::manifest_missing, {"bytes"});
      scratch.bytes = dim(*bytes);
      boolean(element, "perLane", scratch.isPerLane);
      boolean(element, "perSlice", scratch.isPerSlice);
      boolean(element, "cleared", scratch.isCleared);
      out.scratch.push_back(std::move(scratch));
    });
    list(in, "checks", false, [&](const JsonValue &element) {
      CheckInfo check;
      std::string kind;
      string(element, "kind", kind);
      if (std::optional<CheckKind> known = checkKindNamed(kind))
        check.kind = *known;
      else
        fail(ErrorCode::manifest_check, {kind});
      string(element, "place", check.place);
      string(element, "text", check.text);
      number(element, "axis", check.axis, 0, 1u << 20);
      out.checks.push_back(std::move(check));
    });
    if (member(in, "record")) {
      unsigned words = 0;
      number(in, "record", words, 0, 1u << 20);
      if (words > maxRecordWords)
        fail(ErrorCode::manifest_record, {out.symbol, words, maxRecordWords});
    }
    return out;
  }

  LoopInfo loop(const JsonValue &in, const FunctionInfo &function) {
    LoopInfo out;
    list(in, "inputs", true, [&](const JsonValue &element) {
      std::string name = text(element, "a type");
      if (std::optional<ArgType> type = argType(name))
        return out.inputs.push_back(*type);
      fail(ErrorCode::manifest_type, {name});
    });
    list(in, "outputs", true, [&](const JsonValue &element) {
      std::string name = text(element, "a type");
      if (std::optional<DType> type = parseDType(name))
        return out.outputs.push_back(*type);
      fail(ErrorCode::manifest_type, {name});
    });
    list(in, "kernels", true, [&](const JsonValue &element) {
      out.kernels.push_back(kernel(element));
    });
    if (const JsonValue *value = member(in, "nest"))
      out.nest = nest(*value, function);
    // How much shared memory such a kernel has follows from the nest.
    for (const KernelInfo &kernel : out.kernels) {
      const Nest *nest = out.nest.phaseOf(kernel.mapping);
      if (!nest || (kernel.mapping.privatised && nest->privatised.empty()) ||
          (kernel.mapping.staged && nest->stages.empty()) ||
          (kernel.mapping.spread &&
           !(kernel.mapping.staged && nest->canSpread())) ||
          (kernel.mapping.tile && !nest->tileOf(kernel.mapping)) ||
          (kernel.mapping.unrolled && !kernel.mapping.tile))
        fail(ErrorCode::manifest_nest, {kernel.symbol});
    }
    size_t operands = 0; // `dim` parameters are not in the list of inputs
    for (const OperandInfo &parameter : function.parameters)
      operands += !parameter.isDim;
    if (!problem && (out.inputs.size() != operands ||
                     out.outputs.size() != function.results.size()))
      fail(ErrorCode::manifest_loop, {function.name});
    return out;
  }

  FunctionInfo function(const JsonValue &in) {
    FunctionInfo out;
    string(in, "name", out.name);
    string(in, "doc", out.doc, false);
    string(in, "identity", out.identity, false);
    std::string kind;
    string(in, "kind", kind);
    if (kind != "ufunc" && kind != "gufunc")
      fail(ErrorCode::manifest_kind, {kind});
    out.kind = kind == "gufunc" ? FunctionKind::Gufunc : FunctionKind::Ufunc;
    list(in, "parameters", true, [&](const JsonValue &element) {
      out.parameters.push_back(operand(element));
    });
    list(in, "results", true, [&](const JsonValue &element) {
      out.results.push_back(operand(element));
    });
    list(in, "dims", true, [&](const JsonValue &element) {
      out.dims.push_back(text(element, "the name of a dimension"));
    });
    list(in, "optional", false, [&](const JsonValue &element) {
      std::string name = text(element, "the name of a dimension");
      if (std::ranges::find(out.dims, name) == out.dims.end())
        fail(ErrorCode::manifest_optional, {name});
      out.optionalDims.push_back(std::move(name));
    });
    boolean(in, "generic", out.isGeneric);
    if (out.kind == FunctionKind::Ufunc)
      for (const auto *operands : {&out.parameters, &out.results})
        for (const OperandInfo &operand : *operands)
          if (!operand.core.empty())
            fail(ErrorCode::manifest_ufunc_core, {out.name});
    list(in, "loops", true, [&](const JsonValue &element) {
      out.loops.push_back(loop(element, out));
    });
    return out;
  }
};
} // namespace

Expected<Manifest> kern::runtime::manifestFromJson(std::string_view json) {
  const std::optional<JsonValue> parsed = JsonValue::parse(json);
  if (!parsed || !parsed->as<JsonValue::Object>())
    return Error(ErrorCode::manifest_not_json);
  const JsonValue &root = *parsed;
  Reader reader;
  Manifest out;
  unsigned version = 0;
  reader.number(root, "kern", version, 1, std::numeric_limits<int>::max());
  if (reader.problem)
    return std::move(*reader.problem);
  if (version > unsigned(newestManifestVersion))
    return Error(ErrorCode::manifest_newer, {version, newestManifestVersion});
  reader.string(root, "compiler", out.compiler, false);
  reader.string(root, "source", out.source, false);
  if (const JsonValue *target = reader.member(root, "target")) {
    std::string kind;
    reader.string(*target, "kind", kind);
    reader.string(*target, "arch", out.target.arch);
    if (kind == name(TargetKind::Host))
      out.target.kind = TargetKind::Host;
    else if (kind == name(TargetKind::Cuda))
      out.target.kind = TargetKind::Cuda;
    else if (!kind.empty())
      reader.fail(ErrorCode::manifest_target, {kind, out.target.arch});
  } else {
    reader.fail(ErrorCode::manifest_missing, {"target"});
  }
  reader.list(root, "functions", true, [&](const JsonValue &element) {
    out.functions.push_back(reader.function(element));
  });
  if (reader.problem)
    return std::move(*reader.problem);
  return out;
}
