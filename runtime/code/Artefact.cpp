//===- Artefact.cpp - code from a compiled file ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/Artefact.h"

#include "runtime/code/CompiledSource.h"

#include <cerrno>
#include <charconv>
#include <cstdio>

using namespace kern::runtime;

namespace {
/// "sm_90a" → 90 and 'a'.
std::optional<std::pair<int, char>> parseArch(std::string_view arch) {
  if (!arch.starts_with("sm_"))
    return std::nullopt;
  arch.remove_prefix(3);
  int number = 0;
  auto [end, failure] =
      std::from_chars(arch.data(), arch.data() + arch.size(), number);
  arch.remove_prefix(size_t(end - arch.data()));
  if (failure != std::errc() || number <= 0 || arch.size() > 1 ||
      (arch.size() == 1 && arch != "a" && arch != "f"))
    return std::nullopt;
  return std::pair(number, arch.empty() ? '\0' : arch[0]);
}

class Artefact : public CompiledSource {
public:
  /// `name` is the file's name in messages.
  Artefact(Manifest info, std::string text, std::string name)
      : CompiledSource(std::move(info), std::move(name), text),
        ptx(std::make_shared<const std::string>(std::move(text))) {}

  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         const KernelVariant &wanted, CodeTarget target) override {
    if (target.kind == CodeTarget::Kind::Host)
      return Error(ErrorCode::code_for_gpus,
                   {name, info.target.arch, sourceText()});
    if (!runsOn(info.target.arch, target.computeCapability))
      return Error(ErrorCode::code_for_other_gpu,
                   {name, info.target.arch, target.computeCapability});
    Expected<KernelInfo> kernel = pick(function, loop, wanted);
    if (!kernel)
      return kernel.error();
    auto code = std::make_shared<KernelCode>();
    code->kernel = std::move(*kernel);
    code->ptx = ptx;
    return std::shared_ptr<const KernelCode>(std::move(code));
  }

private:
  std::shared_ptr<const std::string> ptx;
};
} // namespace

bool kern::runtime::runsOn(std::string_view arch, int computeCapability) {
  auto parsed = parseArch(arch);
  if (!parsed)
    return false;
  auto [number, suffix] = *parsed;
  if (suffix == 'a') // code only for that GPU
    return number == computeCapability;
  if (suffix == 'f') // code for its family
    return number / 10 == computeCapability / 10 && number <= computeCapability;
  return number <= computeCapability;
}

Expected<std::shared_ptr<CodeSource>>
kern::runtime::loadArtefact(std::string ptx, std::string name) {
  Expected<Manifest> manifest = extractManifest(ptx);
  if (!manifest)
    return manifest.error();
  if (manifest->target.kind != TargetKind::Cuda ||
      !parseArch(manifest->target.arch))
    return Error(ErrorCode::manifest_target,
                 {manifest->target.kindName(), manifest->target.arch});
  return std::shared_ptr<CodeSource>(std::make_shared<Artefact>(
      std::move(*manifest), std::move(ptx), std::move(name)));
}

Expected<std::shared_ptr<CodeSource>>
kern::runtime::loadArtefactFile(const std::string &path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "rb"), &std::fclose);

  if (!file)
    return fileError("open", path, errno);
  std::string text;
  char buffer[65536];
  while (size_t got = std::fread(buffer, 1, sizeof buffer, file.get()))
    text.append(buffer, got);
  if (std::ferror(file.get()))
    return fileError("read", path, errno);
  auto source = loadArtefact(std::move(text), "'" + path + "'");
  if (!source)
    return source.error().ofFile(path);
  return source;
}
