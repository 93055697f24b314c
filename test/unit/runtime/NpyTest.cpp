//===- NpyTest.cpp - .npy files against NumPy's ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Npy.h"
#include "NumpyTables.h"
#include "runtime/transfer/Array.h"
#include "runtime/transfer/HostCopy.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::numpy;

namespace {
class Npy : public testing::Test {
protected:
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("kern-npy-" + std::to_string(::getpid()) + "-" + info->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const char *name = "a.npy") { return folder / name; }
  std::string write(const std::string &bytes) {
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }
  std::string readBytes() {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t fileCount() {
    return size_t(std::distance(std::filesystem::directory_iterator(folder),
                                std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder;
};

std::string headerOf(const std::string &dictionary) {
  std::string out = std::string("\x93NUMPY\x01\x00", 8);
  out += char(dictionary.size() & 255);
  out += char(dictionary.size() >> 8);
  return out + dictionary;
}
} // namespace

TEST_F(Npy, ReadsWhatNumpyWrites) {
  for (const NpyRow &row : NpyFiles) {
    auto array = readNpy(write(row.file));
    ASSERT_TRUE(array) << row.label << ": " << array.error().message;
    ManagedArray owner(*array);
    auto view = viewOf(&owner->dl_tensor, row.label);
    ASSERT_TRUE(view) << row.label;
    EXPECT_EQ(view->dtype, row.dtype) << row.label;
    EXPECT_EQ(view->shape, row.shape) << row.label;
    EXPECT_EQ(isFContiguous(*view) && !isCContiguous(*view), row.fortran);
    auto copy = copyOnHost(*view);
    ASSERT_TRUE(copy);
    EXPECT_EQ(std::string(static_cast<char *>((*copy)->dl_tensor.data),
                          row.values.size()),
              row.values)
        << row.label;
  }
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  for (const NpyRow &row : NpyFiles) {
    std::string label = row.label;
    if (label.find("big-endian") != label.npos ||
        label.find("version") != label.npos)
      continue; // those are read only
    auto array = readNpy(write(row.file));
    ASSERT_TRUE(array);
    ManagedArray owner(*array);
    auto view = viewOf(&owner->dl_tensor, row.label);
    std::filesystem::remove(path());
    Status status = writeNpy(path(), *view);
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(readBytes().substr(128), row.file.substr(128)) << label;
    auto header = parseNpyHeader(readBytes());
    ASSERT_TRUE(header);
    EXPECT_EQ(header->shape, row.shape);
    EXPECT_EQ(header->fortranOrder, row.fortran);
    EXPECT_EQ(header->dataOffset % 64, 0u);
  }
}

TEST_F(Npy, BrainFloatIsTwoVoidBytes) {
  uint16_t values[3] = {0x3f80, 0xc000, 0x7f80};
  StridedView view = {DType::BF16,
                      reinterpret_cast<std::byte *>(values),
                      hostDevice(),
                      {3},
                      {2}};
  ASSERT_TRUE(writeNpy(path(), view));
  EXPECT_NE(readBytes().find("'descr': '<V2'"), std::string::npos);
  auto array = readNpy(path());
  ASSERT_TRUE(array);
  ManagedArray owner(*array);
  EXPECT_EQ(owner->dl_tensor.dtype.code, kDLBfloat);
  EXPECT_EQ(std::memcmp(owner->dl_tensor.data, values, sizeof values), 0);
}

TEST_F(Npy, StridedArraysAreWrittenInCOrder) {
  int32_t data[6] = {0, 1, 2, 3, 4, 5};
  StridedView reversed = {DType::I32,
                          reinterpret_cast<std::byte *>(&data[5]),
                          hostDevice(),
                          {3},
                          {-8}};
  ASSERT_TRUE(writeNpy(path(), reversed));
  auto array = readNpy(path());
  ASSERT_TRUE(array);
  ManagedArray owner(*array);
  auto *values = static_cast<int32_t *>(owner->dl_tensor.data);
  EXPECT_EQ(std::vector(values, values + 3), (std::vector<int32_t>{5, 3, 1}));
}

TEST_F(Npy, RefusesBadFiles) {
  auto refused = [&](const std::string &bytes, kern_status status,
                     const char *what) {
    auto array = readNpy(write(bytes));
    ASSERT_FALSE(array) << what;
    EXPECT_EQ(array.error().status, status) << array.error().message;
    EXPECT_NE(array.error().message.find(what), std::string::npos)
        << array.error().message;
    EXPECT_NE(array.error().message.find(path()), std::string::npos);
  };
  refused("", KERN_ERROR_IO, "not a valid .npy file");
  refused("PK\x03\x04 an npz file is a zip", KERN_ERROR_IO, "NUMPY");
  refused(std::string("\x93NUMPY\x09\x00\x10\x00{}", 12), KERN_ERROR_IO,
          "version 9");
  refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), KERN_ERROR_IO,
          "claims");
  const std::string &good = NpyFiles[0].file;
  refused(good.substr(0, 60), KERN_ERROR_IO, "cut off in the header");
  refused(good.substr(0, good.size() - 1), KERN_ERROR_IO, "cut off");
  auto dictionary = [&](const char *text, kern_status status,
                        const char *what) {
    refused(headerOf(text) + std::string(64, '\0'), status, what);
  };
  dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x",
             KERN_ERROR_IO, "dictionary");
  dictionary("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",
             KERN_ERROR_IO, "fortran_order");
  dictionary("{'descr': '<f4', 'shape': (2,)}", KERN_ERROR_IO, "dictionary");
  dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
             KERN_ERROR_IO, "shape");
  dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
             KERN_ERROR_IO, "shape");
  dictionary("{'descr': '<f4', 'fortran_order': False, "
             "'shape': (4611686018427387904, 4611686018427387904)}",
             KERN_ERROR_IO, "too large");
  dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (1000,)}",
             KERN_ERROR_IO, "promises 4000 bytes");
  dictionary("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
             KERN_ERROR_TYPE, "'|O'");
  dictionary("{'descr': '<U5', 'fortran_order': False, 'shape': (2,)}",
             KERN_ERROR_TYPE, "'<U5'");
  dictionary("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
             KERN_ERROR_TYPE, "records");
  auto missing = readNpy(path("none.npy"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().status, KERN_ERROR_NOT_FOUND);
  EXPECT_FALSE(readNpy(folder));
}

