//===- overhead.cpp - what a call costs beyond its launch -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Microseconds of calls on one element: cuLaunchKernel itself, a launch that
// may begin before its turn (as Kern's from sm_90 on), kern_call() with and
// without arrays for its results, prepared calls, and the same through
// kern.hpp; then the same while several streams are in use, with a chain of ten
// calls, and the same as a graph. Batches of all rows take turns; a row's
// figure is the median of its batches, its difference the median of the
// differences to the first row of its table within one batch.
//
//     overhead [BATCHES [CALLS]]
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;

struct Row {
  std::string name;
  std::function<void()> call;
  std::vector<double> times = {}; ///< µs, one for each batch
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const char *title, std::vector<Row> rows, int batches, int calls,
             const std::function<void()> &settle) {
  auto batch = [&](Row &row, int count) {
    settle();
    Clock::time_point begin = Clock::now();
    for (int i = 0; i < count; ++i)
      row.call();
    double taken =
        std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    settle();
    return taken / count;
  };
  for (Row &row : rows)
    batch(row, calls / 4);
  for (int k = 0; k < batches; ++k)
    for (size_t i = 0; i < rows.size(); ++i) {
      Row &row = rows[(i + size_t(k)) % rows.size()];
      row.times.push_back(batch(row, calls));
    }
  std::printf("%-44s %10s %10s\n", title, "us", "beyond");
  for (const Row &row : rows) {
    std::vector<double> beyond;
    for (int k = 0; k < batches; ++k)
      beyond.push_back(row.times[size_t(k)] - rows.front().times[size_t(k)]);
    std::printf("%-44s %10.3f %10.3f\n", row.name.c_str(), median(row.times),
                median(beyond));
  }
}

const char *source = "ufunc add(a: T, b: T) -> T where T in (f32, f64):\n"
                     "    return a + b\n";

kern_value arrayValue(const kern::Array &array) {
  kern_value value = {KERN_VALUE_ARRAY, KERN_F32, {}};
  value.as.array = array.get();
  return value;
}

/// All ways of one call, on arrays of `count` elements on one device.
std::vector<Row> callsOf(const kern::Module &module, kern_function *add,
                         kern::Device device, int64_t count) {
  using Arrays = std::array<kern::Array, 3>;
  auto arrays = std::make_shared<Arrays>();
  for (kern::Array &array : *arrays)
    array = kern::Array(std::vector<float>(size_t(count), 1), device);
  kern::Array &a = (*arrays)[0], &b = (*arrays)[1], &out = (*arrays)[2];
  auto check = [](kern_status status) {
    if (status == KERN_OK)
      return;
    std::fprintf(stderr, "%s\n", kern_last_error());
    std::exit(1);
  };
  kern_call_options options = {};
  options.size = sizeof options;
  options.has_device = 1;
  options.device = device;
  auto values = [arrays] {
    return std::array{arrayValue((*arrays)[0]), arrayValue((*arrays)[1])};
  };
  auto withNumber = [arrays] {
    kern_value number = {KERN_VALUE_WEAK_FLOAT, KERN_F32, {}};
    number.as.real = 0.5;
    return std::array{arrayValue((*arrays)[0]), number};
  };
  auto plain = [=](auto inputs) {
    return [=] {
      const DLTensor *place = (*arrays)[2].get();
      check(kern_call(add, inputs.data(), 2, &place, nullptr, 1, &options,
                      nullptr));
    };
  };
  auto making = [=, inputs = values()] {
    DLManagedTensor *made = nullptr;
    check(
        kern_call(add, inputs.data(), 2, nullptr, &made, 1, &options, nullptr));
    made->deleter(made);
  };
  kern_prepared *frozen = nullptr;
  auto inputs = values();
  const DLTensor *place = out.get();
  check(kern_prepare(add, inputs.data(), 2, &place, 1, &options, &frozen));
  std::shared_ptr<kern_prepared> prepared(frozen, kern_prepared_release);
  std::array<const void *, 2> from = {a.data<float>(), b.data<float>()};
  std::array<void *, 1> to = {out.data<float>()};
  kern::Function function = module["add"];
  return {
      {"kern_call, out", plain(values())},
      {"kern_call, out, a number", plain(withNumber())},
      {"kern_call, new result", making},
      {"kern_prepared_launch",
       [=] {
         check(kern_prepared_launch(prepared.get(), from.data(), from.size(),
                                    to.data(), to.size(), nullptr));
       }},
      {"kern.hpp, into(out)",
       [=] {
         function((*arrays)[0], (*arrays)[1]).on(device).into((*arrays)[2]);
       }},
      {"kern.hpp, new result",
       [=] {
         kern::Array made = function((*arrays)[0], (*arrays)[1]).on(device);
       }},
  };
}

