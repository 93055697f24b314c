//===- NativeHeader.cpp - the header of an object file --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Kernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace kern::compiler {

std::string nativeSymbol(llvm::StringRef name) {
  std::string symbol;
  bool wasReplaced = false;
  for (char c : name) {
    const bool isKept = llvm::isAlnum(c) || c == '_';
    if (isKept || !wasReplaced)
      symbol += isKept ? c : '_';
    wasReplaced = !isKept;
  }
  if (!symbol.empty() && llvm::isAlpha(symbol[0]))
    return symbol + "_kern";
  const llvm::StringRef rest = llvm::StringRef(symbol).ltrim('_');
  return ("kern_" + rest + (rest.empty() ? "kern" : "_kern")).str();
}

bool isNativeName(llvm::StringRef name) {
  return !name.empty() && nativeSymbol(name) == (name + "_kern").str();
}

/// A name that is safe inside a C comment.
static std::string commentText(std::string text) {
  for (size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
    text.replace(at, 2, "* /");
  return text;
}

std::string nativeHeader(const runtime::Manifest &manifest,
                         const std::string &symbol) {
  const std::string file =
      commentText(llvm::sys::path::filename(manifest.source).str());
  // Not upper-cased: `A.kern` and `a.kern` are different files.
  const std::string guard = "KERN_NATIVE_" + symbol;
  std::string text = "/* The functions of " + file + " for the CPU, made by " +
                     "kern " + manifest.compiler +
                     ".\n"
                     "\n"
                     "   Link the object file of the same command with "
                     "-lkern_runtime -lm, and load\n"
                     "   it by kern_load_native(&" +
                     symbol +
                     ", &module), or in C++ by\n"
                     "   kern::Module::load(" +
                     symbol + ").\n\n";
  for (const runtime::FunctionInfo &function : manifest.functions) {
    text += "   " + function.name + "  " + function.coreSignature() + "\n";
    for (const runtime::LoopInfo &loop : function.loops)
      text += "       " + runtime::text(loop) + "\n";
  }
  text += "*/\n#ifndef " + guard + "\n#define " + guard + "\n\n" +
          "#include <kern/native.h>\n\n"
          "#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\n"
          "    const kern_native_code " +
          symbol + ";\n\n#endif\n";
  return text;
}

} // namespace kern::compiler
