//===- ReadFile.cpp - the text of a file ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/ReadFile.h"

#include "llvm/Support/MemoryBuffer.h"

namespace kern {

Expected<std::string> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (buffer)
    return (*buffer)->getBuffer().str();
  std::error_code error = buffer.getError();
  kern_status status = error == std::errc::no_such_file_or_directory
                           ? KERN_ERROR_NOT_FOUND
                           : KERN_ERROR_IO;
  return Error{status, "cannot read '" + path + "': " + error.message()};
}

} // namespace kern
