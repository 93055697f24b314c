//===- CachedSource.cpp - a source with cached code -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"

#include "compiler/driver/Driver.h"
#include "compiler/driver/MethodText.h"
#include "compiler/driver/Reports.h"
#include "compiler/source/FreeMemory.h"
#include "runtime/artefact/CachedCode.h"

#include <algorithm>
#include <filesystem>

namespace kern::compiler {

using namespace runtime;

/// False only if a source certainly imports nothing.
static bool mayImport(std::string_view text) {
  return text.find("import") != std::string_view::npos;
}

/// A hash of the imports: the modules' names, their texts, and which share a
/// file; with `hasPaths` also file names, which messages show. "" without
/// imports.
static std::string hashOf(const std::vector<Import> &imports, bool hasPaths) {
  std::string text;
  for (const Import &import : imports) {
    auto first = std::ranges::find(imports, import.path, &Import::path);
    text += import.module + "\n" + import.hash + "\n" +
            std::to_string(first - imports.begin()) + "\n" +
            (hasPaths ? import.path + "\n" : "");
  }
  return text.empty() ? "" : contentHash(text);
}

CachedSource::CachedSource(JitText text, Cache &cache)
    : source(std::move(text)), cache(cache), textHash(contentHash(source.text)),
      folders(includePath(source.includePath)) {
  forgetImports();
}

void CachedSource::forgetImports() {
  imports = std::make_shared<SourceImports>(source.name, folders);
  source.modules = imports;
}

static std::string text(Checks checks) {
  return std::string(checks.bounds ? "bounds " : "") +
         (checks.asserts ? "assert " : "") +
         (checks.results ? "results " : "") + (checks.races ? "races" : "");
}

void CachedSource::setDigest() {
  if (source.digest.empty())
    source.digest = contentHash(
        textHash + "\n" + hashOf(imports->list(), false) +
        (source.isPrecise ? "\nprecise\n" : "\n\n") + text(source.checks));
}

CacheKey CachedSource::key(std::string_view kind) const {
  CacheKey key(kind);
  key.add("compiler", compilerId()).add("source", textHash);
  if (!importsHash.empty())
    key.add("imports", importsHash);
  key.add("mode", source.isPrecise ? "precise" : "default")
      .add("checks", text(source.checks));
  // Only the messages of failed checks name the file.
  return source.checks.any() ? key.add("file", source.name) : key;
}

/// The key includes where imported files are looked up.
CacheKey CachedSource::importsKey() const {
  std::error_code error;
  std::string path;
  for (const std::string &folder : folders)
    path += (path.empty() ? "" : ":") + folder;
  return CacheKey("imports")
      .add("compiler", compilerId())
      .add("source", textHash)
      .add("folder", std::filesystem::path(source.name).parent_path().string())
      .add("directory", std::filesystem::current_path(error).string())
      .add("path", path);
}

bool CachedSource::findImports() {
  if (!mayImport(source.text)) {
    setDigest();
    return true;
  }
  CacheKey wanted = importsKey();
  auto known = cache.find(wanted);
  if (!known)
    return false;
  std::optional<std::vector<Import>> list = unpackImports(*known);
  if (!list || !imports->finds(*list)) {
    cache.remove(wanted);
    forgetImports();
    return false;
  }
  importsHash = hashOf(*list, source.checks.any());
  setDigest();
  return true;
}

void CachedSource::keepImports() {
  std::vector<Import> list = imports->list();
  importsHash = hashOf(list, source.checks.any());
  if (mayImport(source.text))
    cache.store(importsKey(), packImports(list));
}

CacheKey CachedSource::loopKey(std::string_view kind,
                               const FunctionInfo &function,
                               std::span<const ArgType> arguments) const {
  return key(kind)
      .add("function", function.name)
      .add("types", typeList(arguments));
}

bool CachedSource::findManifest() {
  CacheKey wanted = key("module");
  auto known = cache.find(wanted);
  if (!known)
    return false;
  // One line each.
  const std::string_view entry = *known;
  const size_t line = std::min(entry.find('\n'), entry.size());
  Expected<Manifest> manifest = manifestFromJson(entry.substr(0, line));
  auto reported =
      unpackReport(entry.substr(std::min(line + 1, entry.size())), fileNames());
  if (!manifest || !reported) {
    cache.remove(wanted);
    return false;
  }
  report = std::move(*reported);
  description = std::move(*manifest);
  description.source = source.name;
  return true;
}

std::vector<std::string> CachedSource::fileNames() const {
  std::vector<std::string> names = {source.name};
  for (const Import &import : imports->list())
    names.push_back(import.path);
  return names;
}

void CachedSource::keepManifest() {
  Manifest nameless = description; // a file of another name may use the entry
  nameless.source.clear();
  cache.store(key("module"),
              toJson(nameless) + "\n" + packReport(report.get(), fileNames()));
}

Expected<JitSource *> CachedSource::jit() {
  std::lock_guard lock(mutex);
  if (!compiler) {
    Expected<std::unique_ptr<Unit>> unit = unitOf(source);
    if (!unit)
      return unit.error();
    setDigest();
    compiler = std::make_unique<JitSource>(source, std::move(*unit));
  }
  return compiler.get();
}

Expected<std::shared_ptr<CodeSource>> CachedSource::open(JitText text,
                                                         Cache &cache) {
  requireMemory(StepMemory::minimum); // for reading entries
  auto source = std::make_shared<CachedSource>(std::move(text), cache);
  bool isKnown = cache.isOn() && source->findImports();
  // Remarks are made anew and never cached.
  const bool remarks = source->source.remarks;
  if (isKnown && !remarks && source->findManifest())
    return std::shared_ptr<CodeSource>(std::move(source));
  Expected<JitSource *> jit = source->jit();
  if (!jit)
    return jit.error();
  if (!cache.isOn())
    return std::shared_ptr<CodeSource>(std::move(source->compiler));
  source->description = (*jit)->manifest();
  source->report = (*jit)->diagnostics();
  if (!isKnown)
    source->keepImports();
  if (!remarks)
    source->keepManifest();
  return std::shared_ptr<CodeSource>(std::move(source));
}

Expected<LoopInfo>
CachedSource::specialise(const FunctionInfo &function,
                         std::span<const ArgType> arguments) {
  CacheKey wanted = loopKey("loop", function, arguments);
  if (auto known = cache.find(wanted)) {
    if (std::optional<LoopInfo> loop = unpackLoop(*known))
      return std::move(*loop);
    cache.remove(wanted);
  }
  Expected<JitSource *> compiler = jit();
  if (!compiler)
    return compiler.error();
  Expected<LoopInfo> loop = (*compiler)->specialise(function, arguments);
  if (loop)
    cache.store(wanted, packLoop(function, *loop));
  return loop;
}

Expected<Nest> CachedSource::nest(const FunctionInfo &function,
                                  const LoopInfo &loop) {
  CacheKey wanted = loopKey("nest", function, loop.inputs);
  if (auto known = cache.find(wanted)) {
    if (std::optional<LoopInfo> found = unpackLoop(*known))
      return std::move(found->nest);
    cache.remove(wanted);
  }
  Expected<JitSource *> compiler = jit();
  if (!compiler)
    return compiler.error();
  Expected<Nest> nest = (*compiler)->nest(function, loop);
  if (nest) {
    LoopInfo described = loop;
    described.nest = *nest;
    cache.store(wanted, packLoop(function, described));
  }
  return nest;
}

Expected<std::shared_ptr<CodeSource>>
CachedSource::method(const FunctionInfo &function, const MethodGufunc &wanted) {
  return open(withMethod(source, function, wanted), cache);
}

CacheKey CachedSource::kernelKey(const FunctionInfo &function,
                                 const LoopInfo &loop,
                                 const KernelVariant &variant,
                                 const Target &target,
                                 std::string_view arch) const {
  CacheKey key =
      loopKey(target.facts.isText ? "kernel" : "object", function, loop.inputs)
          .add("form", runtime::name(variant.form))
          .add("disjoint", variant.disjoint ? "yes" : "no");
  for (DType type : variant.stored)
    key.add("stored", name(type));
  if (variant.ranges)
    key.add("ranges", std::to_string(variant.ranges));
  if (variant.masked)
    key.add("masked", "yes");
  if (variant.mapping != Mapping{})
    key.add("mapping", kern::runtime::text(variant.mapping));
  for (int64_t extent : variant.constants)
    key.add("extent", std::to_string(extent));
  if (variant.loopDims != maxKernelDims)
    key.add("dimensions", std::to_string(variant.loopDims));
  if (variant.groups != Groups::Any)
    key.add("groups", variant.groups == Groups::One ? "one" : "block");
  for (const auto &[what, value] : target.identity(arch))
    key.add(what, value);
  return key;
}

std::shared_ptr<const KernelCode> CachedSource::find(const CacheKey &key,
                                                     const Target &target) {
  auto known = cache.find(key);
  if (!known)
    return nullptr;
  std::optional<KernelInfo> kernel;
  std::shared_ptr<const std::string> code;
  if (target.facts.isText) {
    kernel = unpackKernel(*known);
    code = std::move(known);
  } else if (std::optional<CachedObject> object = unpackObject(*known)) {
    kernel = std::move(object->kernel);
    code = std::make_shared<const std::string>(object->object);
  }
  // It may call a C library's vector function that is no longer there.
  if (kernel)
    if (auto loaded = target.load(std::move(*kernel), std::move(code)))
      return std::make_shared<const KernelCode>(std::move(*loaded));
  cache.remove(key);
  return nullptr;
}

Expected<std::shared_ptr<const KernelCode>>
CachedSource::kernel(const FunctionInfo &function, const LoopInfo &loop,
                     const KernelVariant &asked, CodeTarget device) {
  requireMemory(StepMemory::minimum); // for linking cached code
  const Target &target = targetOf(device.kind);
  const std::string arch = target.archOf(device);
  const KernelVariant wanted = target.distinct(asked);
  CacheKey key = kernelKey(function, loop, wanted, target, arch);
  if (auto known = find(key, target))
    return known;
  Expected<JitSource *> compiler = jit();
  if (!compiler)
    return compiler.error();
  auto made = (*compiler)->kernel(function, loop, wanted, device);
  if (!made)
    return made;
  const KernelInfo &kernel = (*made)->kernel;
  if (!target.facts.isText) {
    cache.store(key, packObject(function, loop, kernel, *(*made)->object));
    return made;
  }
  auto code = std::make_shared<KernelCode>();
  code->kernel = kernel;
  code->ptx =
      cache.store(key, packKernel(function, loop, kernel, arch, *(*made)->ptx));
  return std::shared_ptr<const KernelCode>(std::move(code));
}

} // namespace kern::compiler
