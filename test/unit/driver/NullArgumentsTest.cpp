//===- NullArgumentsTest.cpp - NULL for each pointer of the C interface ---===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table: each function of the public headers with NULL for each of its
// pointers in turn (test/layout holds that none is left out). What allows NULL
// says so in its header, and works.
//
//===----------------------------------------------------------------------===//
#include "kern/build.h"
#include "kern/compile.h"
#include "kern/diagnostics.h"
#include "kern/exchange.h"
#include "kern/native.h"
#include "kern/options.h"
#include "kern/reflection.h"
#include "kern/threads.h"
#include "kern/trace.h"

#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>

namespace {

const char *text = "ufunc f(x: f64) -> f64:\n    unused = 1\n    return x\n";
const size_t length = std::strlen(text);
const char *path = "no-such-file.kern";
const kern_device cpu = {kDLCPU, 0};

/// The arguments of a call that are not NULL. One record, since each row of the
/// table takes any of them.
struct Given {
  kern_module *module = nullptr;
  kern_function *function = nullptr;
  const kern_diagnostics *diagnostics = nullptr;
  kern_prepared *prepared = nullptr;
  double number = 2;
  int64_t shape[1] = {1};
  DLTensor tensor = {&number, cpu, 1, {kDLFloat, 64, 1}, shape, nullptr, 0};
  const DLTensor *outputs[1] = {&tensor};
  kern_value inputs[1] = {};
  DLManagedTensor *result = nullptr;
  kern_result_form form = {};
  int answer = 0;

  Given() {
    EXPECT_EQ(kern_compile_source(text, length, "n.kern", &module), KERN_OK);
    EXPECT_EQ(kern_module_find(module, "f", &function), KERN_OK);
    diagnostics = kern_module_diagnostics(module);
    EXPECT_EQ(kern_diagnostics_count(diagnostics), 1u);
    inputs[0].kind = KERN_VALUE_ARRAY;
    inputs[0].as.array = &tensor;
    kern_call_options options = {};
    options.size = sizeof options;
    options.has_device = 1;
    options.device = cpu;
    EXPECT_EQ(
        kern_prepare(function, inputs, 1, outputs, 1, &options, &prepared),
        KERN_OK)
        << kern_last_error();
  }
  ~Given() {
    kern_prepared_release(prepared);
    kern_module_release(module);
  }

