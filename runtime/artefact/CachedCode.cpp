//===- CachedCode.cpp - cached loops and kernels as text ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/CachedCode.h"

#include <charconv>

using namespace kern::runtime;

static Manifest manifestOf(const FunctionInfo &function, LoopInfo loop) {
  Manifest manifest;
  manifest.target.kind = TargetKind::Cuda;
  FunctionInfo alone = function;
  alone.loops = {std::move(loop)};
  manifest.functions = {std::move(alone)};
  return manifest;
}

/// The loop of a manifest that has only one.
static std::optional<LoopInfo> onlyLoop(Expected<Manifest> manifest) {
  if (!manifest || manifest->functions.size() != 1 ||
      manifest->functions[0].loops.size() != 1)
    return std::nullopt;
  return std::move(manifest->functions[0].loops[0]);
}

// The first line has the bits of `meets`, which manifests do not contain.
std::string kern::runtime::packLoop(const FunctionInfo &function,
                                    const LoopInfo &loop) {
  LoopInfo types = loop;
  types.kernels.clear();
  std::string text;
  for (DTypeSet set : loop.meets)
    text += std::to_string(set.bits) + " ";
  return text + "\n" + toJson(manifestOf(function, std::move(types)));
}

std::optional<LoopInfo> kern::runtime::unpackLoop(std::string_view text) {
  size_t line = text.find('\n');
  if (line == std::string_view::npos)
    return std::nullopt;
  std::optional<LoopInfo> loop =
      onlyLoop(manifestFromJson(text.substr(line + 1)));
  if (!loop)
    return std::nullopt;
  for (std::string_view bits = text.substr(0, line); !bits.empty();) {
    DTypeSet set;
    auto [end, failure] =
        std::from_chars(bits.data(), bits.data() + bits.size(), set.bits);
    size_t length = size_t(end - bits.data());
    if (failure != std::errc() || length == bits.size() || *end != ' ')
      return std::nullopt;
    loop->meets.push_back(set);
    bits.remove_prefix(length + 1);
  }
  if (!loop->meets.empty() && loop->meets.size() != loop->inputs.size())
    return std::nullopt;
  return loop;
}

std::string kern::runtime::packKernel(const FunctionInfo &function,
                                      const LoopInfo &loop,
                                      const KernelInfo &kernel,
                                      std::string_view arch,
                                      std::string_view ptx) {
  LoopInfo alone = loop;
  alone.kernels = {kernel};
  Manifest manifest = manifestOf(function, std::move(alone));
  manifest.target.arch = arch;
  return embedManifest(manifest, ptx);
}

std::optional<KernelInfo> kern::runtime::unpackKernel(std::string_view text) {
  std::optional<LoopInfo> loop = onlyLoop(extractManifest(text));
  if (!loop || loop->kernels.size() != 1)
    return std::nullopt;
  return std::move(loop->kernels[0]);
}

std::string kern::runtime::packObject(const FunctionInfo &function,
                                      const LoopInfo &loop,
                                      const KernelInfo &kernel,
                                      std::string_view object) {
  LoopInfo alone = loop;
  alone.kernels = {kernel};
  Manifest manifest = manifestOf(function, std::move(alone));
  manifest.target.kind = TargetKind::Host;
  return toJson(manifest) + "\n" + std::string(object);
}

std::optional<CachedObject> kern::runtime::unpackObject(std::string_view text) {
  size_t line = text.find('\n');
  if (line == std::string_view::npos)
    return std::nullopt;
  std::optional<LoopInfo> loop =
      onlyLoop(manifestFromJson(text.substr(0, line)));
  if (!loop || loop->kernels.size() != 1)
    return std::nullopt;
  return CachedObject{std::move(loop->kernels[0]), text.substr(line + 1)};
}
