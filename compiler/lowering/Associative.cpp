//===- Associative.cpp - @associative(identity=V) -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Associative.h"

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"

#include <algorithm>

using namespace mlir;

namespace kern {

static const syntax::Decorator *
associativeOf(const syntax::Function &function) {
  for (const syntax::Decorator &decorator : function.decorators)
    if (decorator.name.name == "associative")
      return &decorator;
  return nullptr;
}

const syntax::Expr *identityOf(const syntax::Function &function) {
  const syntax::Decorator *decorator = associativeOf(function);
  if (!decorator || decorator->keywords.empty())
    return nullptr;
  return decorator->keywords.front().second.get();
}

/// The types that an annotation stands for in a header's loops; none if it is
/// open.
static DTypeSet typesOf(mlir::Attribute annotation, const Header &header) {
  DTypeSet types;
  if (auto fixed = dyn_cast<TypeAttr>(annotation))
    return DTypeSet::of(*toDType(fixed.getValue()));
  auto variable = dyn_cast<StringAttr>(annotation);
  if (!variable)
    return types;
  auto at = llvm::find(header.typeVariables, variable.getValue()) -
            header.typeVariables.begin();
  for (mlir::Attribute row : header.loops)
    types = types | DTypeSet::of(*toDType(
                        cast<TypeAttr>(cast<ArrayAttr>(row)[at]).getValue()));
  return types;
}

static std::string decimal(__int128 value) {
  std::string digits;
  const bool isNegative = value < 0;
  do {
    digits += char('0' + int(isNegative ? -(value % 10) : value % 10));
    value /= 10;
  } while (value != 0);
  if (isNegative)
    digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

static bool holds(DType type, __int128 value) {
  const unsigned bits = unsigned(itemSize(type)) * 8 - isSigned(type);
  const __int128 limit = __int128(1) << bits;
  return value < limit && value >= (isSigned(type) ? -limit : 0);
}

/// Reports an identity that values of `type` cannot be.
static bool checkIdentity(const Constant &identity, DType type, Span span,
                          DiagnosticEngine &diagnostics) {
  if (std::optional<__int128> integer = identity.asInt();
      integer && isInteger(type)) {
    if (!holds(type, *integer))
      diagnostics.report(Diag::integer_out_of_range, span,
                         {decimal(*integer), std::string(name(type))});
    return holds(type, *integer);
  }
  std::string what;
  if (identity.isComplex() && !isComplex(type))
    what = "a complex number";
  else if (identity.isFloat() && !isFloat(type) && !isComplex(type))
    what = "a float";
  else if (identity.isInt() && type == DType::Bool)
    what = "an int";
  if (!what.empty())
    diagnostics.report(Diag::annotation_cast, span,
                       {what, std::string(name(type))});
  return what.empty();
}

bool checkAssociative(const syntax::Function &function, const Header &header,
                      ModuleScope &scope) {
  const syntax::Decorator *decorator = associativeOf(function);
  const syntax::Expr *value = identityOf(function);
  if (!decorator || !value)
    return true;
  DiagnosticEngine &diagnostics = scope.diagnostics();
  bool fits = function.kind == syntax::FunctionKind::Ufunc &&
              header.parameters.size() == 2 && header.results.size() == 1;
  mlir::Attribute type;
  if (fits) {
    type = cast<OperandAttr>(header.parameters[0]).getType();
    mlir::Attribute result = cast<OperandAttr>(header.results[0]).getType();
    fits = cast<OperandAttr>(header.parameters[1]).getType() == type &&
           (isa<UnitAttr>(result) || result == type);
  }
  if (!fits) {
    diagnostics.report(Diag::associative_shape, decorator->span).help =
        "`ufunc f(x: T, y: T) -> T`: what it gives is an argument of the next "
        "call";
    return false;
  }
  std::optional<NamedConstant> identity = evaluateConstant(*value, scope);
  if (!identity)
    return false;
  const DTypeSet types = typesOf(type, header);
  for (unsigned i = 0; i < dtypeCount; ++i)
    if (types.contains(DType(i)) &&
        !checkIdentity(identity->value, DType(i), value->span, diagnostics))
      return false;
  return true;
}

} // namespace kern