  kern_status call(kern_function *callee, const kern_value *values,
                   size_t valueCount, const DLTensor *const *places,
                   DLManagedTensor **results) {
    kern_call_options options = {};
    options.size = sizeof options;
    options.has_device = 1;
    options.device = cpu;
    return kern_call(callee, values, valueCount, places, results, 1, &options,
                     nullptr);
  }
};

/// A call of the C interface with one NULL. It gives a status, or whether what
/// came back is nothing.
struct Row {
  const char *call;
  kern_status expected;
  std::function<kern_status(Given &)> run;
};

kern_status nothing(bool isNothing) {
  return isNothing ? KERN_OK : KERN_ERROR_INTERNAL;
}
bool isEmpty(const char *string) { return string && !*string; }

kern_module *made = nullptr;
/// A place that must be NULL afterwards.
kern_status cleared(kern_status status) {
  return made ? KERN_ERROR_INTERNAL : status;
}
void *const stale = static_cast<void *>(&made);
kern_module **place() {
  made = static_cast<kern_module *>(stale);
  return &made;
}

kern_build *build = nullptr;
kern_status clearedBuild(kern_status status) {
  return build ? KERN_ERROR_INTERNAL : status;
}
kern_build **buildPlace() {
  build = static_cast<kern_build *>(stale);
  return &build;
}

DLManagedTensor managed = {};
DLManagedTensorVersioned *versioned = nullptr;
DLManagedTensorVersioned tensorOfOne = {};

kern_trace *trace = nullptr;
void ignore(void *, const kern_trace_event *) {}

const kern_native_code noCode = {KERN_NATIVE_VERSION, 1, nullptr, nullptr};

const Row rows[] = {
#define CALL(EXPECTED, ...)                                                    \
  {#__VA_ARGS__, EXPECTED,                                                     \
   []([[maybe_unused]] Given &g) -> kern_status { return __VA_ARGS__; }},
#define NOTHING(...)                                                           \
  {#__VA_ARGS__, KERN_OK,                                                      \
   []([[maybe_unused]] Given &g) { return nothing(__VA_ARGS__); }},
#define DONE(...)                                                              \
  {#__VA_ARGS__, KERN_OK, []([[maybe_unused]] Given &g) {                      \
     __VA_ARGS__;                                                              \
     return KERN_OK;                                                           \
   }},
    // Without pointers.
    NOTHING(kern_last_error() != nullptr)
    NOTHING(!std::strcmp(kern_version(), KERN_VERSION))
    NOTHING(kern_cuda_device_count() >= 0)
    NOTHING(kern_cuda_unavailable_reason() != nullptr)
    NOTHING(kern_cache_problem() != nullptr)
    NOTHING(kern_default_device().device_type == kDLCPU)
    NOTHING(kern_get_num_threads() >= 1)
    CALL(KERN_ERROR_ARGUMENT, kern_set_num_threads(0))
    CALL(KERN_ERROR_ARGUMENT, kern_trace_start(nullptr, nullptr, &trace))
    CALL(KERN_ERROR_ARGUMENT, kern_trace_start(ignore, nullptr, nullptr))
    CALL(KERN_OK, kern_trace_start(ignore, nullptr, &trace))
    DONE(kern_trace_stop(trace))
    DONE(kern_trace_stop(nullptr))
    NOTHING(kern_dtype_to_dl(KERN_F64).bits == 64)
    CALL(KERN_OK, kern_synchronize(cpu))
    DONE(kern_last_diagnostics())
    // Devices and types.
    CALL(KERN_ERROR_ARGUMENT, kern_device_describe(cpu, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_device_named(nullptr, &g.tensor.device))
    CALL(KERN_ERROR_ARGUMENT, kern_device_named("cpu", nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_device_rates({kDLCUDA, 0}, 0, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         kern_dtype_from_dl(kern_dtype_to_dl(KERN_F64), nullptr))
    // Modules.
    CALL(KERN_ERROR_ARGUMENT,
         cleared(kern_compile_source(nullptr, 3, "n.kern", place())))
    CALL(KERN_ERROR_ARGUMENT,
         kern_compile_source(text, length, "n.kern", nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         cleared(kern_compile_source_with(nullptr, 3, "n.kern", nullptr,
                                          place())))
    CALL(KERN_ERROR_ARGUMENT, kern_compile_source_with(text, length, "n.kern",
                                                       nullptr, nullptr))
    CALL(KERN_ERROR_ARGUMENT, cleared(kern_compile_file(nullptr, place())))
    CALL(KERN_ERROR_ARGUMENT, kern_compile_file(path, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         cleared(kern_compile_file_with(nullptr, nullptr, place())))
    CALL(KERN_ERROR_ARGUMENT, kern_compile_file_with(path, nullptr, nullptr))
    CALL(KERN_OK, kern_set_include_path(nullptr))
    // Files.
    CALL(KERN_ERROR_ARGUMENT,
         clearedBuild(kern_build_source(nullptr, 3, "n.kern", nullptr,
                                        buildPlace())))
    CALL(KERN_ERROR_ARGUMENT,
         kern_build_source(text, length, "n.kern", nullptr, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         clearedBuild(kern_build_file(nullptr, nullptr, buildPlace())))
    CALL(KERN_ERROR_ARGUMENT, kern_build_file(path, nullptr, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         clearedBuild(kern_check_source(nullptr, 3, "n.kern", nullptr,
                                        buildPlace())))
    CALL(KERN_ERROR_ARGUMENT,
         kern_check_source(text, length, "n.kern", nullptr, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         clearedBuild(kern_check_file(nullptr, nullptr, buildPlace())))
    CALL(KERN_ERROR_ARGUMENT, kern_check_file(path, nullptr, nullptr))
    {"kern_build_get(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &) {
       kern_built into = {};
       into.size = sizeof into;
       return kern_build_get(nullptr, &into);
     }},
    {"kern_build_get(…, nullptr)", KERN_ERROR_ARGUMENT,
     [](Given &) {
       kern_build *one = nullptr;
       EXPECT_EQ(kern_check_source(text, length, nullptr, nullptr, &one),
                 KERN_OK);
       const kern_status status = kern_build_get(one, nullptr);
       kern_build_release(one);
       return status;
     }},
    DONE(kern_build_release(nullptr))
    CALL(KERN_ERROR_ARGUMENT, cleared(kern_load_file(nullptr, place())))
    CALL(KERN_ERROR_ARGUMENT, kern_load_file(path, nullptr))
    CALL(KERN_ERROR_ARGUMENT, cleared(kern_load_text(nullptr, 3, place())))
    CALL(KERN_ERROR_ARGUMENT, kern_load_text(text, length, nullptr))
    CALL(KERN_ERROR_ARGUMENT, cleared(kern_load_native(nullptr, place())))
    CALL(KERN_ERROR_ARGUMENT, kern_load_native(&noCode, nullptr))
    CALL(KERN_ERROR_ARTEFACT, cleared(kern_load_native(&noCode, place())))
    DONE(kern_module_release(nullptr))
    NOTHING(kern_module_function_count(nullptr) == 0)
    NOTHING(kern_module_function_at(nullptr, 0) == nullptr)
    CALL(KERN_ERROR_ARGUMENT, kern_module_find(nullptr, "f", &g.function))
    CALL(KERN_ERROR_ARGUMENT, kern_module_find(g.module, nullptr, &g.function))
    CALL(KERN_ERROR_ARGUMENT, kern_module_find(g.module, "f", nullptr))
    NOTHING(isEmpty(kern_module_manifest(nullptr)))
    NOTHING(isEmpty(kern_function_name(nullptr)))
    NOTHING(kern_function_input_count(nullptr) == 0)
    NOTHING(kern_function_output_count(nullptr) == 0)
    NOTHING(isEmpty(kern_function_signature(nullptr)))
    // Reflection.
    NOTHING(isEmpty(kern_module_source(nullptr)))
    NOTHING(isEmpty(kern_module_hash(nullptr)))
    NOTHING(kern_function_get_kind(nullptr) == KERN_FUNCTION_UFUNC)
    NOTHING(isEmpty(kern_function_doc(nullptr)))
    NOTHING(isEmpty(kern_function_identity(nullptr)))
    NOTHING(!kern_function_is_generic(nullptr))
    NOTHING(isEmpty(kern_function_operand_name(nullptr, 0)))
    NOTHING(isEmpty(kern_function_operand_type(nullptr, 0)))
    NOTHING(kern_function_operand_kind(nullptr, 0) == KERN_OPERAND_INPUT)
    NOTHING(kern_function_loop_count(nullptr) == 0)
    CALL(KERN_ERROR_ARGUMENT, kern_function_loop(nullptr, 0, &g.answer, 1))
    CALL(KERN_ERROR_ARGUMENT, kern_function_loop(g.function, 0, nullptr, 2))
    // Tensors of DLPack 1.
    CALL(KERN_ERROR_ARGUMENT, kern_tensor_to_versioned(nullptr, 0, &versioned))
    CALL(KERN_ERROR_ARGUMENT, kern_tensor_to_versioned(&managed, 0, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_tensor_from_versioned(nullptr, 0, &g.result))
    CALL(KERN_ERROR_ARGUMENT,
         kern_tensor_from_versioned(&tensorOfOne, 0, nullptr))
    // Diagnostics.
    NOTHING(kern_module_diagnostics(nullptr) == nullptr)
    NOTHING(kern_diagnostics_count(nullptr) == 0)
    CALL(KERN_ERROR_ARGUMENT, kern_diagnostics_get(g.diagnostics, 0, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         kern_diagnostics_note(g.diagnostics, 0, 0, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         kern_diagnostics_fix(g.diagnostics, 0, 0, nullptr))
    {"kern_diagnostics_get(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &) {
       kern_diagnostic into = {};
       into.size = sizeof into;
       return kern_diagnostics_get(nullptr, 0, &into);
     }},
    {"kern_diagnostics_note(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &) {
       kern_note into = {};
       into.size = sizeof into;
       return kern_diagnostics_note(nullptr, 0, 0, &into);
     }},
    {"kern_diagnostics_fix(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &) {
       kern_fix into = {};
       into.size = sizeof into;
       return kern_diagnostics_fix(nullptr, 0, 0, &into);
     }},
    // Arrays.
    CALL(KERN_ERROR_ARGUMENT,
         kern_array_new(KERN_F64, 1, nullptr, cpu, &g.result))
    CALL(KERN_ERROR_ARGUMENT,
         kern_array_new(KERN_F64, 1, g.shape, cpu, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_array_copy(nullptr, cpu, &g.result))
    CALL(KERN_ERROR_ARGUMENT, kern_array_copy(&g.tensor, cpu, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_array_assign(nullptr, &g.tensor))
    CALL(KERN_ERROR_ARGUMENT, kern_array_assign(&g.tensor, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_npy_read(nullptr, &g.result))
    CALL(KERN_ERROR_ARGUMENT, kern_npy_read(path, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_npy_write(nullptr, &g.tensor))
    CALL(KERN_ERROR_ARGUMENT, kern_npy_write(path, nullptr))
    // Calls.
    CALL(KERN_ERROR_ARGUMENT,
         g.call(nullptr, g.inputs, 1, g.outputs, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         g.call(g.function, nullptr, 1, g.outputs, nullptr))
    CALL(KERN_ERROR_ARGUMENT,
         g.call(g.function, nullptr, 0, g.outputs, nullptr))
    CALL(KERN_ERROR_ARGUMENT, g.call(g.function, g.inputs, 1, nullptr, nullptr))
    CALL(KERN_OK, g.call(g.function, g.inputs, 1, g.outputs, nullptr))
    CALL(KERN_OK, kern_call(g.function, g.inputs, 1, g.outputs, nullptr, 1,
                            nullptr, nullptr))
    {"kern_call with the array NULL", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       g.inputs[0].as.array = nullptr;
       return g.call(g.function, g.inputs, 1, g.outputs, nullptr);
     }},
    CALL(KERN_ERROR_ARGUMENT, kern_prepare(nullptr, g.inputs, 1, g.outputs, 1,
                                           nullptr, &g.prepared))
    CALL(KERN_ERROR_ARGUMENT, kern_prepare(g.function, nullptr, 1, g.outputs, 1,
                                           nullptr, &g.prepared))
    CALL(KERN_ERROR_ARGUMENT, kern_prepare(g.function, g.inputs, 1, nullptr, 1,
                                           nullptr, &g.prepared))
    CALL(KERN_ERROR_ARGUMENT, kern_prepare(g.function, g.inputs, 1, g.outputs,
                                           1, nullptr, nullptr))
    CALL(KERN_ERROR_ARGUMENT, kern_resolve(nullptr, g.inputs, 1, nullptr, 1,
                                           nullptr, nullptr, &g.form))
    CALL(KERN_ERROR_ARGUMENT, kern_resolve(g.function, nullptr, 1, nullptr, 1,
                                           nullptr, nullptr, &g.form))
    CALL(KERN_ERROR_ARGUMENT, kern_resolve(g.function, g.inputs, 1, nullptr, 1,
                                           nullptr, nullptr, nullptr))
    CALL(KERN_OK, kern_resolve(g.function, g.inputs, 1, nullptr, 1, nullptr,
                               nullptr, &g.form))
    {"kern_prepared_launch(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       const void *in[] = {&g.number};
       void *out[] = {&g.number};
       return kern_prepared_launch(nullptr, in, 1, out, 1, nullptr);
     }},
    {"kern_prepared_launch(…, inputs = nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       void *out[] = {&g.number};
       return kern_prepared_launch(g.prepared, nullptr, 1, out, 1, nullptr);
     }},
    {"kern_prepared_launch(…, outputs = nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       const void *in[] = {&g.number};
       return kern_prepared_launch(g.prepared, in, 1, nullptr, 1, nullptr);
     }},
    {"kern_prepared_try_launch(nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       const void *in[] = {&g.number};
       void *out[] = {&g.number};
       return kern_prepared_try_launch(nullptr, in, 1, out, 1, nullptr,
                                       &g.answer);
     }},
    {"kern_prepared_try_launch(…, inputs = nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       void *out[] = {&g.number};
       return kern_prepared_try_launch(g.prepared, nullptr, 1, out, 1, nullptr,
                                       &g.answer);
     }},
    {"kern_prepared_try_launch(…, outputs = nullptr, …)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       const void *in[] = {&g.number};
       return kern_prepared_try_launch(g.prepared, in, 1, nullptr, 1, nullptr,
                                       &g.answer);
     }},
    {"kern_prepared_try_launch(…, has_run = nullptr)", KERN_ERROR_ARGUMENT,
     [](Given &g) {
       const void *in[] = {&g.number};
       void *out[] = {&g.number};
       return kern_prepared_try_launch(g.prepared, in, 1, out, 1, nullptr,
                                       nullptr);
     }},
    DONE(kern_prepared_release(nullptr))
#undef CALL
#undef NOTHING
#undef DONE
};

} // namespace

TEST(NullArguments, AreRefusedOrGiveNothing) {
  for (const Row &row : rows) {
    SCOPED_TRACE(row.call);
    Given given;
    kern_prepared *const prepared = given.prepared;
    kern_function *const function = given.function;
    EXPECT_EQ(row.run(given), row.expected) << kern_last_error();
    if (row.expected != KERN_OK)
      EXPECT_STRNE(kern_last_error(), "");
    // The result of a failed call is NULL, and releasing it does nothing.
    if (given.prepared != prepared)
      EXPECT_EQ(given.prepared, nullptr);
    if (given.function != function)
      EXPECT_EQ(given.function, nullptr);
    given.prepared = prepared;
    EXPECT_EQ(given.result, nullptr);
  }
}

TEST(NullArguments, AreAllowedWhereTheHeaderSaysSo) {
  kern_module *module = nullptr;
  EXPECT_EQ(kern_compile_source(nullptr, 0, nullptr, &module), KERN_OK);
  EXPECT_EQ(kern_module_function_count(module), 0u);
  EXPECT_EQ(kern_module_diagnostics(module), nullptr);
  kern_module_release(module);
  EXPECT_EQ(kern_compile_source("?", 1, nullptr, &module), KERN_ERROR_COMPILE);
  EXPECT_NE(std::string(kern_last_error()).find("<source>:1:1"),
            std::string::npos);
  DLManagedTensor *scalar = nullptr;
  ASSERT_EQ(kern_array_new(KERN_F64, 0, nullptr, cpu, &scalar), KERN_OK);
  scalar->deleter(scalar);
}
