//===- stress.cpp - many threads on many streams --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One million calls from 64 threads, each on 4 streams of its own, on one GPU:
// checks every result, looks whether memory grows, and compares the rate with
// that of plain launches of the same kernel from as many threads on the same
// streams. Exits with 1 for a wrong result, with 2 if memory grows. Needs the
// package alone:
//
//     K=the package's folder
//     g++ -std=c++20 -O2 stress.cpp -o stress -I $K/include -L $K/lib -lkern
//         -Wl,-rpath,$K/lib -ldl -pthread
//     ./stress [CALLS [THREADS [STREAMS]]]
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <thread>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;

const char *source = "ufunc add(a: f32, b: f32) -> f32:\n"
                     "    return a + b\n";
constexpr int64_t length = 64; ///< elements of an array

struct Setting {
  int64_t calls = 1000000;
  int threads = 64, streams = 4;
  int64_t callsOfAThread() const { return calls / threads; }
};

/// Bytes of this process that are in memory.
int64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

/// Runs `body(thread)` in all threads, which begin together; the seconds.
template <typename Body> double together(const Setting &setting, Body body) {
  std::atomic<int> ready = 0;
  std::atomic<bool> go = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < setting.threads; ++i)
    threads.emplace_back([&, i] {
      ++ready;
      while (!go)
        std::this_thread::yield();
      body(i);
    });
  while (ready < setting.threads)
    std::this_thread::yield();
  const Clock::time_point begin = Clock::now();
  go = true;
  for (std::thread &thread : threads)
    thread.join();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A thread's streams and arrays: for each stream a sum that its calls add to.
struct Lane {
  std::vector<kern::Stream> streams;
  std::vector<kern::Array> sums;
  std::vector<float> expected;
};

std::vector<Lane> makeLanes(const Setting &setting) {
  std::vector<Lane> lanes{size_t(setting.threads)};
  for (Lane &lane : lanes)
    for (int k = 0; k < setting.streams; ++k) {
      lane.streams.emplace_back();
      lane.sums.emplace_back(std::vector<float>(size_t(length), 0),
                             kern::cuda());
      lane.expected.push_back(0);
    }
  return lanes;
}

/// Every eighth call makes a new array, which the next one adds, on a stream
/// that may be another: Kern orders the two. The sums stay whole numbers below
/// 2^24.
void callInTurn(const kern::Function &add, const kern::Array &one, Lane &lane,
                int64_t calls) {
  const size_t streams = lane.streams.size();
  for (int64_t i = 0; i < calls; ++i) {
    const size_t k = size_t(i) % streams;
    kern::Array &sum = lane.sums[k];
    if (i % 8 == 0 && i + 1 < calls) {
      kern::Array made = add(one, 1.0f).stream(lane.streams[k]);
      const size_t next = size_t(++i) % streams;
      add(lane.sums[next], made)
          .stream(lane.streams[next])
          .into(lane.sums[next]);
      lane.expected[next] += 2;
      continue;
    }
    add(sum, one).stream(lane.streams[k]).into(sum);
    lane.expected[k] += 1;
  }
  for (const kern::Stream &stream : lane.streams)
    stream.synchronize();
}

int wrongSums(const std::vector<Lane> &lanes) {
  int wrong = 0;
  for (const Lane &lane : lanes)
    for (size_t k = 0; k < lane.sums.size(); ++k) {
      kern::Array host = lane.sums[k].to(kern::cpu());
      for (float value : host.span<float>())
        wrong += value != lane.expected[k];
    }
  return wrong;
}

/// The same calls, each on arrays and a stream alone; what plain launches are
/// compared with.
double rateOfCalls(const Setting &setting, const kern::Prepared &prepared,
                   std::vector<Lane> &lanes, const kern::Array &one) {
  const double seconds = together(setting, [&](int thread) {
    Lane &lane = lanes[size_t(thread)];
    const float *ones = one.data<float>();
    for (int64_t i = 0; i < setting.callsOfAThread(); ++i) {
      const size_t k = size_t(i) % lane.streams.size();
      float *sum = lane.sums[k].data<float>();
      const void *inputs[] = {sum, ones};
      void *outputs[] = {sum};
      prepared.launch(inputs, outputs, lane.streams[k]);
    }
    for (const kern::Stream &stream : lane.streams)
      stream.synchronize();
  });
  return double(setting.calls) / seconds;
}

/// The same by kern_call(), through kern.hpp.
double rateOfPlainCalls(const Setting &setting, const kern::Function &add,
                        std::vector<Lane> &lanes, const kern::Array &one) {
  const double seconds = together(setting, [&](int thread) {
    Lane &lane = lanes[size_t(thread)];
    for (int64_t i = 0; i < setting.callsOfAThread(); ++i) {
      const size_t k = size_t(i) % lane.streams.size();
      add(lane.sums[k], one).stream(lane.streams[k]).into(lane.sums[k]);
    }
    for (const kern::Stream &stream : lane.streams)
      stream.synchronize();
  });
  return double(setting.calls) / seconds;
}

