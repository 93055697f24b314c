//===- LocalArrays.cpp - zeros(shape, T) and its kin ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The type of a number, or of an array's elements; nothing for what has no
/// value.
static std::optional<TypeName> typeOf(FunctionLowering &fn,
                                      const syntax::Expr &expr, Span span) {
  const auto *prefix = expr.as<syntax::Name>();
  if (prefix && !fn.env().count(prefix->name))
    return std::nullopt;
  std::optional<Number> value;
  if (Ranks(fn).of(expr) == 0) {
    value = fn.lowerScalar(expr);
  } else if (std::optional<ArrayExpression> like =
                 ArrayExpression::of(fn, expr)) {
    if (std::optional<SmallVector<Value>> extents = like->extents(fn))
      value = like->at(
          fn, SmallVector<Value>(extents->size(),
                                 fn.indexValue(fn.constantInt(0, span), span)));
  }
  return value ? std::optional(TypeName{{}, fn.materialize(*value, span)})
               : std::nullopt;
}

std::optional<TypeName> elementTypeOf(FunctionLowering &fn,
                                      const syntax::Expr &expr,
                                      StringRef example) {
  if (expr.as<syntax::ErrorExpr>()) { // it is reported
    fn.failed = true;
    return std::nullopt;
  }
  const auto *part = expr.as<syntax::Attribute>();
  if (part && part->name.name == "dtype") // of a value without a name for it
    if (std::optional<TypeName> type = typeOf(fn, *part->value, expr.span))
      return type;
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

namespace {
/// The arguments of a function that makes an array.
struct Making {
  const syntax::Expr *first =
      nullptr; ///< a shape, or the array that it is like
  const syntax::Expr *value = nullptr; ///< of `full`
  const syntax::Expr *type = nullptr;
};
} // namespace

static std::optional<Making> argumentsOf(FunctionLowering &fn, StringRef name,
                                         const syntax::Call &call, Span span) {
  Making making;
  for (const auto &[keyword, value] : call.keywords) {
    const bool isValue =
        keyword.name == "fill_value" && name.starts_with("full");
    const syntax::Expr *&place = isValue ? making.value : making.type;
    if ((keyword.name != "dtype" && !isValue) || place) {
      fn.error(Diag::keyword_argument, keyword.span,
               {name.str(), keyword.name});
      return std::nullopt;
    }
    place = value.get();
  }
  SmallVector<const syntax::Expr **> places = {&making.first};
  if (name.starts_with("full") && !making.value)
    places.push_back(&making.value);
  const size_t needed = places.size();
  if (!making.type)
    places.push_back(&making.type);
  if (!checkCount(fn, name, call, needed, places.size(), span))
    return std::nullopt;
  for (auto [place, argument] : llvm::zip(places, call.arguments))
    *place = argument.get();
  return making;
}

static std::optional<SmallVector<Value>> shapeOf(FunctionLowering &fn,
                                                 const syntax::Expr &shape) {
  std::optional<Binding> sizes = fn.lowerExpr(shape);
  if (!sizes)
    return std::nullopt;
  SmallVector<Binding> parts{*sizes};
  if (const auto *tuple = sizes->as<Tuple>())
    parts.assign(tuple->elements().begin(), tuple->elements().end());
  SmallVector<Value> extents;
  for (const Binding &part : parts) {
    std::optional<Number> scalar;
    if (const auto *number = part.as<Number>())
      scalar = asConstantIndex(*number);
    bool isConstant = scalar && scalar->constant;
    bool isShape = isConstant ? scalar->constant->isInt()
                              : scalar && isShapeValue(scalar->value);
    if (!isShape) {
      fn.error(Diag::local_array_shape, shape.span).help =
          "take the size as a `dim` parameter: `size: dim`";
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
  }
  if (extents.empty() || extents.size() > 6) {
    fn.error(Diag::local_array_shape, shape.span).help =
        "an array has 1 to 6 dimensions";
    return std::nullopt;
  }
  return extents;
}

std::optional<Binding> lowerArrayCall(FunctionLowering &fn,
                                      const syntax::Call &call, Span span) {
  std::optional<Making> making = argumentsOf(fn, "array", call, span);
  if (!making)
    return std::nullopt;
  std::optional<TypeName> type;
  if (making->type) {
    type = elementTypeOf(fn, *making->type, "array([1, 2], f32)");
    if (!type)
      return std::nullopt;
  }
  std::optional<Binding> elements = lowerWhole(fn, *making->first);
  if (!elements)
    return std::nullopt;
  const auto *view = elements->as<ArrayView>();
  if (!view) {
    fn.error(Diag::not_an_array, making->first->span,
             {"this", "cannot become one"})
        .help = "its elements are written in brackets: `array([a, b])`";
    return std::nullopt;
  }
  SmallVector<Value> extents, zeros;
  for (const Axis *axis : view->open()) {
    extents.push_back(axis->extent);
    zeros.push_back(fn.indexValue(fn.constantInt(0, span), span));
  }
  const auto few = fewIndices(extents);
  auto indicesOf = [&](ArrayRef<int64_t> each) {
    SmallVector<Value> at;
    for (int64_t index : each)
      at.push_back(fn.indexValue(fn.constantInt(index, span), span));
    return at;
  };
  if (!type) {
    // That of all elements together: `[1, 2.5]` has numbers of two types.
    Number sum{load(fn, elementOf(fn, *view, zeros, span), span), {}};
    if (few)
      for (ArrayRef<int64_t> indices : llvm::drop_begin(*few))
        sum = fn.apply(
            ScalarFunction::add,
            {sum,
             {load(fn, elementOf(fn, *view, indicesOf(indices), span), span),
              {}}},
            span);
    type = TypeName{nullptr, sum.value};
  }
  std::optional<ArrayView> made = localOf(fn, *type, extents, span);
  if (!made) {
    fn.error(Diag::local_array_shape, span);
    return std::nullopt;
  }
  // As a conversion, which `f32(x)` is.
  auto put = [&](ArrayRef<Value> at) {
    const Number element{load(fn, elementOf(fn, *view, at, span), span), {}};
    const Number converted =
        making->type ? fn.convert(element, *type, CastMode::Explicit, span)
                     : element;
    store(fn, fn.materialize(converted, span), elementOf(fn, *made, at, span),
          span);
  };
  if (few)
    for (ArrayRef<int64_t> indices : *few)
      put(indicesOf(indices));
  else
    forEachIndex(fn, extents, put, span);
  made->name.clear();
  return Binding(*made);
}

std::optional<Binding> lowerLocalArray(FunctionLowering &fn, StringRef name,
                                       const syntax::Call &call, Span span) {
  std::optional<Making> making = argumentsOf(fn, name, call, span);
  if (!making)
    return std::nullopt;
  TypeName element{Attribute(), Value()};
  if (making->type) {
    std::optional<TypeName> named =
        elementTypeOf(fn, *making->type, "zeros(3, f32)");
    if (!named)
      return std::nullopt;
    element = *named;
  }
  std::optional<Number> value;
  if (making->value)
    value = fn.lowerScalar(*making->value);
  if (making->value && !value)
    return std::nullopt;
  if (name.starts_with("ones"))
    value = Number{nullptr, Constant{Integer(1)}};

  std::optional<SmallVector<Value>> extents;
  if (name.ends_with("_like")) {
    std::optional<ArrayExpression> like =
        ArrayExpression::of(fn, *making->first);
    if (like && like->views().empty() && !like->isScattered()) {
      fn.error(Diag::not_an_array, making->first->span,
               {"this", "has no shape"});
      return std::nullopt;
    }
    if (like)
      extents = like->extents(fn);
    if (extents && !making->type) {
      SmallVector<Value> zeros(extents->size(),
                               fn.indexValue(fn.constantInt(0, span), span));
      std::optional<Number> first = like->at(fn, zeros);
      if (!first)
        return std::nullopt;
      element.like = fn.materialize(*first, span);
    }
  } else {
    extents = shapeOf(fn, *making->first);
  }
  if (!extents)
    return std::nullopt;
  MLIRContext *context = fn.builder.getContext();
  if (!element.attribute && !element.like && name == "full")
    element.like = fn.materialize(*value, span);
  else if (!element.attribute && !element.like) // f64 by default, as in NumPy
    element.attribute = TypeAttr::get(toType(context, runtime::DType::F64));
  ArrayView view{nullptr, "", span, true, {}};
  for (Value extent : *extents)
    view.axes.push_back({nullptr, nullptr, extent});
  if (name.ends_with("_like") && llvm::any_of(*extents, [](Value extent) {
        return !isShapeValue(extent) || isLargeShape(extent);
      })) {
    fn.error(Diag::local_array_shape, span);
    return std::nullopt;
  }
  view.array = LocalOp::create(
      fn.builder, fn.loc(span),
      ArrayType::get(context, OpenType::get(context), extents->size()),
      fn.builder.getStringAttr(name), element.attribute,
      name.starts_with("zeros") ? fn.builder.getUnitAttr() : UnitAttr(),
      element.like, *extents);
  if (value)
    assignPart(fn, view, Binding(*value), span, span);
  return Binding(view);
}

} // namespace kern::compiler
