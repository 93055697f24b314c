//===- Stages.h - the stages of a compilation -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string_view>

namespace kern::compiler {

/// From source to code, in order. The last three are files for or about code.
enum class Stage : uint8_t {
  Kern,     ///< the kern dialect, with types still open
  Typed,    ///< the kern dialect, one function per loop
  Loop,     ///< the loop dialect: kernels
  Target,   ///< entry points, in the dialects of the target
  LLVM,     ///< optimised LLVM IR
  Assembly, ///< the target's assembly
  Code,     ///< what the runtime loads: PTX; an object file for this process
  Object,   ///< an object file for a linker
  Header,   ///< its C header
  Manifest, ///< the description of a compiled file, as JSON
};

/// A stage and its `--emit` name.
struct StageInfo {
  std::string_view name;
  Stage stage;
  std::string_view target; ///< the name of its Target
  std::string_view ending; ///< the extension of its file
};

/// All stages, in the order of the help.
inline constexpr StageInfo stages[] = {
    {"kern", Stage::Kern, "nvptx", ".kern.mlir"},
    {"typed", Stage::Typed, "nvptx", ".typed.mlir"},
    {"loop", Stage::Loop, "nvptx", ".loop.mlir"},
    {"gpu", Stage::Target, "nvptx", ".gpu.mlir"},
    {"llvm", Stage::LLVM, "nvptx", ".ll"},
    {"ptx", Stage::Code, "nvptx", ".ptx"},
    {"host-llvm", Stage::LLVM, "host", ".host.ll"},
    {"asm", Stage::Assembly, "host", ".s"},
    {"obj", Stage::Object, "host", ".o"},
    {"header", Stage::Header, "host", ".h"},
    {"manifest", Stage::Manifest, "nvptx", ".json"},
};

/// Null if there is no stage of that name.
constexpr const StageInfo *findStage(std::string_view name) {
  for (const StageInfo &row : stages)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace kern::compiler