/// cuLaunchKernel of an addition, without Kern, on the first GPU.
class PlainLaunch {
public:
  PlainLaunch() {
    auto retain = find<int (*)(void **, int)>("cuDevicePrimaryCtxRetain");
    auto load = find<int (*)(void **, const void *)>("cuModuleLoadData");
    auto get =
        find<int (*)(void **, void *, const char *)>("cuModuleGetFunction");
    setContext = find<int (*)(void *)>("cuCtxSetCurrent");
    launch = find<Launch>("cuLaunchKernel");
    // Kern's context is this one, and not current in a thread that has only
    // made arrays.
    void *module = nullptr;
    check(retain(&context, 0), "cuDevicePrimaryCtxRetain");
    enterThread();
    check(load(&module, text), "cuModuleLoadData");
    check(get(&function, module, "add"), "cuModuleGetFunction");
  }
  void enterThread() const { check(setContext(context), "cuCtxSetCurrent"); }
  void operator()(float *sum, const float *one, void *stream) const {
    void *parameters[] = {&sum, &one};
    check(launch(function, 1, 1, 1, unsigned(length), 1, 1, 0, stream,
                 parameters, nullptr),
          "cuLaunchKernel");
  }

private:
  static void check(int result, const char *call) {
    if (!result)
      return;
    std::fprintf(stderr, "%s: CUDA error %d\n", call, result);
    std::exit(1);
  }
  template <typename Function> static Function find(const char *name) {
    static void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    return reinterpret_cast<Function>(dlsym(driver, name));
  }
  using Launch = int (*)(void *, unsigned, unsigned, unsigned, unsigned,
                         unsigned, unsigned, unsigned, void *, void **,
                         void **);
  static constexpr const char *text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry add(.param .u64 s, .param .u64 o) {\n"
      "  .reg .b32 %r; .reg .f32 %f<3>; .reg .b64 %d<4>;\n"
      "  ld.param.u64 %d0,[s]; ld.param.u64 %d1,[o]; mov.u32 %r,%tid.x;\n"
      "  mul.wide.u32 %d2,%r,4; add.s64 %d0,%d0,%d2; add.s64 %d1,%d1,%d2;\n"
      "  ld.global.f32 %f0,[%d0]; ld.global.f32 %f1,[%d1];\n"
      "  add.f32 %f2,%f0,%f1; st.global.f32 [%d0],%f2; ret;\n}\n";

  int (*setContext)(void *) = nullptr;
  Launch launch = nullptr;
  void *context = nullptr, *function = nullptr;
};

double rateOfLaunches(const Setting &setting, const PlainLaunch &plain,
                      std::vector<Lane> &lanes, const kern::Array &one) {
  const double seconds = together(setting, [&](int thread) {
    plain.enterThread();
    Lane &lane = lanes[size_t(thread)];
    for (int64_t i = 0; i < setting.callsOfAThread(); ++i) {
      const size_t k = size_t(i) % lane.streams.size();
      plain(lane.sums[k].data<float>(), one.data<float>(),
            lane.streams[k].handle());
    }
    for (const kern::Stream &stream : lane.streams)
      stream.synchronize();
  });
  return double(setting.calls) / seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(const Setting &setting) {
  kern::Function add = kern::Module::compile(source, "stress.kern")["add"];
  const kern::Array one(std::vector<float>(size_t(length), 1), kern::cuda());
  std::vector<Lane> lanes = makeLanes(setting);
  auto play = [&] {
    return together(setting, [&](int thread) {
      callInTurn(add, one, lanes[size_t(thread)], setting.callsOfAThread());
    });
  };
  play(); // so that everything that is kept is there
  const auto before = kern::memoryInfo();
  const int64_t residentBefore = residentBytes();
  const double seconds = play();
  const auto after = kern::memoryInfo();
  const int64_t grown = residentBytes() - residentBefore;
  const int wrong = wrongSums(lanes);
  std::printf("%lld calls, %d threads, %d streams each: %.2f s, %d wrong\n",
              static_cast<long long>(setting.calls), setting.threads,
              setting.streams, seconds, wrong);
  std::printf("memory of the GPU: %.2f MiB in use, then %.2f; kept %.2f, then "
              "%.2f; of the process: %.2f MiB more\n",
              double(before.in_use) / 1048576, double(after.in_use) / 1048576,
              double(before.cached) / 1048576, double(after.cached) / 1048576,
              double(grown) / 1048576);

  const kern::Prepared prepared =
      add(lanes[0].sums[0], one).prepare(lanes[0].sums[0]);
  const PlainLaunch plain;
  std::vector<double> launches, calls, plainCalls;
  for (int i = 0; i < 5; ++i) {
    launches.push_back(rateOfLaunches(setting, plain, lanes, one));
    calls.push_back(rateOfCalls(setting, prepared, lanes, one));
    plainCalls.push_back(rateOfPlainCalls(setting, add, lanes, one));
  }
  std::printf("per second: cuLaunchKernel %.0f, prepared calls %.0f (%.2f), "
              "calls %.0f (%.2f)\n",
              median(launches), median(calls), median(calls) / median(launches),
              median(plainCalls), median(plainCalls) / median(launches));
  constexpr int64_t tolerated = 32 << 20; // of the allocator's arenas
  const bool grows = after.in_use > before.in_use || grown > tolerated;
  return wrong ? 1 : grows ? 2 : 0;
}
} // namespace

int main(int argc, char **argv) {
  Setting setting;
  if (argc > 1)
    setting.calls = std::strtoll(argv[1], nullptr, 10);
  if (argc > 2)
    setting.threads = int(std::strtol(argv[2], nullptr, 10));
  if (argc > 3)
    setting.streams = int(std::strtol(argv[3], nullptr, 10));
  if (setting.threads < 1 || setting.streams < 1 ||
      setting.callsOfAThread() < 1) {
    std::fprintf(stderr, "usage: stress [CALLS [THREADS [STREAMS]]]\n");
    return 64;
  }
  try {
    return run(setting);
  } catch (const kern::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
