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

/// The text of docs/reference/errors/CODE.md when this tool was built; "" for
/// an unknown code.
std::string_view errorPage(std::string_view code);
/// All codes, in order.
std::vector<std::string_view> errorCodes();

/// A page for the terminal: its title underlined, code indented by four
/// columns.
std::string pageText(std::string_view page);

/// The headers and docstrings of a function of the standard library as text for
/// the terminal, found by its name or an alias: those of the prelude, then
/// those of modules. `linalg.norm` is the function of that module, `linalg` the
/// whole module; `np.` and `math.` are ignored. "" if there is none.
std::string libraryPage(std::string_view name);
/// The names that libraryPage() knows, without aliases.
std::vector<std::string> libraryNames();

/// The row of docs/reference/words.md about a keyword, a decorator, a type, or
/// a function or constant that is part of the language, as text for the
/// terminal. "" if there is none.
std::string wordPage(std::string_view word);
/// The words with a row, in order.
std::vector<std::string> words();

} // namespace kern::cli
