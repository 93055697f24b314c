//===- Devices.cpp - kern devices -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/Verb.h"

#include "kern/kern.h"
#include "runtime/error/Counted.h"

#include <cstdio>

namespace kern::cli {
namespace {

std::string gibibytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB",
                double(bytes) / (1024.0 * 1024 * 1024));
  return text;
}

std::string describe(const kern_device_info &info) {
  std::string text = info.name;
  if (info.compute_capability)
    text += "  sm_" + std::to_string(info.compute_capability) + "  " +
            counted(size_t(info.multiprocessors), "multiprocessor");
  else
    text += "  " + counted(size_t(info.multiprocessors), "thread");
  text += "  " + gibibytes(info.memory);
  if (info.memory_free)
    text += " (" + gibibytes(info.memory_free) + " free)";
  return text;
}

} // namespace

int runDevices(const std::vector<std::string> &arguments) {
  CommandLine line("devices", "",
                   "Lists what there is to run on. Without a GPU it says why; "
                   "the CPU is always there.");
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (!line.operands().empty())
    return line.refuse("'devices' takes no operands, but got '" +
                       line.operands()[0] + "'");

  const kern_device chosen = kern_default_device();
  int status = Done;
  auto print = [&](kern_device device, const std::string &name) {
    kern_device_info info{};
    info.size = sizeof info;
    const kern_status described = kern_device_describe(device, &info);
    if (described != KERN_OK) {
      status = reportFailure(described);
      return;
    }
    const bool isChosen = device.device_type == chosen.device_type &&
                          device.device_id == chosen.device_id;
    std::printf("%-8s%s%s\n", name.c_str(), describe(info).c_str(),
                isChosen ? "  [default]" : "");
  };
  const int count = kern_cuda_device_count();
  for (int index = 0; index < count; ++index)
    print({kDLCUDA, index}, "cuda:" + std::to_string(index));
  if (count == 0)
    std::printf("%-8snone: %s\n", "cuda", kern_cuda_unavailable_reason());
  print({kDLCPU, 0}, "cpu");
  return finishOutput(status);
}

} // namespace kern::cli
