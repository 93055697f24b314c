//===- ModuleFiles.cpp - the files of imported modules --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/ModuleFiles.h"

#include "compiler/driver/StandardModules.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace kern::compiler {

using runtime::Expected;

Expected<std::string> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (buffer)
    return (*buffer)->getBuffer().str();
  std::error_code error = buffer.getError();
  kern_status status = error == std::errc::no_such_file_or_directory
                           ? KERN_ERROR_NOT_FOUND
                           : KERN_ERROR_IO;
  return runtime::Error{status,
                        "cannot read '" + path + "': " + error.message()};
}

static std::mutex pathMutex;
static std::vector<std::string> &pathFolders() {
  static std::vector<std::string> folders;
  return folders;
}

static std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(':'), text.size());
    if (end)
      parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void setIncludePath(std::string_view folders) {
  std::lock_guard lock(pathMutex);
  pathFolders() = split(folders);
}

std::vector<std::string> includePath(std::string_view first) {
  std::vector<std::string> folders = split(first);
  {
    std::lock_guard lock(pathMutex);
    folders.insert(folders.end(), pathFolders().begin(), pathFolders().end());
  }
  if (const char *variable = std::getenv("KERN_PATH"))
    for (std::string &folder : split(variable))
      folders.push_back(std::move(folder));
  return folders;
}

std::vector<std::string>
ModuleFiles::foldersFor(std::string_view importer) const {
  std::vector<std::string> list;
  // A text without a file ("<source>") is in no folder.
  if (importer == standardInput) {
    list.emplace_back(".");
  } else if (!importer.starts_with('<')) {
    std::string folder = std::filesystem::path(importer).parent_path().string();
    list.push_back(folder.empty() ? "." : folder);
  }
  list.insert(list.end(), folders.begin(), folders.end());
  return list;
}

std::optional<ModuleText> ModuleFiles::find(std::string_view module,
                                            std::string_view importer) {
  if (std::optional<std::string_view> text = standardModule(module))
    return ModuleText{std::string(standardFolder) + std::string(module) +
                          ".kern",
                      std::string(*text)};
  for (const std::string &folder : foldersFor(importer)) {
    std::string path = std::string(module) + ".kern";
    if (folder != ".")
      path = (std::filesystem::path(folder) / path).string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      continue;
    if (Expected<std::string> text = readFile(path))
      return ModuleText{path, std::move(*text)};
  }
  return std::nullopt;
}

std::optional<ModuleText> ModuleFiles::prelude(std::string_view function) {
  const PreludeFile *file = preludeFileOf(function);
  if (!file)
    return std::nullopt;
  return ModuleText{std::string(standardFolder) + file->name + ".kern",
                    std::string(file->text)};
}

std::vector<std::string_view> ModuleFiles::preludeNames() const {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < preludeFunctionCount; ++i)
    names.push_back(preludeFunctions[i].name);
  return names;
}

std::string ModuleFiles::places(std::string_view importer) const {
  std::string text = "there are the standard modules";
  for (std::string_view name : standardModules())
    text += (name == standardModules().front() ? " `" : ", `") +
            std::string(name) + "`";
  for (const std::string &folder : foldersFor(importer))
    text += "; no such file in `" + folder + "`";
  return text;
}

} // namespace kern::compiler