// Every way of cutting and of changing one byte is refused or read, never a
// crash.
TEST_F(Npy, SurvivesDamage) {
  for (const NpyRow &row : NpyFiles) {
    for (size_t n = 0; n < row.file.size(); n += 7)
      EXPECT_FALSE(parseNpyHeader(row.file.substr(0, std::min<size_t>(n, 80))));
    for (size_t at = 0; at < 128 && at < row.file.size(); ++at)
      for (char byte : {'\0', '\xff', '\'', '(', '9'}) {
        std::string damaged = row.file;
        damaged[at] = byte;
        auto header = parseNpyHeader(damaged);
        if (header)
          EXPECT_TRUE(checkedCount(header->shape));
      }
  }
}

TEST_F(Npy, FailedWritesLeaveNothing) {
  float value = 1;
  StridedView view = {
      DType::F32, reinterpret_cast<std::byte *>(&value), hostDevice(), {}, {}};
  Status status = writeNpy(path("no/such/folder.npy"), view);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().status, KERN_ERROR_NOT_FOUND);
  EXPECT_EQ(fileCount(), 0u);
  EXPECT_FALSE(writeNpy(folder, view)) << "a directory";
  // The device that is always full, written directly and still there.
  Status full = writeNpy("/dev/full", view);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().status, KERN_ERROR_IO);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  ASSERT_TRUE(writeNpy(path(), view));
  EXPECT_EQ(fileCount(), 1u) << "no temporary file is left";
}

TEST_F(Npy, LinksStayLinks) {
  float value = 1;
  StridedView view = {
      DType::F32, reinterpret_cast<std::byte *>(&value), hostDevice(), {}, {}};
  ASSERT_TRUE(writeNpy(path("target.npy"), view));
  std::filesystem::create_symlink(path("target.npy"), path("link.npy"));
  value = 2;
  ASSERT_TRUE(writeNpy(path("link.npy"), view));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  auto array = readNpy(path("target.npy"));
  ASSERT_TRUE(array);
  ManagedArray owner(*array);
  EXPECT_EQ(*static_cast<float *>(owner->dl_tensor.data), 2);
}
