//===- Run.cpp - kern run -------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/StridedView.h"
#include "runtime/error/Counted.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Interruption.h"
#include "tools/kern/Module.h"
#include "tools/kern/OutputFile.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/Verb.h"
#include "tools/kern/calls/CallRequest.h"
#include "tools/kern/calls/MethodCall.h"
#include "tools/kern/values/Arguments.h"
#include "tools/kern/values/ArrayText.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>

namespace kern::cli {

using runtime::Expected;
using runtime::Status;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

void declare(CommandLine &line) {
  line.add({"o,output",
            "Write a result to this .npy file; one -o for each result, in "
            "order. Without -o the results are printed",
            "FILE"});
  line.add({"device",
            "Where to run: cpu, cuda, cuda:N, cuda:all, or auto: whichever is "
            "expected to be faster (default: KERN_DEVICE, else cpu; cuda for a "
            ".ptx file)",
            "D",
            {"auto", "cpu", "cuda", "cuda:all"}});
  line.add({"method",
            "Call a method of a ufunc: reduce, accumulate, reduceat, at or "
            "outer",
            "M", MethodCall::names()});
  line.add({"axis",
            "For a gufunc with one core dimension: the axis of that dimension, "
            "or several as (0,1), or all. For a method: the axis it runs along "
            "(default: 0)",
            "A"});
  line.add({"initial", "For --method reduce: the initial value", "V"});
  line.add({"axes",
            "For a gufunc: the axes of each operand's core dimensions, such as "
            "'(0,1),(1,2),0'",
            "LIST"});
  line.add({"keepdims", "Keep core dimensions, or axes that are reduced, in "
                        "the results, with extent 1"});
  line.add({"shape",
            "The shape of the first result, such as 10,20: for functions "
            "without arrays among their inputs",
            "S"});
  line.add({"dtype", "Take the loop whose results are of this type", "T",
            dtypeNames()});
  line.add({"casting",
            "Conversions allowed: no, equiv, safe, same_kind or unsafe",
            "RULE",
            {"no", "equiv", "safe", "same_kind", "unsafe"}});
  line.add({"order",
            "How results lie in memory: K, C, F or A",
            "O",
            {"K", "C", "F", "A"}});
  line.add({"where",
            "A mask: a .npy file or a list of bool, or True or False. Where it "
            "is false, results are 0; for --method reduce, elements do not "
            "count",
            "MASK"});
  line.add({"v,verbose",
            "Report the kernel, its form, how it reached each operand and what "
            "kept that from being faster, the device and the time"});
  declareCompileOptions(line);
  declareDenyWarnings(line);
  declareSourceOptions(line);
}

/// All results are written before the first is put in place.
int writeResults(const std::vector<Array> &results,
                 const std::vector<std::string> &paths) {
  std::vector<OutputFile> files;
  files.reserve(paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    files.emplace_back(paths[i]);
    if (Status opened = files.back().open(); !opened) {
      printError(opened.error().message);
      return Refused;
    }
    const std::string writing = files.back().writingPath();
    const kern_status status =
        kern_npy_write(writing.c_str(), &results[i]->dl_tensor);
    if (status == KERN_ERROR_IO) {
      // The library's message names the new file.
      std::string message = kern_last_error();
      if (size_t at = message.find(writing); at != std::string::npos)
        message.replace(at, writing.size(), paths[i]);
      printError(message);
      return Refused;
    }
    if (status != KERN_OK)
      return reportFailure(status);
  }
  for (OutputFile &file : files)
    if (Status status = file.commit(); !status) {
      printError(status.error().message);
      return Refused;
    }
  return Done;
}

int printResults(const std::vector<Array> &results) {
  for (const Array &result : results) {
    Expected<std::string> text = arrayText(result->dl_tensor);
    if (!text) {
      printError(text.error().message);
      return Refused;
    }
    std::printf("%s\n", text->c_str());
  }
  return finishOutput(Done);
}

/// "grid 64, block 256, group 8", or how many threads the CPU used, or how
/// often a library was called.
std::string geometryText(const kern_call_report &report) {
  if (report.device.device_type == kDLCPU)
    return runtime::counted(report.grid, "thread");
  if (!report.block)
    return runtime::counted(report.grid, "call");
  return "grid " + std::to_string(report.grid) + ", block " +
         std::to_string(report.block) + ", group " +
         std::to_string(report.group);
}

void printReport(const kern_function *function, const kern_call_report &report,
                 const CallRequest &request, double loading, double calling) {
  kern_device_info info{};
  info.size = sizeof info;
  const bool known = kern_device_describe(report.device, &info) == KERN_OK;
  std::fflush(stdout);
  std::fprintf(stderr,
               "%s  %s\n"
               "  kernel %s (%s)\n"
               "%s"
               "  on %s%s%s, %lld elements, %s\n"
               "  %.3f ms to load, %.3f ms for the call, with compiling and "
               "transfers\n",
               kern_function_name(function), kern_function_signature(function),
               report.kernel, report.form, request.explanation("    ").c_str(),
               runtime::text(report.device).c_str(), known ? ": " : "",
               known ? info.name : "", static_cast<long long>(report.elements),
               geometryText(report).c_str(), loading, calling);
  if (const std::string problem = kern_cache_problem(); !problem.empty())
    std::fprintf(stderr, "  cache: %s\n", problem.c_str());
}

/// Refuses, before anything runs, output paths that are the file of the
/// function, equal, or named as files of another kind than `.npy`. What is not
/// a regular file (a pipe, /dev/null) may have any name.
std::optional<int> refusePaths(const CommandLine &line) {
  namespace fs = std::filesystem;
  const std::string &module = line.operands()[0];
  std::set<std::string> seen;
  for (const std::string &path : line.values("output")) {
    if (isSameFile(module, path)) {
      printError("the output '" + path + "' is the file of the function");
      return Refused;
    }
    if (path == "-")
      continue;
    std::error_code error;
    const bool isRegular =
        !path.starts_with("/dev/") && !fs::is_other(fs::status(path, error));
    if (isRegular && !path.ends_with(".npy"))
      return line.refuse("'" + path +
                         "' cannot name a result: -o writes .npy files, and - "
                         "is the standard output");
    if (!seen.insert(fs::path(path).lexically_normal().string()).second) {
      printError("two results cannot go to the same file '" + path + "'");
      return Refused;
    }
  }
  return std::nullopt;
}

/// Refuses output paths unless there is one for each result.
std::optional<int> refuseCount(const kern_function *function, size_t paths) {
  const size_t count = kern_function_output_count(function);
  if (paths == 0 || paths == count)
    return std::nullopt;
  printError(
      "'" + std::string(kern_function_name(function)) + "' has " +
      runtime::counted(count, "result") + ", but there " +
      (paths == 1 ? "is one -o" : "are " + std::to_string(paths) + " -o"));
  return Refused;
}

/// The mask of --where as an array; a plain value is one of no dimensions.
struct Mask {
  Arguments arguments;
  DLTensor value = {};
  const DLTensor *get() {
    const kern_value &given = arguments.values().front();
    if (given.kind == KERN_VALUE_ARRAY)
      return given.as.array;
    value.data = const_cast<unsigned char *>(given.as.bits);
    value.device = {kDLCPU, 0};
    value.dtype = kern_dtype_to_dl(given.dtype);
    return &value;
  }
};

/// Reads the options that NumPy's calls have. Returns the exit status if they
/// are wrong.
std::optional<int> readRequest(const CommandLine &line, CallRequest &request,
                               Mask &mask) {
  using Setter = Status (CallRequest::*)(std::string_view);
  for (auto [option, setter] :
       {std::pair<const char *, Setter>("axis", &CallRequest::setAxis),
        {"axes", &CallRequest::setAxes},
        {"shape", &CallRequest::setShape},
        {"dtype", &CallRequest::setDtype},
        {"casting", &CallRequest::setCasting},
        {"order", &CallRequest::setOrder}})
    if (line.has(option))
      if (Status status = (request.*setter)(line.value(option, "")); !status)
        return line.refuse(status.error().message);
  if (line.has("keepdims"))
    request.keepDimensions();
  if (!line.has("where"))
    return std::nullopt;
  if (Status status = mask.arguments.add(line.value("where", "")); !status) {
    printError("--where: " + status.error().message);
    return Refused;
  }
  kern_value_kind kind = mask.arguments.values().front().kind;
  if (kind != KERN_VALUE_ARRAY && kind != KERN_VALUE_SCALAR)
    return line.refuse(
        "--where takes a .npy file or a list of bool, or True or "
        "False");
  request.setWhere(mask.get());
  return std::nullopt;
}

/// The number of --initial; none without it. Returns the exit status if it is
/// wrong.
std::optional<int> readInitial(const CommandLine &line,
                               const MethodCall &method, Arguments &initial) {
  if (!line.has("initial"))
    return std::nullopt;
  if (!method.isReduce())
    return line.refuse("--initial is for --method reduce");
  if (Status status = initial.add(line.value("initial", "")); !status) {
    printError("--initial: " + status.error().message);
    return Refused;
  }
  if (const kern_value_kind kind = initial.values().front().kind;
      kind == KERN_VALUE_ARRAY || kind == KERN_VALUE_RANGE)
    return line.refuse("--initial takes a number");
  return std::nullopt;
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  if (line.operands().size() < 2)
    return line.refuse(line.operands().empty()
                           ? "name a file to run"
                           : "name the function of '" + line.operands()[0] +
                                 "' to call");
  if (std::optional<int> status = refusePaths(line))
    return *status;
  Expected<MethodCall> method = MethodCall::parse(line.value("method", ""));
  if (!method)
    return line.refuse(method.error().message);
  Arguments initial;
  if (std::optional<int> status = readInitial(line, *method, initial))
    return *status;
  const Interruption interruption;
  CallRequest request;
  request.setProgress(interruption.progress());
  Mask mask;
  if (line.has("device")) {
    Expected<kern_device> chosen = parseDevice(line.value("device", ""));
    if (!chosen)
      return line.refuse(chosen.error().message);
    request.setDevice(*chosen);
  }
  if (std::optional<int> status = readRequest(line, request, mask))
    return *status;
  if (line.has("verbose"))
    request.explain();

  kern_compile_options compile{};
  if (std::optional<int> status = readCompileOptions(line, compile))
    return *status;

  const Clock::time_point begin = Clock::now();
  Module module;
  kern_function *function = nullptr;
  if (std::optional<int> status = openFunction(line, compile, module, function))
    return *status;
  const double loading = millisecondsSince(begin);

  const std::vector<std::string> outputs = line.values("output");
  if (std::optional<int> status = refuseCount(function, outputs.size()))
    return *status;
  Arguments inputs;
  for (size_t i = 2; i < line.operands().size(); ++i)
    if (Status status = inputs.addNamed(line.operands()[i]); !status) {
      printError(status.error().message);
      return Refused;
    }
  if (line.has("method") && inputs.hasNames())
    return line.refuse("--method takes its inputs by position");
  if (!line.has("method"))
    if (Status status = inputs.bind(function); !status) {
      printError(status.error().message);
      return Refused;
    }

  if (Status status = method->check(function, inputs.values(),
                                    "--method " + line.value("method", ""));
      !status)
    return line.refuse(status.error().message);
  std::vector<DLManagedTensor *> raw(kern_function_output_count(function));
  kern_call_report report{};
  report.size = sizeof report;
  const Clock::time_point beginCall = Clock::now();
  const kern_status status =
      method->make(function, inputs.values(),
                   initial.values().empty() ? nullptr : &initial.values()[0],
                   raw, request.get(), &report);
  const double calling = millisecondsSince(beginCall);
  if (status != KERN_OK)
    return reportFailure(status);
  std::vector<Array> results;
  for (DLManagedTensor *array : raw)
    results.emplace_back(array);

  if (line.has("verbose"))
    printReport(function, report, request, loading, calling);
  return outputs.empty() ? printResults(results)
                         : writeResults(results, outputs);
}

} // namespace

const Verb runVerb = {
    "run",
    "F.kern|F.ptx|- FUNC INPUT… [NAME=INPUT]…",
    "call a function on .npy files, numbers and lists",
    "Calls a function with NumPy's rules. An INPUT is a .npy file, a number, a "
    "list of numbers or a range: 1, -0.5, inf, nan and 2j adapt to the types "
    "of the "
    "other inputs, f32(1) and True have their own, and [1, 2] is the array "
    "that NumPy makes of it, and 0:100:2 the array of these integers, without "
    "its memory. Inputs may be given by the names of parameters, "
    "as in window=20, after those given by position; parameters with defaults "
    "need none.",
    declare,
    run};

} // namespace kern::cli
