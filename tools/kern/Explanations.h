//===- Explanations.h - what kern explain shows --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// docs/reference/errors/CODE.md, as it was when this tool was built; "" for a
/// code that does not exist.
std::string_view errorPage(std::string_view code);
/// All codes, in order.
std::vector<std::string_view> errorCodes();

/// A page for the terminal: its title underlined, code indented by four
/// columns.
std::string pageText(std::string_view page);

/// The headers and docstrings of a function of the standard library, by its
/// name or another name of it, as text for the terminal: those that are always
/// visible, then those of modules. `linalg.norm` is that of one module alone,
/// `linalg` all that the module has; `np.` and `math.` mean nothing. "" if
/// there is none.
std::string libraryPage(std::string_view name);
/// The names that libraryPage() knows, other names of a function excepted.
std::vector<std::string> libraryNames();

/// The row of docs/reference/words.md about a keyword, a decorator, a type, or
/// a function or constant that is part of the language, as text for the
/// terminal.
/// "" if there is none.
std::string wordPage(std::string_view word);
/// The words that it has, in order.
std::vector<std::string> words();

} // namespace kern::cli