/// cuda.h's, which need not be there: CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  int id = 6; // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
  char pad[4] = {};
  union {
    char bytes[64];
    int isAllowed;
  } value = {};
};
struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1}, block[3] = {128, 1, 1}, sharedBytes = 0;
  void *stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned count = 0;
};

/// cuLaunchKernel with the arguments prepared, as the driver itself does it; or
/// cuLaunchKernelEx for a kernel that waits itself for the one before it.
class RawLaunch {
public:
  explicit RawLaunch(bool isEarly) : isEarly(isEarly) {
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
      return;
    // The context is kern's: the device's primary one, current by now.
    auto load = reinterpret_cast<int (*)(void **, const void *)>(
        dlsym(driver, "cuModuleLoadData"));
    auto get = reinterpret_cast<int (*)(void **, void *, const char *)>(
        dlsym(driver, "cuModuleGetFunction"));
    launch = reinterpret_cast<Launch>(dlsym(driver, "cuLaunchKernel"));
    launchEarly =
        reinterpret_cast<LaunchEarly>(dlsym(driver, "cuLaunchKernelEx"));
    std::string text = (isEarly ? ".version 7.8\n.target sm_90\n"
                                : ".version 7.0\n.target sm_70\n") +
                       std::string(".address_size 64\n") + head +
                       (isEarly ? "  griddepcontrol.wait;\n" : "") + body;
    void *module = nullptr;
    isReady = (!isEarly || launchEarly) && load(&module, text.c_str()) == 0 &&
              get(&function, module, "add") == 0;
  }
  bool ready() const { return isReady; }
  void operator()(float *a, float *b, float *c) {
    int64_t words[] = {1, 0, word(a), 0, word(b), 0, word(c)};
    size_t size = sizeof words;
    void *extra[] = {reinterpret_cast<void *>(1), words,
                     reinterpret_cast<void *>(2), &size, nullptr};
    if (isEarly
            ? early(extra)
            : launch(function, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra))
      std::abort();
  }

private:
  using Launch = int (*)(void *, unsigned, unsigned, unsigned, unsigned,
                         unsigned, unsigned, unsigned, void *, void **,
                         void **);
  using LaunchEarly = int (*)(const LaunchConfig *, void *, void **, void **);
  int early(void **extra) {
    LaunchAttribute attribute;
    attribute.value.isAllowed = 1;
    LaunchConfig config;
    config.attributes = &attribute;
    config.count = 1;
    return launchEarly(&config, function, nullptr, extra);
  }
  static int64_t word(float *p) {
    return int64_t(reinterpret_cast<uintptr_t>(p));
  }
  static constexpr const char *head =
      ".visible .entry add(.param .u64 n, .param .u64 f, .param .u64 a,\n"
      "  .param .u64 x, .param .u64 b, .param .u64 y, .param .u64 c) {\n"
      "  .reg .pred %p; .reg .b32 %r; .reg .f32 %f<3>; .reg .b64 %d<6>;\n";
  static constexpr const char *body =
      "  ld.param.u64 %d0,[n]; ld.param.u64 %d1,[a]; ld.param.u64 %d2,[b];\n"
      "  ld.param.u64 %d3,[c]; mov.u32 %r,%tid.x; cvt.u64.u32 %d4,%r;\n"
      "  setp.ge.u64 %p,%d4,%d0; @%p bra done; shl.b64 %d5,%d4,2;\n"
      "  add.s64 %d1,%d1,%d5; add.s64 %d2,%d2,%d5; add.s64 %d3,%d3,%d5;\n"
      "  ld.global.f32 %f0,[%d1]; ld.global.f32 %f1,[%d2];\n"
      "  add.f32 %f2,%f0,%f1; st.global.f32 [%d3],%f2;\ndone: ret;\n}\n";

