//===- 06_make_pulses.cpp - results that stay on the device ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a train of pulses and a train of noise on the first GPU, or the CPU
// where there is none, and adds them there. Only the sample indices go in, and
// only the sum comes out. Then the noise is suppressed again, also there.
//
//===----------------------------------------------------------------------===//

#include <kern/kern.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>

/// What make_pulses is to give at sample `i`, in double.
static double expectedPulse(int64_t i, int64_t period, int64_t width,
                            double height) {
  int64_t phase = i % period;
  if (phase >= width)
    return 0;
  return height * 2 * double(std::min(phase, width - phase)) / double(width);
}

static int run(const std::string &examples) {
  constexpr int64_t samples = 1 << 20, period = 1000, width = 50;
  constexpr float height = 100;
  kern::Device device = kern::devices().front();

  kern::Module module =
      kern::Module::compileFile(examples + "/06_make_pulses.kern");
  kern::Module suppressor =
      kern::Module::compileFile(examples + "/05_zero_suppress.kern");

  std::vector<int64_t> numbers(samples);
  std::iota(numbers.begin(), numbers.end(), 0);
  kern::Array index(numbers, device);

  kern::Array pulses =
      module["make_pulses"](index, period, width, kern::scalar<float>(height));
  kern::Array noise = module["noise"](index, kern::scalar<uint32_t>(2026));
  kern::Array sum = module["add"](pulses, noise);
  kern::Array clean = suppressor["zero_suppress"](sum, 3);

  for (const kern::Array *array : {&pulses, &noise, &sum, &clean})
    if (array->device().device_type != device.device_type) {
      std::printf("a result left the device\n");
      return 1;
    }

  kern::Array pulsesHere = pulses.to(kern::cpu());
  kern::Array noiseHere = noise.to(kern::cpu());
  kern::Array sumHere = sum.to(kern::cpu());
  kern::Array cleanHere = clean.to(kern::cpu());
  int wrong = 0, kept = 0;
  double mean = 0;
  for (int64_t i = 0; i < samples; ++i) {
    float pulse = pulsesHere.span<float>()[i];
    float hiss = noiseHere.span<float>()[i];
    float both = sumHere.span<float>()[i];
    float left = cleanHere.span<float>()[i];
    mean += hiss / double(samples);
    kept += left != 0;
    wrong += std::abs(pulse - expectedPulse(i, period, width, height)) > 1e-4;
    wrong += !(hiss >= -1 && hiss < 1) || both != pulse + hiss;
    wrong += left != (both < 3 ? 0.0f : both);
  }
  wrong += std::abs(mean) > 0.01;

  std::printf("%lld samples on %s: %lld pulses, noise of mean %.4f, %d samples "
              "kept, %d wrong\n",
              static_cast<long long>(samples), kern::describe(device).name,
              static_cast<long long>(samples / period), mean, kept, wrong);
  return wrong != 0;
}

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : KERN_EXAMPLES);
  } catch (const kern::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
