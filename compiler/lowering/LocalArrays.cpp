//===- LocalArrays.cpp - zeros(shape, T), empty(shape, T) -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::optional<TypeName> elementTypeOf(FunctionLowering &fn,
                                      const syntax::Expr &expr,
                                      StringRef example) {
  StringRef name;
  if (const auto *plain = expr.as<syntax::Name>();
      plain && !fn.env().count(plain->name))
    name = plain->name;
  if (const auto *attribute = expr.as<syntax::Attribute>())
    if (const auto *prefix = attribute->value->as<syntax::Name>();
        prefix && fn.scope().isLibrary(prefix->name))
      name = attribute->name.name;
  if (std::optional<TypeName> type = typeNamed(fn, name, true))
    return type;
  std::string_view text = fn.diagnostics.sourceManager().text(expr.span);
  fn.error(Diag::unknown_type, expr.span, {std::string(text)}).help =
      "`" + example.str() + "`, or a type variable of the header";
  return std::nullopt;
}

std::optional<Binding> lowerLocalArray(FunctionLowering &fn, StringRef name,
                                       const syntax::Call &call, Span span) {
  const syntax::Expr *type = nullptr;
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword.name != "dtype" || type) {
      fn.error(Diag::keyword_argument, keyword.span,
               {name.str(), keyword.name});
      return std::nullopt;
    }
    type = value.get();
  }
  if (!checkCount(fn, name, call, 1, type ? 1 : 2, span))
    return std::nullopt;
  if (call.arguments.size() == 2)
    type = call.arguments[1].get();
  // f64 by default, as in NumPy.
  TypeName element{
      TypeAttr::get(toType(fn.builder.getContext(), runtime::DType::F64)),
      Value()};
  if (type) {
    std::optional<TypeName> named = elementTypeOf(fn, *type, "zeros(3, f32)");
    if (!named)
      return std::nullopt;
    element = *named;
  }

  const syntax::Expr &shape = *call.arguments[0];
  std::optional<Binding> sizes = fn.lowerExpr(shape);
  if (!sizes)
    return std::nullopt;
  SmallVector<Binding> parts{*sizes};
  if (const auto *tuple = sizes->as<Tuple>())
    parts.assign(tuple->elements().begin(), tuple->elements().end());
  ArrayView view{nullptr, "", span, true, {}};
  SmallVector<Value> extents;
  for (const Binding &part : parts) {
    const auto *scalar = part.as<Number>();
    bool isConstant = scalar && scalar->constant;
    bool isShape = isConstant ? scalar->constant->isInt()
                              : scalar && isShapeValue(scalar->value);
    if (!isShape) {
      fn.error(Diag::local_array_shape, shape.span);
      return std::nullopt;
    }
    if (!isConstant && isLargeShape(scalar->value)) {
      fn.error(Diag::local_array_shape, shape.span).help =
          "at most " + std::to_string(maxDimTerms) +
          " of them, once variables are replaced by their expressions: take "
          "the size as a `dim` parameter";
      return std::nullopt;
    }
    if (isConstant) {
      const Integer &integer = *scalar->constant->asInt();
      std::optional<int64_t> size = integer.asInt64();
      if (!size || *size < 0 || *size > int64_t(1) << 40) {
        fn.error(Diag::dimension_out_of_range, shape.span, {integer.text()});
        return std::nullopt;
      }
    }
    Value extent = fn.materialize(*scalar, shape.span);
    if (!isConstant)
      extent = fn.indexValue(extent, shape.span);
    extents.push_back(extent);
    view.axes.push_back({nullptr, nullptr, extent});
  }
  if (extents.empty() || extents.size() > 6) {
    fn.error(Diag::local_array_shape, shape.span).help =
        "an array has 1 to 6 dimensions";
    return std::nullopt;
  }
  Type open = OpenType::get(fn.builder.getContext());
  view.array = LocalOp::create(
      fn.builder, fn.loc(span),
      ArrayType::get(fn.builder.getContext(), open, extents.size()),
      fn.builder.getStringAttr(name), element.attribute,
      name == "zeros" ? fn.builder.getUnitAttr() : UnitAttr(), element.like,
      extents);
  return Binding(view);
}

} // namespace kern::compiler
