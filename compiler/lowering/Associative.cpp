//===- Associative.cpp - @associative(identity=V) -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Header.h"

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"

#include <algorithm>

using namespace mlir;

namespace kern::compiler {

using ir::OperandAttr;
using runtime::DType;
using runtime::DTypeSet;

static const syntax::Decorator *
associativeOf(const syntax::Function &function) {
  for (const syntax::Decorator &decorator : function.decorators)
    if (decorator.kind == syntax::Decorator::Associative)
      return &decorator;
  return nullptr;
}

const syntax::Expr *identityOf(const syntax::Function &function) {
  const syntax::Decorator *decorator = associativeOf(function);
  if (!decorator || decorator->keywords.empty())
    return nullptr;
  return decorator->keywords.front().second.get();
}

DTypeSet typesOf(mlir::Attribute annotation, const Header &header) {
  DTypeSet types;
  if (auto fixed = dyn_cast<TypeAttr>(annotation))
    return DTypeSet::of(*ir::toDType(fixed.getValue()));
  auto variable = dyn_cast<StringAttr>(annotation);
  if (!variable)
    return types;
  auto at = llvm::find(header.typeVariables, variable.getValue()) -
            header.typeVariables.begin();
  for (mlir::Attribute row : header.loops)
    types = types | DTypeSet::of(*ir::toDType(
                        cast<TypeAttr>(cast<ArrayAttr>(row)[at]).getValue()));
  return types;
}

bool checkAssociative(const syntax::Function &function, const Header &header,
                      ModuleScope &scope) {
  const syntax::Decorator *decorator = associativeOf(function);
  const syntax::Expr *value = identityOf(function);
  if (!decorator || !value)
    return true;
  DiagnosticEngine &diagnostics = scope.diagnostics();
  bool fits = function.kind == syntax::ItemKind::Ufunc &&
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
  for (unsigned i = 0; i < runtime::dtypeCount; ++i)
    if (types.contains(DType(i)) &&
        !checkConstantType(identity->value, DType(i), value->span, diagnostics))
      return false;
  return true;
}

} // namespace kern::compiler
