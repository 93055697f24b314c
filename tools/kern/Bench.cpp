//===- Bench.cpp - kern bench ---------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/StridedView.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Module.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/Verb.h"
#include "tools/kern/bench/DeviceClock.h"
#include "tools/kern/bench/RandomArrays.h"
#include "tools/kern/calls/CallRequest.h"
#include "tools/kern/values/Arguments.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kern::cli {

using runtime::DType;
using runtime::Error;
using runtime::Expected;
using runtime::Status;

namespace {

/// A measurement, filled in step by step. One record, since the report shows
/// all of it.
struct Bench {
  kern_device device{}, memory{}; ///< of the calls and of the arrays
  const kern_function *function = nullptr;
  std::vector<std::string> inputs; ///< as they were given: "f32[1024]"
  double bytes = 0;                ///< each input read, each output written
  double first = 0;                ///< ms of the first call
  unsigned batches = 0, calls = 0;
  Summary time; ///< ms of one call
  double copyRate = 0;
  kern_call_report report{};
  std::string explanation; ///< of how operands are reached, in indented lines

  double rate() const { return bytes / time.median; } // bytes/ms
};

/// "batch 3 of 10" on a terminal, once the work takes longer than a second.
class Progress {
public:
  explicit Progress(bool isQuiet) : isQuiet(isQuiet) {}
  ~Progress() {
    if (isShown)
      std::fprintf(stderr, "\r\033[K");
  }
  void show(const char *what, unsigned at, unsigned of) {
    using namespace std::chrono_literals;
    if (isQuiet || !isatty(STDERR_FILENO) ||
        std::chrono::steady_clock::now() - begin < 1s)
      return;
    isShown = true;
    std::fprintf(stderr, "\r\033[K%s %u of %u", what, at, of);
  }

private:
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  const bool isQuiet;
  bool isShown = false;
};

void declare(CommandLine &line) {
  line.add(
      {"shape",
       "Measure with arrays of random numbers of this shape, as 1024,1024: "
       "one for all inputs or one for each, core dimensions last",
       "SHAPE"});
  line.add(
      {"dtype",
       "Their type, one for all or one for each (default: that of the first "
       "loop, or f32)",
       "T", dtypeNames()});
  line.add({"device",
            "Where to run: cpu, cuda or cuda:N, with the arrays there; or "
            "cuda:all or auto, with arrays on the host (default: cpu)",
            "D",
            {"auto", "cpu", "cuda", "cuda:all"}});
  line.add({"batches", "How many times to measure (10)", "N"});
  line.add({"json", "Print one JSON object"});
  declareCompileOptions(line);
  declareSourceOptions(line);
}

std::string inputText(const DLTensor &array) {
  kern_dtype dtype{};
  std::string text = kern_dtype_from_dl(array.dtype, &dtype) == KERN_OK
                         ? std::string(name(DType(dtype)))
                         : "?";
  text += '[';
  for (int i = 0; i < array.ndim; ++i)
    text += (i ? "," : "") + std::to_string(array.shape[i]);
  return text + ']';
}

std::string deviceText(kern_device device) {
  kern_device_info info{};
  info.size = sizeof info;
  const bool isKnown = kern_device_describe(device, &info) == KERN_OK;
  return runtime::text(device) + (isKnown ? std::string(": ") + info.name : "");
}

void printText(const Bench &bench) {
  std::string inputs;
  for (const std::string &input : bench.inputs)
    inputs += (inputs.empty() ? "" : " ") + input;
  const bool isHost = bench.memory.device_type == kDLCPU;
  std::printf("%s  %s  %s\n", kern_function_name(bench.function),
              kern_function_signature(bench.function), inputs.c_str());
  std::printf("  on %s, kernel %s (%s)\n", deviceText(bench.device).c_str(),
              bench.report.kernel, bench.report.form);
  std::fputs(bench.explanation.c_str(), stdout);
  std::printf("  first call  %.3f ms, with compiling\n", bench.first);
  std::printf("  a call      %.4f ms, median of %u batches of %u calls, by %s\n"
              "              %.4f to %.4f ms, the middle half within %.1f %%\n",
              bench.time.median, bench.batches, bench.calls,
              isHost ? "the clock" : "events", bench.time.shortest,
              bench.time.longest, bench.time.spread * 100);
  std::printf("  traffic     %.1f MB, %.1f GB/s, %.0f %% of a copy's "
              "%.1f GB/s\n",
              bench.bytes / 1e6, bench.rate() / 1e6,
              100 * bench.rate() / bench.copyRate, bench.copyRate / 1e6);
}

void printJson(const Bench &bench) {
  nlohmann::ordered_json json = {
      {"function", kern_function_name(bench.function)},
      {"signature", kern_function_signature(bench.function)},
      {"inputs", bench.inputs},
      {"device", runtime::text(bench.device)},
      {"kernel", bench.report.kernel},
      {"form", bench.report.form},
      {"elements", bench.report.elements},
      {"first_ms", bench.first},
      {"batches", bench.batches},
      {"calls", bench.calls},
      {"median_ms", bench.time.median},
      {"least_ms", bench.time.shortest},
      {"most_ms", bench.time.longest},
      {"spread", bench.time.spread},
      {"bytes", bench.bytes},
      {"gb_per_s", bench.rate() / 1e6},
      {"copy_gb_per_s", bench.copyRate / 1e6},
      {"share_of_copy", bench.rate() / bench.copyRate}};
  std::printf("%s\n", json.dump(2).c_str());
}

/// The inputs of the call, and their owners.
struct Inputs {
  Arguments arguments;
  std::vector<Array> arrays;
  std::vector<kern_value> values;
};

Status addArray(Inputs &inputs, Bench &bench, Array array) {
  bench.inputs.push_back(inputText(array->dl_tensor));
  bench.bytes += bytesOf(array->dl_tensor);
  kern_value value{};
  value.kind = KERN_VALUE_ARRAY;
  value.as.array = &array->dl_tensor;
  inputs.values.push_back(value);
  inputs.arrays.push_back(std::move(array));
  return {};
}

Status addRandom(Inputs &inputs, Bench &bench, const ArrayShape &shape) {
  Expected<Array> array = randomArray(shape, bench.memory);
  return array ? addArray(inputs, bench, std::move(*array)) : array.error();
}

/// An input as `kern run` takes it, or "T[SHAPE]".
Status addInput(Inputs &inputs, Bench &bench, const std::string &text) {
  if (looksLikeArray(text)) {
    Expected<ArrayShape> shape = parseArray(text);
    return shape ? addRandom(inputs, bench, *shape) : shape.error();
  }
  if (Status status = inputs.arguments.add(text); !status)
    return status;
  const kern_value &value = inputs.arguments.values().back();
  if (value.kind != KERN_VALUE_ARRAY) {
    bench.inputs.push_back(text);
    inputs.values.push_back(value);
    return {};
  }
  DLManagedTensor *copy = nullptr;
  if (kern_status status = kern_array_copy(value.as.array, bench.memory, &copy);
      status != KERN_OK)
    return Error{status, kern_last_error()};
  return addArray(inputs, bench, Array(copy));
}

/// Makes the inputs from shapes or from what follows the function's name.
Status makeInputs(const CommandLine &line,
                  const runtime::FunctionInfo &function, Inputs &inputs,
                  Bench &bench) {
  const std::vector<std::string> &operands = line.operands();
  if (operands.size() > 2) {
    for (size_t i = 2; i < operands.size(); ++i)
      if (Status status = addInput(inputs, bench, operands[i]); !status)
        return status;
    return {};
  }
  std::vector<std::vector<int64_t>> shapes;
  for (const std::string &text : line.values("shape")) {
    Expected<std::vector<int64_t>> shape = parseShape(text);
    if (!shape)
      return shape.error();
    shapes.push_back(std::move(*shape));
  }
  std::vector<DType> types;
  for (const std::string &text : line.values("dtype")) {
    std::optional<DType> type = runtime::parseDType(text);
    if (!type)
      return Error{KERN_ERROR_ARGUMENT, "there is no type '" + text + "'"};
    types.push_back(*type);
  }
  Expected<std::vector<ArrayShape>> arrays = arraysFor(function, shapes, types);
  if (!arrays)
    return arrays.error();
  for (const ArrayShape &array : *arrays)
    if (Status status = addRandom(inputs, bench, array); !status)
      return status;
  return {};
}

/// Calls once, which compiles and makes the outputs, then measures.
Status measure(kern_function *function, const Inputs &inputs, bool isQuiet,
               Bench &bench) {
  kern_call_options options{};
  options.size = sizeof options;
  options.has_device = 1;
  options.device = bench.device;
  const size_t count = kern_function_output_count(function);
  std::vector<DLManagedTensor *> raw(count);
  auto call = [&](const DLTensor *const *outputs,
                  const kern_call_options *how) -> Status {
    bench.report.size = sizeof bench.report;
    const kern_status status =
        kern_call(function, inputs.values.data(), inputs.values.size(), outputs,
                  raw.data(), count, how, &bench.report);
    if (status != KERN_OK)
      return Error{status, kern_last_error()};
    return {};
  };
  const auto begin = std::chrono::steady_clock::now();
  CallRequest explained;
  explained.setDevice(bench.device);
  explained.explain();
  if (Status status = call(nullptr, explained.get()); !status)
    return status;
  bench.explanation = explained.explanation("    ");
  if (kern_status status = kern_synchronize(bench.memory); status != KERN_OK)
    return Error{status, kern_last_error()};
  bench.first = std::chrono::duration<double, std::milli>(
                    std::chrono::steady_clock::now() - begin)
                    .count();
  std::vector<Array> results;
  std::vector<const DLTensor *> outputs;
  for (DLManagedTensor *array : raw) {
    results.emplace_back(array);
    outputs.push_back(&array->dl_tensor);
    bench.bytes += bytesOf(array->dl_tensor);
  }

  Expected<std::unique_ptr<DeviceClock>> clock =
      DeviceClock::make(bench.memory);
  if (!clock)
    return clock.error();
  auto again = [&] { return call(outputs.data(), &options); };
  Expected<double> once = (*clock)->time(again, 1);
  if (once)
    once = (*clock)->time(again, 1);
  if (!once)
    return once.error();
  bench.calls = repetitions(*once, 100, 10000);
  std::vector<double> times;
  Progress progress(isQuiet);
  for (unsigned i = 0; i < bench.batches; ++i) {
    progress.show("batch", i + 1, bench.batches);
    Expected<double> taken = (*clock)->time(again, bench.calls);
    if (!taken)
      return taken.error();
    times.push_back(*taken);
  }
  bench.time = summarise(std::move(times));
  Expected<double> copyRate = (*clock)->copyRate();
  if (!copyRate)
    return copyRate.error();
  bench.copyRate = *copyRate;
  return {};
}

/// The number after --batches, if it is one.
std::optional<unsigned> batchCount(const std::string &text) {
  unsigned count = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), count);
  const bool isWhole = end == text.data() + text.size();
  return error == std::errc() && isWhole && count >= 1 && count <= 100000
             ? std::optional(count)
             : std::nullopt;
}

