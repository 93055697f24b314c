//===- OutputFileTest.cpp - files written whole or not at all -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/OutputFile.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kern::cli {

using namespace runtime;

namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
  OutputFileTest()
      : folder(fs::path(testing::TempDir()) /
               ("kern-output-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~OutputFileTest() override { fs::remove_all(folder); }

  std::string path(const std::string &name) { return (folder / name).string(); }
  std::string contents(const std::string &name) {
    std::ostringstream text;
    text << std::ifstream(folder / name).rdbuf();
    return text.str();
  }
  size_t fileCount() {
    return size_t(std::distance(fs::directory_iterator(folder), {}));
  }

  fs::path folder;
};

TEST_F(OutputFileTest, AppearsOnlyWhenCommitted) {
  OutputFile file(path("a"));
  ASSERT_TRUE(file.write("new"));
  EXPECT_FALSE(fs::exists(path("a")));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(contents("a"), "new");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingWhenDropped) {
  std::ofstream(path("a")) << "old";
  {
    OutputFile file(path("a"));
    ASSERT_TRUE(file.write("new"));
    EXPECT_EQ(contents("a"), "old");
  }
  EXPECT_EQ(contents("a"), "old");
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(OutputFileTest, WritesThroughSymbolicLinks) {
  std::ofstream(path("target")) << "old";
  fs::create_symlink("target", path("link"));
  OutputFile file(path("link"));
  ASSERT_TRUE(file.write("new"));
  ASSERT_TRUE(file.commit());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(contents("target"), "new");
}

TEST_F(OutputFileTest, KeepsPermissions) {
  using fs::perms;
  for (perms wanted : {perms(0600), perms(0755), perms(0640)}) {
    std::ofstream(path("a")) << "old";
    fs::permissions(path("a"), wanted);
    OutputFile file(path("a"));
    ASSERT_TRUE(file.write("new"));
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      EXPECT_EQ(entry.status().permissions() & ~wanted, perms::none);
    ASSERT_TRUE(file.commit());
    EXPECT_EQ(contents("a"), "new");
    EXPECT_EQ(fs::status(path("a")).permissions(), wanted);
    fs::remove(path("a"));
  }
}

TEST_F(OutputFileTest, KeepsHardLinks) {
  std::ofstream(path("a")) << "the old contents, which are longer";
  fs::create_hard_link(path("a"), path("b"));
  OutputFile file(path("a"));
  ASSERT_TRUE(file.write("new"));
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(contents("a"), "new");
  EXPECT_EQ(contents("b"), "new");
}

TEST_F(OutputFileTest, RefusesAFileThatMayNotBeWritten) {
  std::ofstream(path("a")) << "old";
  fs::permissions(path("a"), fs::perms(0444));
  OutputFile file(path("a"));
  Status status = file.write("new");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "cannot write '" + path("a") +
                "': it is there and may not be written to");
  EXPECT_EQ(contents("a"), "old");
}

TEST_F(OutputFileTest, KnowsOneFileByTwoNames) {
  std::ofstream(path("a")) << "old";
  fs::create_hard_link(path("a"), path("b"));
  fs::create_symlink("a", path("c"));
  EXPECT_TRUE(isSameFile(path("a"), path("./a")));
  EXPECT_TRUE(isSameFile(path("a"), path("b")));
  EXPECT_TRUE(isSameFile(path("a"), path("c")));
  EXPECT_FALSE(isSameFile(path("a"), path("d")));
  EXPECT_FALSE(isSameFile(path("a"), "-"));
}

TEST_F(OutputFileTest, NeverReplacesADevice) {
  OutputFile file("/dev/null");
  ASSERT_TRUE(file.write("new"));
  ASSERT_TRUE(file.commit());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, NamesTheTargetWhenItCannotBeWritten) {
  OutputFile missing(path("no/such/folder/a"));
  Status status = missing.write("new");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().status, KERN_ERROR_IO);
  EXPECT_EQ(status.error().message, "cannot write '" +
                                        path("no/such/folder/a") +
                                        "': No such file or directory");
  fs::create_directory(path("folder"));
  OutputFile onFolder(path("folder"));
  ASSERT_TRUE(onFolder.write("new"));
  Status committed = onFolder.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().message,
            "cannot write '" + path("folder") + "': Is a directory");
}

/// Whatever ends the process between writing and putting in place.
TEST_F(OutputFileTest, LeavesNothingWhenTheProcessIsEnded) {
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGXFSZ, SIGKILL}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit none = {};
      ::setrlimit(RLIMIT_CORE, &none);
      ::signal(signal, SIG_DFL);
      OutputFile file(path("a"));
      if (file.write("new"))
        ::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    EXPECT_EQ(fileCount(), 0u) << signal;
  }
}

TEST_F(OutputFileTest, ReportsAFileThatGrowsTooLarge) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit small = {1 << 16, 1 << 16};
    ::setrlimit(RLIMIT_FSIZE, &small);
    OutputFile file(path("a"));
    const Status status = file.write(std::string(1 << 17, 'x'));
    ::_exit(!status && status.error().message ==
                           "cannot write '" + path("a") + "': File too large"
                ? 7
                : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(OutputFileTest, ReportsAFullDisk) {
  OutputFile file("/dev/full");
  ASSERT_TRUE(file.write("new"));
  Status committed = file.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().message,
            "cannot write '/dev/full': No space left on device");
}

} // namespace
} // namespace kern::cli
