//===- Devices.cpp - kern devices -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Verb.h"

#include "kern/places.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/Counted.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

namespace kern::cli {
namespace {

struct Device {
  kern_device device{};
  kern_device_info info{};
  kern_rates rates{}; ///< 0: not measured
  bool isDefault = false;

  bool isCpu() const { return device.device_type == kDLCPU; }
  std::string name() const {
    return isCpu() ? "cpu" : "cuda:" + std::to_string(device.device_id);
  }
};

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
            runtime::counted(size_t(info.multiprocessors), "multiprocessor");
  else
    text += "  " + runtime::counted(size_t(info.multiprocessors), "thread");
  text += "  " + gibibytes(info.memory);
  if (info.memory_free)
    text += " (" + gibibytes(info.memory_free) + " free)";
  return text;
}

/// What `auto` reckons with.
std::string describe(const kern_rates &rates) {
  char text[160];
  std::snprintf(
      text, sizeof text,
      "        %.1f GB/s to it, %.1f GB/s from it, %.1f GB/s copied by "
      "the CPU, %.0f us to begin\n",
      rates.to_device / 1e9, rates.to_host / 1e9, rates.copied / 1e9,
      rates.start * 1e6);
  return text;
}

/// Every GPU, then the CPU.
std::vector<kern_device> listed() {
  std::vector<kern_device> list;
  for (int index = 0; index < kern_cuda_device_count(); ++index)
    list.push_back({kDLCUDA, index});
  list.push_back({kDLCPU, 0});
  return list;
}

void printText(const std::vector<Device> &devices) {
  for (const Device &device : devices) {
    if (device.isCpu() && kern_cuda_device_count() == 0)
      std::printf("%-8snone: %s\n", "cuda", kern_cuda_unavailable_reason());
    std::printf("%-8s%s%s\n", device.name().c_str(),
                describe(device.info).c_str(),
                device.isDefault ? "  [default]" : "");
    if (device.rates.start > 0)
      std::fputs(describe(device.rates).c_str(), stdout);
  }
  if (const kern_device chosen = kern_default_device(); chosen.device_id < 0)
    std::printf("default %s\n", runtime::text(chosen).c_str());
}

void printJson(const std::vector<Device> &devices) {
  using nlohmann::ordered_json;
  ordered_json list = ordered_json::array();
  for (const auto &device : devices) {
    ordered_json entry = {{"name", device.name()},
                          {"kind", device.isCpu() ? "cpu" : "cuda"},
                          {"model", device.info.name},
                          {"default", device.isDefault}};
    if (device.isCpu()) {
      entry["threads"] = device.info.multiprocessors;
    } else {
      entry["target"] = "sm_" + std::to_string(device.info.compute_capability);
      entry["multiprocessors"] = device.info.multiprocessors;
    }
    entry["memory_bytes"] = device.info.memory;
    entry["free_bytes"] = device.info.memory_free;
    if (device.rates.start > 0)
      entry["rates"] = {{"to_device_gb_per_s", device.rates.to_device / 1e9},
                        {"to_host_gb_per_s", device.rates.to_host / 1e9},
                        {"copied_gb_per_s", device.rates.copied / 1e9},
                        {"start_us", device.rates.start * 1e6}};
    list.push_back(std::move(entry));
  }
  const ordered_json json = {{"devices", std::move(list)},
                             {"default", runtime::text(kern_default_device())},
                             {"cuda_problem", kern_cuda_unavailable_reason()}};
  std::printf(
      "%s\n",
      json.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

void declare(CommandLine &line) {
  line.add({"measure", "Measure what --device auto reckons with, once for a "
                       "machine: the cache keeps it"});
  line.add({"json", "Print one JSON object"});
}

int run(const CommandLine &line) {
  if (!line.operands().empty())
    return line.refuse("'devices' takes no operands, but got '" +
                       line.operands()[0] + "'");
  const kern_device chosen = kern_default_device();
  int status = Done;
  std::vector<Device> devices;
  for (kern_device device : listed()) {
    Device row{device,
               {},
               {},
               device.device_type == chosen.device_type &&
                   device.device_id == chosen.device_id};
    row.info.size = sizeof row.info;
    if (kern_status described = kern_device_describe(device, &row.info);
        described != KERN_OK) {
      status = reportFailure(described);
      continue;
    }
    row.rates.size = sizeof row.rates;
    if (!row.isCpu())
      if (kern_status measured =
              kern_device_rates(device, line.has("measure"), &row.rates);
          measured != KERN_OK)
        status = reportFailure(measured);
    devices.push_back(row);
  }
  line.has("json") ? printJson(devices) : printText(devices);
  return finishOutput(status);
}

} // namespace

const Verb devicesVerb = {
    "devices",
    "",
    "list the devices to run on",
    "Lists the devices that functions can run on. Without a GPU it says why "
    "there is none; the CPU is always there.",
    declare,
    run};

} // namespace kern::cli