/// What is wrong with the combination of options and operands, or "".
std::string complaint(const CommandLine &line) {
  const std::vector<std::string> &operands = line.operands();
  if (operands.empty())
    return "name a file to measure";
  if (operands.size() == 1)
    return "name the function of '" + operands[0] + "' to measure";
  const bool hasShape = line.has("shape") || line.has("dtype");
  if (operands.size() > 2 && hasShape)
    return "give either the inputs or --shape and --dtype, not both";
  if (operands.size() == 2 && !line.has("shape"))
    return "no inputs: give --shape 1024,1024, or the inputs: numbers, lists, "
           ".npy files or f32[1024,1024]";
  return "";
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  if (std::string wrong = complaint(line); !wrong.empty())
    return line.refuse(wrong);
  Bench bench;
  const std::string batches = line.value("batches", "10");
  if (std::optional<unsigned> count = batchCount(batches))
    bench.batches = *count;
  else
    return line.refuse("--batches is a number from 1 to 100000, not '" +
                       batches + "'");
  std::optional<kern_device> asked;
  if (line.has("device")) {
    Expected<kern_device> chosen = parseDevice(line.value("device", ""));
    if (!chosen)
      return line.refuse(chosen.error().message);
    asked = *chosen;
  }
  kern_compile_options options{};
  if (std::optional<int> status = readCompileOptions(line, options))
    return *status;

  Module module;
  kern_function *function = nullptr;
  if (std::optional<int> status = openFunction(line, options, module, function))
    return *status;
  bench.function = function;
  Expected<runtime::Manifest> manifest =
      runtime::manifestFromJson(kern_module_manifest(module.get()));
  if (!manifest) {
    printError(manifest.error().message);
    return InternalError;
  }
  const bool isForGpu = manifest->target.kind == runtime::TargetKind::Cuda;
  bench.device = asked.value_or(kern_device{isForGpu ? kDLCUDA : kDLCPU, 0});
  const bool isShared = bench.device.device_id < 0;
  bench.memory = isShared ? kern_device{kDLCPU, 0} : bench.device;

  Inputs inputs;
  Status status = makeInputs(
      line, *manifest->find(kern_function_name(function)), inputs, bench);
  if (status)
    status = measure(function, inputs, line.isQuiet(), bench);
  if (!status) {
    printError(status.error().message);
    return status.error().status == KERN_ERROR_INTERNAL ? InternalError
                                                        : Refused;
  }
  line.has("json") ? printJson(bench) : printText(bench);
  return finishOutput(Done);
}

} // namespace

const Verb benchVerb = {
    "bench",
    "F.kern|F.ptx|- FUNC [INPUT…]",
    "measure a function beside a copy on the same device",
    "Measures calls of a function on one device: the median time, its spread, "
    "the memory traffic (each input read once, each output written once) and "
    "the share of what a copy reaches there. An INPUT is an array of random "
    "numbers such as f32[1024,1024], a .npy file, a number or a list; or "
    "--shape makes one array for each.\n\n"
    "  kern bench 03_gaussian_pdf.kern gaussian_pdf 'f32[10000000]' 0 1\n"
    "  kern bench 01_add.kern add --shape 4096,4096 --shape 4096",
    declare,
    run};

} // namespace kern::cli
