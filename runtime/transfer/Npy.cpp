//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Npy.h"
#include "runtime/file/NewFile.h"
#include "runtime/transfer/Array.h"
#include "runtime/transfer/HostCopy.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace kern::runtime;

namespace {
class File {
public:
  explicit File(int descriptor) : descriptor(descriptor) {}
  ~File() { close(); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  bool isOpen() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  /// False if the written data did not reach the file.
  bool close() {
    int old = std::exchange(descriptor, -1);
    return old < 0 || ::close(old) == 0;
  }

private:
  int descriptor;
};

/// Reads up to `size` bytes, fewer only at the end of the file. -1 on failure,
/// with errno.
ssize_t readFully(int file, void *into, size_t size) {
  size_t done = 0;
  while (done < size) {
    size_t chunk = std::min<size_t>(size - done, 1u << 30);
    ssize_t got = ::read(file, static_cast<char *>(into) + done, chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += size_t(got);
  }
  return ssize_t(done);
}

void swapElements(const StridedView &array) {
  // A complex number is two floats, each swapped separately.
  size_t width = itemSize(array.dtype) / (isComplex(array.dtype) ? 2 : 1);
  size_t total = size_t(array.count()) * itemSize(array.dtype);
  for (size_t at = 0; at < total; at += width)
    std::reverse(array.data + at, array.data + at + width);
}

Status writeTo(int file, const std::string &path, const StridedView &array) {
  bool fortran = !isCContiguous(array) && isFContiguous(array);
  std::string header = formatNpyHeader(array.dtype, fortran, array.shape);
  ManagedArray copy;
  const std::byte *data = array.data;
  if (!fortran && !isCContiguous(array)) {
    Expected<ManagedArray> made = copyOnHost(array);
    if (!made)
      return made.error();
    copy = std::move(*made);
    data = static_cast<const std::byte *>(copy->dl_tensor.data);
  }
  size_t bytes = size_t(array.count()) * itemSize(array.dtype);
  int error = writeFully(file, header.data(), header.size());
  if (!error)
    error = writeFully(file, data, bytes);
  return error ? Status(fileError("write", path, error)) : Status();
}
} // namespace

Expected<DLManagedTensor *> kern::runtime::readNpy(const std::string &path) {
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen())
    return fileError("open", path, errno);
  auto inFile = [&](const Error &error) {
    return error.status == KERN_ERROR_TYPE ? error.ofFile(path)
                                           : error.after("'" + path + "' is ");
  };

  // The first 12 bytes give the header's length.
  std::string head(12, '\0');
  ssize_t got = readFully(file.get(), head.data(), head.size());
  if (got < 0)
    return fileError("read", path, errno);
  head.resize(size_t(got));
  bool isKnown = head.size() == 12 && head.starts_with("\x93NUMPY") &&
                 head[6] >= 1 && head[6] <= 3;
  if (isKnown) {
    auto byte = [&](size_t i) { return size_t(uint8_t(head[i])); };
    size_t length = 10 + (byte(8) | byte(9) << 8);
    if (byte(6) > 1)
      length = 12 + (byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24);
    // Version 2 headers can claim 4 GiB; no real header needs a megabyte.
    if (length > (1u << 20))
      return inFile(Error(ErrorCode::npy_header_size, {length}));
    if (length > head.size()) {
      size_t had = head.size();
      head.resize(length);
      got = readFully(file.get(), head.data() + had, length - had);
      if (got < 0)
        return fileError("read", path, errno);
      head.resize(had + size_t(got));
    }
  }
  Expected<NpyHeader> header = parseNpyHeader(head);
  if (!header)
    return inFile(header.error());

  const size_t bytes = *bytesOf(header->shape, header->dtype); // as was checked
  // Before allocating, reject a header that promises more data than the file
  // has.
  struct stat info = {};
  if (::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) &&
      uint64_t(info.st_size) - header->dataOffset < bytes)
    return Error(ErrorCode::npy_data_cut_off,
                 {path, bytes, uint64_t(info.st_size) - header->dataOffset});
  Strides strides = contiguousStrides(header->shape, itemSize(header->dtype));
  if (header->fortranOrder) {
    Extents reversed(header->shape.rbegin(), header->shape.rend());
    strides = contiguousStrides(reversed, itemSize(header->dtype));
    std::reverse(strides.begin(), strides.end());
  }
  Expected<ManagedArray> array =
      newHostArray(header->dtype, header->shape, strides);
  if (!array)
    return array.error();
  auto *data = static_cast<std::byte *>((*array)->dl_tensor.data);
  // With a header of 10 bytes, the bytes already read include data.
  size_t had = std::min(head.size() - header->dataOffset, bytes);
  if (had)
    std::memcpy(data, head.data() + header->dataOffset, had);
  got = readFully(file.get(), data + had, bytes - had);
  if (got < 0)
    return fileError("read", path, errno);
  if (size_t(got) != bytes - had)
    return Error(ErrorCode::npy_data_cut_off, {path, bytes, had + size_t(got)});
  StridedView view = {header->dtype, data, hostDevice(), header->shape,
                      strides};
  if (header->swapBytes)
    swapElements(view);
  if (header->dtype == DType::Bool) // the file may hold bytes besides 0 and 1
    convertLoop(DType::Bool, DType::Bool)(int64_t(bytes), data, 1, data, 1);
  return array->release();
}

Status kern::runtime::writeNpy(const std::string &path,
                               const StridedView &array) {
  struct stat info = {};
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return fileError("write", path, EISDIR);
  // A pipe, a device or an open file (as /proc/self/fd/3) is written in place.
  const bool isOpenFile =
      path.starts_with("/proc/self/fd/") || path.starts_with("/dev/fd/");
  if (exists && (isOpenFile || !S_ISREG(info.st_mode))) {
    File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.isOpen())
      return fileError("open", path, errno);
    Status written = writeTo(file.get(), path, array);
    if (written && !file.close())
      return fileError("write", path, errno);
    return written;
  }

  // A link stays a link; its target is replaced.
  std::string target = path;
  char resolved[PATH_MAX];
  if (exists && ::realpath(path.c_str(), resolved))
    target = resolved;
  NewFile file;
  if (int error = file.open(target, exists ? info.st_mode & 0777 : 0666))
    return fileError("write", path, error);
  if (Status written = writeTo(file.get(), path, array); !written)
    return written;
  if (int error = file.replace(target))
    return fileError("write", path, error);
  return {};
}
