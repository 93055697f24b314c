//===- Associative.h - @associative(identity=V) --------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Header.h"

namespace kern {

/// The value V of a function's `@associative(identity=V)`; null if it has none.
const syntax::Expr *identityOf(const syntax::Function &function);

/// Checks a function with `@associative`, of which `header` has the results as
/// well: it is a ufunc of two values of one type that gives a third one
/// (K0224), and its identity is a constant that each of its loops can take
/// (K0302, K0316). False after an error; true without the decorator.
bool checkAssociative(const syntax::Function &function, const Header &header,
                      ModuleScope &scope);

} // namespace kern
