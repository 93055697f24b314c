//===- ManifestJson.cpp - the manifest as JSON ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Manifest.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

using namespace kern::runtime;
using nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static ordered_json write(const std::vector<DimExpr> &dims) {
  ordered_json out = ordered_json::array();
  for (const DimExpr &dim : dims)
    out.push_back(dim.tokens);
  return out;
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
  return out;
}

static ordered_json write(const KernelInfo &kernel,
                          const FunctionInfo &function) {
  ordered_json out = {{"form", name(kernel.form)},
                      {"symbol", kernel.symbol},
                      {"block", kernel.block},
                      {"elements", kernel.elements},
                      {"alignment", kernel.alignment}};
  if (kernel.rows != 1)
    out["rows"] = kernel.rows;
  if (kernel.work)
    out["work"] = kernel.work;
  if (kernel.disjoint)
    out["disjoint"] = true;
  if (kernel.waits)
    out["waits"] = true;
  if (!kernel.sharedExtents.empty())
    out["shared"] = write(kernel.sharedExtents);
  if (!kernel.nonEmpty.empty())
    out["nonEmpty"] = write(kernel.nonEmpty);
  for (const ScratchInfo &scratch : kernel.scratch) {
    ordered_json entry = {{"bytes", scratch.bytes.tokens}};
    if (scratch.isPerLane)
      entry["perLane"] = true;
    out["scratch"].push_back(std::move(entry));
  }
  for (const CheckInfo &check : kernel.checks)
    out["checks"].push_back({{"kind", check.kind},
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
  return {{"inputs", inputs}, {"outputs", outputs}, {"kernels", kernels}};
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
       {{"kind", manifest.target.kind}, {"arch", manifest.target.arch}}},
      {"functions", functions}};
  return out.dump(-1, ' ', /*ensure_ascii=*/true,
                  ordered_json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// Reading: checks every access, since the library would throw
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  /// The first error.
  std::optional<Error> problem;

  const ordered_json *member(const ordered_json &object, const char *key) {
    if (!object.is_object()) {
      fail(ErrorCode::manifest_no_object, {key});
      return nullptr;
    }
    auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
  }
  void string(const ordered_json &object, const char *key, std::string &out,
              bool required = true) {
    const ordered_json *value = member(object, key);
    if (!value && !required)
      return;
    const auto *text = value ? value->get_ptr<const std::string *>() : nullptr;
    if (!text)
      return fail(ErrorCode::manifest_string, {key});
    out = *text;
  }
  void boolean(const ordered_json &object, const char *key, bool &out) {
    const ordered_json *value = member(object, key);
    if (!value)
      return;
    const auto *flag = value->get_ptr<const bool *>();
    if (!flag)
      return fail(ErrorCode::manifest_boolean, {key});
    out = *flag;
  }
  void number(const ordered_json &object, const char *key, unsigned &out,
              unsigned least, unsigned most) {
    const ordered_json *value = member(object, key);
    const auto *number = value ? value->get_ptr<const uint64_t *>() : nullptr;
    if (!number || *number < least || *number > most)
      return fail(ErrorCode::manifest_number, {key, least, most});
    out = unsigned(*number);
  }
  /// Calls `each` for every element of an array.
  template <typename Each>
  void list(const ordered_json &object, const char *key, bool required,
            Each each) {
    const ordered_json *value = member(object, key);
    if (!value && !required)
      return;
    if (!value || !value->is_array())
      return fail(ErrorCode::manifest_list, {key});
    for (const ordered_json &element : *value)
      if (!problem)
        each(element);
  }
  std::string text(const ordered_json &value, const char *what) {
    const auto *text = value.get_ptr<const std::string *>();
    if (text)
      return *text;
    fail(ErrorCode::manifest_text, {what});
    return "";
  }
  void fail(ErrorCode code,
            std::initializer_list<TextArgument> arguments = {}) {
    if (!problem)
      problem.emplace(code, arguments);
  }

  DimExpr dim(const ordered_json &element) {
    DimExpr dim;
    if (!element.is_array()) {
      fail(ErrorCode::manifest_dimension_list);
      return dim;
    }
    for (const ordered_json &token : element)
      dim.tokens.push_back(text(token, "a dimension's token"));
    if (!isWellFormed(dim))
      fail(ErrorCode::manifest_dimension);
    return dim;
  }
  void dims(const ordered_json &object, const char *key,
            std::vector<DimExpr> &out) {
    list(object, key, false,
         [&](const ordered_json &element) { out.push_back(dim(element)); });
  }

  std::optional<ArgType> argType(const std::string &name) {
    for (Weakness weakness :
         {Weakness::Int, Weakness::Float, Weakness::Complex})
      if (name == kern::runtime::name(ArgType::weak(weakness)))
        return ArgType::weak(weakness);
    std::optional<DType> dtype = parseDType(name);
    return dtype ? std::optional(ArgType::typed(*dtype)) : std::nullopt;
  }

  OperandInfo operand(const ordered_json &in) {
    OperandInfo out;
    string(in, "name", out.name);
    string(in, "type", out.type, false);
    dims(in, "core", out.core);
    boolean(in, "inout", out.isInout);
    boolean(in, "dim", out.isDim);
    boolean(in, "generic", out.isGeneric);
    return out;
  }

  KernelInfo kernel(const ordered_json &in) {
    KernelInfo out;
    std::string form;
    string(in, "form", form);
    string(in, "symbol", out.symbol);
    bool known = false;
    for (Form candidate : allForms)
      if (form == name(candidate)) {
        out.form = candidate;
        known = true;
      }
    if (!known)
      fail(ErrorCode::manifest_form, {form});
    boolean(in, "disjoint", out.disjoint);
    boolean(in, "waits", out.waits);
    number(in, "block", out.block, 0, 1024);
    number(in, "elements", out.elements, 1, 1u << 20);
    number(in, "alignment", out.alignment, 1, 1u << 20);
    if (member(in, "rows"))
      number(in, "rows", out.rows, 1, 1u << 10);
    if (member(in, "work"))
      number(in, "work", out.work, 0, INT32_MAX);
    dims(in, "shared", out.sharedExtents);
    dims(in, "nonEmpty", out.nonEmpty);
    list(in, "scratch", false, [&](const ordered_json &element) {
      ScratchInfo scratch;
      const ordered_json *bytes = member(element, "bytes");
      if (!bytes)
        return fail(ErrorCode::manifest_missing, {"bytes"});
      scratch.bytes = dim(*bytes);
      boolean(element, "perLane", scratch.isPerLane);
      out.scratch.push_back(std::move(scratch));
    });
    list(in, "checks", false, [&](const ordered_json &element) {
      CheckInfo check;
      string(element, "kind", check.kind);
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

  LoopInfo loop(const ordered_json &in, const FunctionInfo &function) {
    LoopInfo out;
    list(in, "inputs", true, [&](const ordered_json &element) {
      std::string name = text(element, "a type");
      if (std::optional<ArgType> type = argType(name))
        return out.inputs.push_back(*type);
      fail(ErrorCode::manifest_type, {name});
    });
    list(in, "outputs", true, [&](const ordered_json &element) {
      std::string name = text(element, "a type");
      if (std::optional<DType> type = parseDType(name))
        return out.outputs.push_back(*type);
      fail(ErrorCode::manifest_type, {name});
    });
    list(in, "kernels", true, [&](const ordered_json &element) {
      out.kernels.push_back(kernel(element));
    });
    size_t operands = 0; // `dim` parameters are not in the list of inputs
    for (const OperandInfo &parameter : function.parameters)
      operands += !parameter.isDim;
    if (!problem && (out.inputs.size() != operands ||
                     out.outputs.size() != function.results.size()))
      fail(ErrorCode::manifest_loop, {function.name});
    return out;
  }

  FunctionInfo function(const ordered_json &in) {
    FunctionInfo out;
    string(in, "name", out.name);
    string(in, "doc", out.doc, false);
    std::string kind;
    string(in, "kind", kind);
    if (kind != "ufunc" && kind != "gufunc")
      fail(ErrorCode::manifest_kind, {kind});
    out.kind = kind == "gufunc" ? FunctionKind::Gufunc : FunctionKind::Ufunc;
    list(in, "parameters", true, [&](const ordered_json &element) {
      out.parameters.push_back(operand(element));
    });
    list(in, "results", true, [&](const ordered_json &element) {
      out.results.push_back(operand(element));
    });
    list(in, "dims", true, [&](const ordered_json &element) {
      out.dims.push_back(text(element, "the name of a dimension"));
    });
    list(in, "optional", false, [&](const ordered_json &element) {
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
    list(in, "loops", true, [&](const ordered_json &element) {
      out.loops.push_back(loop(element, out));
    });
    return out;
  }
};
} // namespace

Expected<Manifest> kern::runtime::manifestFromJson(std::string_view json) {

  ordered_json root =
      ordered_json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded() || !root.is_object())
    return Error(ErrorCode::manifest_not_json);
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
  if (const ordered_json *target = reader.member(root, "target")) {
    reader.string(*target, "kind", out.target.kind);
    reader.string(*target, "arch", out.target.arch);
  } else {
    reader.fail(ErrorCode::manifest_missing, {"target"});
  }
  reader.list(root, "functions", true, [&](const ordered_json &element) {
    out.functions.push_back(reader.function(element));
  });
  if (reader.problem)
    return std::move(*reader.problem);
  return out;
}