  void *driver = nullptr, *function = nullptr;
  Launch launch = nullptr;
  LaunchEarly launchEarly = nullptr;
  bool isEarly, isReady = false;
};

/// A chain of ten small calls, made one by one and replayed as a graph.
std::vector<Row> chainsOf(const kern::Module &module, kern::Device device) {
  using Arrays = std::array<kern::Array, 2>;
  auto arrays = std::make_shared<Arrays>();
  for (kern::Array &array : *arrays)
    array = kern::Array(std::vector<float>(1000, 1), device);
  auto stream = std::make_shared<kern::Stream>(device);
  kern::Function add = module["add"];
  auto chain = [=] {
    for (int i = 0; i < 10; ++i)
      add((*arrays)[0], (*arrays)[1]).stream(*stream).into((*arrays)[0]);
  };
  chain();
  stream->synchronize();
  auto graph =
      std::make_shared<kern::Graph>(kern::Graph::record(*stream, chain));
  return {{"a chain of ten calls", chain},
          {"the chain as a graph", [=] { graph->launch(*stream); }}};
}

int run(int batches, int calls) {
  kern::Module module = kern::Module::compile(source, "overhead.kern");
  // The C handle of the function, for the rows that use the C interface.
  kern_module *handle = nullptr;
  kern_function *add = nullptr;
  if (kern_compile_source(source, std::string_view(source).size(),
                          "overhead.kern", &handle) != KERN_OK ||
      kern_module_find(handle, "add", &add) != KERN_OK) {
    std::fprintf(stderr, "%s\n", kern_last_error());
    return 1;
  }
  std::unique_ptr<kern_module, void (*)(kern_module *)> owner(
      handle, kern_module_release);

  for (int64_t count : {8, 1000}) {
    std::vector<Row> rows = {
        {"(a loop of C++)", [a = std::vector<float>(size_t(count), 1),
                             c = std::vector<float>(size_t(count))]() mutable {
           for (size_t i = 0; i < a.size(); ++i)
             c[i] = a[i] + a[i];
           __asm__ volatile("" ::"r"(c.data()) : "memory");
         }}};
    for (Row &row : callsOf(module, add, kern::cpu(), count))
      rows.push_back(std::move(row));
    measure(("CPU, " + std::to_string(count) + " elements of f32").c_str(),
            std::move(rows), batches, calls, [] {});
    std::printf("\n");
  }
  if (kern_cuda_device_count() == 0)
    return 0;
  kern::Device gpu = kern::cuda();
  std::vector<Row> ours = callsOf(module, add, gpu, 1);
  ours.front().call(); // leaves the context current
  auto raw = std::make_shared<RawLaunch>(/*isEarly=*/false);
  auto early = std::make_shared<RawLaunch>(/*isEarly=*/true);
  if (!raw->ready()) {
    std::fprintf(stderr, "the driver refuses the raw kernel\n");
    return 1;
  }
  auto a = std::make_shared<kern::Array>(std::vector<float>(1, 1), gpu);
  float *at = a->data<float>();
  std::vector<Row> launches = {
      {"cuLaunchKernel alone", [=] { (*raw)(at, at, at); }}};
  if (early->ready())
    launches.push_back(
        {"an early launch alone", [=] { (*early)(at, at, at); }});
  auto measureBeside = [&](const char *title, const std::vector<Row> &more) {
    std::vector<Row> rows = launches;
    rows.insert(rows.end(), ours.begin(), ours.end());
    rows.insert(rows.end(), more.begin(), more.end());
    measure(title, std::move(rows), batches, calls, [=] {
      kern::synchronize(gpu);
      (void)a;
    });
  };
  measureBeside("GPU, one element of f32", {});
  std::printf("\n");
  // From its first call on a second stream is in use.
  measureBeside("The same, with several streams", chainsOf(module, gpu));
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  int batches = argc > 1 ? int(std::strtol(argv[1], nullptr, 10)) : 21;
  int calls = argc > 2 ? int(std::strtol(argv[2], nullptr, 10)) : 400;
  try {
    return run(std::max(batches, 1), std::max(calls, 4));
  } catch (const kern::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
