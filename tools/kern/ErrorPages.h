//===- ErrorPages.h - docs/reference/errors, built in ----------- -*- C++
//-*-===//
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

} // namespace kern::cli
