//===- Stages.h - what a compilation can stop at ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string_view>

namespace kern {

/// From source to code, in order. The last three are files about code.
enum class Stage : uint8_t {
  Kern,     ///< the kern dialect, with types still open
  Typed,    ///< the kern dialect, one function for each loop
  Loop,     ///< the loop dialect: kernels
  Target,   ///< entry points, in the dialects of the target
  LLVM,     ///< optimised LLVM IR
  Assembly, ///< the target's assembly
  Code,     ///< what the runtime loads: PTX; an object file for this process
  Object,   ///< an object file for a linker
  Header,   ///< the C header of that
  Manifest, ///< what a compiled file says of itself
};

/// A stage as `--emit` names it.
struct StageInfo {
  std::string_view name;
  Stage stage;
  std::string_view target; ///< the name of the Target that it is made for
  std::string_view ending; ///< of the file that it is written to
};

/// All of them, in the order in which help shows them.
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

/// NULL if there is none of that name.
constexpr const StageInfo *findStage(std::string_view name) {
  for (const StageInfo &row : stages)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace kern
