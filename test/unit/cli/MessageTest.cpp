//===- MessageTest.cpp - suggestions, colours, names ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/Counted.h"
#include "tools/kern/Console.h"
#include "tools/kern/Help.h"
#include "tools/kern/Stage.h"
#include "tools/kern/calls/CallRequest.h"

#include <gtest/gtest.h>

namespace kern::cli {

using namespace compiler;
using namespace runtime;

namespace {

TEST(Suggestion, NearNamesOnly) {
  const std::vector<std::string> names = {"compile", "run", "check", "info"};
  EXPECT_EQ(suggestion("complie", names), "; did you mean 'compile'?");
  EXPECT_EQ(suggestion("rnu", names), "; did you mean 'run'?");
  EXPECT_EQ(suggestion("chek", names), "; did you mean 'check'?");
  EXPECT_EQ(suggestion("frobnicate", names), "");
  EXPECT_EQ(suggestion("", names), "");
}

TEST(DiagnosticColours, PaintsSeverityPlaceAndUnderline) {
  EXPECT_EQ(coloured("a.kern:1:2: error[K0201]: unknown name `x`\n"
                     "   1 | y = x\n"
                     "     |     ^\n"
                     "  = help: did you mean `z`?\n"),
            "\033[1ma.kern:1:2: \033[0m\033[1;31merror[K0201]:\033[0m\033[1m "
            "unknown name `x`\033[0m\n"
            "   1 | y = x\n"
            "\033[32m     |     ^\033[0m\n"
            "\033[1m  = \033[0m\033[1;32mhelp:\033[0m did you mean `z`?\n");
}

TEST(DiagnosticColours, LeavesOtherTextAlone) {
  for (std::string_view text : {"", "\n", "plain", "   3 | # errors: none",
                                "x = \"error\"", "   4 | a ^ b"})
    EXPECT_EQ(coloured(text), text);
}

/// What bixense.com/clicolors says.
TEST(DiagnosticColours, AreWantedByVariablesAndTerminal) {
  struct Row {
    const char *none, *force, *cli;
    bool onTerminal, elsewhere;
  };
  for (const Row &row : {Row{nullptr, nullptr, nullptr, true, false},
                         Row{"1", nullptr, nullptr, false, false},
                         Row{"", nullptr, nullptr, true, false},
                         Row{nullptr, "1", nullptr, true, true},
                         Row{nullptr, "yes", "0", true, true},
                         Row{nullptr, "0", nullptr, true, false},
                         Row{nullptr, "", nullptr, true, false},
                         Row{"0", "1", "1", false, false},
                         Row{nullptr, nullptr, "0", false, false},
                         Row{nullptr, nullptr, "1", true, false}}) {
    auto environment = [&](std::string_view name) {
      return name == "NO_COLOR"         ? row.none
             : name == "CLICOLOR_FORCE" ? row.force
             : name == "CLICOLOR"       ? row.cli
                                        : nullptr;
    };
    EXPECT_EQ(wantsColours(environment, true), row.onTerminal);
    EXPECT_EQ(wantsColours(environment, false), row.elsewhere);
  }
}

TEST(HelpText, ColumnsAndLines) {
  EXPECT_EQ(optionsText({{"o,output", "Where to write", "FILE"},
                         {"check", "Check while running", "LIST", {}, "all"},
                         {"json", ""}}),
            "  -o, --output FILE   Where to write\n"
            "      --check[=LIST]  Check while running\n"
            "      --json\n");
  // Words that do not fit begin a line in their column; long names have a line
  // of their own.
  const std::string word(30, 'w');
  EXPECT_EQ(optionsText({{"a", word + " " + word + " " + word},
                         {std::string(40, 'n'), "text"}}),
            "      --a  " + word + " " + word + "\n           " + word +
                "\n      --" + std::string(40, 'n') + "\n           text\n");
  EXPECT_EQ(optionsText({}), "");
}

TEST(Counted, IsEnglish) {
  EXPECT_EQ(counted(1, "entry"), "1 entry");
  EXPECT_EQ(counted(3, "entry"), "3 entries");
  EXPECT_EQ(counted(0, "axis entry"), "0 axis entries");
  EXPECT_EQ(counted(2, "array"), "2 arrays");
  EXPECT_EQ(counted(2, "axis"), "2 axes");
  EXPECT_EQ(counted(2, "class"), "2 classes");
  EXPECT_EQ(countedAre(1, "index"), "1 index is");
  EXPECT_EQ(countedAre(2, "index"), "2 indices are");
}

TEST(DeviceName, Parses) {
  EXPECT_EQ(parseDevice("auto")->device_id, KERN_AUTO);
  EXPECT_EQ(parseDevice("cuda:all")->device_id, KERN_ALL_GPUS);
  EXPECT_EQ(parseDevice("cpu")->device_type, kDLCPU);
  EXPECT_EQ(parseDevice("cuda")->device_id, 0);
  EXPECT_EQ(parseDevice("cuda:3")->device_id, 3);
  EXPECT_EQ(parseDevice("cuda:3")->device_type, kDLCUDA);
  for (const char *name :
       {"", "gpu", "cuda:", "cuda:-1", "cuda:1x", "CPU", "cuda:99999999999"})
    EXPECT_FALSE(parseDevice(name)) << name;
}

TEST(Stage, TargetsAreThoseOfNvidia) {
  EXPECT_EQ(computeCapability("sm_75"), 75);
  EXPECT_EQ(computeCapability("sm_120"), 120);
  EXPECT_EQ(computeCapability("sm_110"), 110);
  for (std::string_view name :
       {"sm_70", "sm_115", "sm_9", "90", "sm_", "sm_901", ""})
    EXPECT_FALSE(computeCapability(name)) << name;
}

TEST(Stage, EveryStageHasItsOwnExtension) {
  std::vector<std::string_view> seen;
  for (const std::string &name : stageNames()) {
    ASSERT_NE(findStage(name), nullptr);
    for (std::string_view extension : seen)
      EXPECT_NE(findStage(name)->ending, extension);
    seen.push_back(findStage(name)->ending);
  }
  EXPECT_EQ(findStage("ptx")->ending, ".ptx");
  EXPECT_EQ(findStage("nonsense"), nullptr);
}

} // namespace
} // namespace kern::cli
