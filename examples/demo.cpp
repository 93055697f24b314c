//===- demo.cpp - all examples on real input ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: kern_demo EXAMPLES OUTPUT
//
// Compiles the examples, runs each on the first GPU or the CPU, checks the
// numbers against plain C++ in double, and says by which kernel and how fast.
// Writes OUTPUT/mandelbrot.png. Exit status 1 if a number is wrong.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Png.h"

#include <numbers>
#include <random>

namespace {

constexpr double pi = std::numbers::pi;

class Demonstration {
public:
  Demonstration(std::string examples, std::string output)
      : examples(std::move(examples)), output(std::move(output)),
        device(kern::devices().front()), onGpu(device.device_type == kDLCUDA),
        log2(onGpu ? 26 : 22), n(int64_t(1) << log2) {}

  int run();

private:
  kern::Function function(const std::string &file, const char *name) const {
    return kern::Module::compileFile(examples + "/" + file + ".kern")[name];
  }
  /// `count` random numbers in [low, high), kept on the host for checking and
  /// copied to the device.
  struct Input {
    std::vector<float> here;
    kern::Array there;
  };
  Input random(float low, float high) {
    Input input;
    input.here.resize(size_t(n));
    // A fast generator: there are many numbers to make.
    for (float &x : input.here) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = low + (high - low) * float(state >> 40) * 0x1p-24f;
    }
    input.there = kern::Array(input.here, device);
    return input;
  }
  std::string size(const char *type) const {
    return "2^" + std::to_string(log2) + " " + type;
  }
  void show(const Work &work);
  void elementwise();
  void pulses();
  void hiddenLayer();
  void coreDimensions();
  void mandelbrot();

  std::string examples, output;
  kern::Device device;
  bool onGpu;
  int log2;
  int64_t n;
  uint64_t state = std::random_device{}();
  double copy = 0; ///< GB/s
  int wrong = 0;
};

void Demonstration::show(const Work &work) {
  kern::Report report = {};
  double seconds = secondsOf(device, [&] { work.run(report); });
  double error = work.error();
  double rate = 1e-9 * work.bytes / seconds;
  wrong += !(error <= 1);
  std::printf("%-17s %-16s %9.4f ms %8.1f GB/s  %5.2f of a copy  %s\n",
              work.name.c_str(), work.input.c_str(), 1e3 * seconds, rate,
              rate / copy, error <= 1 ? "right" : "WRONG");
  std::printf("    %s, %s, %u × %u threads", report.kernel, report.form,
              report.grid, report.block);
  if (report.group > 1)
    std::printf(", %u for each element", report.group);
  std::printf("\n");
}

void Demonstration::elementwise() {
  Input a = random(0.25f, 1.25f), b = random(0.25f, 1.25f);
  Input c = random(0.25f, 1.25f), d = random(0.25f, 1.25f);
  kern::Array out = kern::Array::empty<float>({n}, device);
  auto pick = [](const Input &input) {
    return [&input](int64_t i) { return double(input.here[size_t(i)]); };
  };
  auto A = pick(a), B = pick(b), C = pick(c), D = pick(d);

  kern::Function add = function("01_add", "add");
  show({"add", size("f32"), 12.0 * double(n),
        [&](kern::Report &r) { add(a.there, b.there).report(r).into(out); },
        [&] {
          return largestError<float>(out, 1e-7,
                                     [&](int64_t i) { return A(i) + B(i); });
        }});
  kern::Function hypotenuse = function("02_hypot", "hypotenuse");
  show({"hypotenuse", size("f32"), 12.0 * double(n),
        [&](kern::Report &r) {
          hypotenuse(a.there, b.there).report(r).into(out);
        },
        [&] {
          return largestError<float>(
              out, 2e-7, [&](int64_t i) { return std::hypot(A(i), B(i)); });
        }});
  kern::Function gaussian = function("03_gaussian_pdf", "gaussian_pdf");
  show({"gaussian_pdf", size("f32"), 8.0 * double(n),
        [&](kern::Report &r) { gaussian(a.there, 0.5, 2).report(r).into(out); },
        [&] {
          return largestError<float>(out, 1e-6, [&](int64_t i) {
            double z = (A(i) - 0.5) / 2;
            return std::exp(-0.5 * z * z) / (2 * std::sqrt(2 * pi));
          });
        }});
  kern::Function polar = function("04_polar_distance", "polar_distance");
  show({"polar_distance", size("f32"), 20.0 * double(n),
        [&](kern::Report &r) {
          polar(a.there, b.there, c.there, d.there).report(r).into(out);
        },
        [&] {
          return largestError<float>(out, 1e-6, [&](int64_t i) {
            return std::hypot(A(i) * std::cos(B(i)) - C(i) * std::cos(D(i)),
                              A(i) * std::sin(B(i)) - C(i) * std::sin(D(i)));
          });
        }});

  // A detector's samples: noise of ±60, and pulses of about 900.
  std::vector<int16_t> train(static_cast<size_t>(n));
  for (size_t i = 0; i < train.size(); ++i)
    train[i] = int16_t(120 * (a.here[i] - 0.75f) + (i % 500 < 20 ? 900 : 0));
  kern::Array signal(train, device);
  kern::Array clean = kern::Array::empty<int16_t>({n}, device);
  kern::Function suppress = function("05_zero_suppress", "zero_suppress");
  show({"zero_suppress", size("i16"), 4.0 * double(n),
        [&](kern::Report &r) { suppress(signal, 150).report(r).into(clean); },
        [&] {
          return largestError<int16_t>(clean, 1e-9, [&](int64_t i) {
            int16_t value = train[size_t(i)];
            return double(value < 150 ? 0 : value);
          });
        }});
}

void Demonstration::pulses() {
  std::vector<int64_t> numbers(static_cast<size_t>(n));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int64_t(i);
  kern::Array index(numbers, device);
  kern::Function make = function("06_make_pulses", "make_pulses");
  kern::Function add = function("06_make_pulses", "add");
  kern::Array twice;
  // The first call's result goes into the second where it is.
  show({"make_pulses, add", size("i64"), (12.0 + 8.0) * double(n),
        [&](kern::Report &r) {
          kern::Array train = make(index, 1000, 50, kern::scalar<float>(100));
          twice = add(train, train).report(r);
        },
        [&] {
          return largestError<float>(twice, 1e-6, [](int64_t i) {
            int64_t phase = i % 1000;
            return phase < 50 ? 8.0 * double(std::min(phase, 50 - phase)) : 0;
          });
        }});
}

void Demonstration::hiddenLayer() {
  Input grey = random(0, 255), weight = random(-2, 2);
  kern::Array out = kern::Array::empty<float>({n}, device);
  auto error = [&] {
    return largestError<float>(out, 1e-6, [&](int64_t i) {
      return std::tanh(double(grey.here[size_t(i)]) / 255 *
                       weight.here[size_t(i)]);
    });
  };
  kern::Function normalise = function("07_hidden_layer", "normalise");
  kern::Function weigh = function("07_hidden_layer", "weigh");
  kern::Function squash = function("07_hidden_layer", "squash");
  show({"three steps", size("f32"), 28.0 * double(n),
        [&](kern::Report &r) {
          normalise(grey.there).into(out);
          weigh(out, weight.there).into(out);
          squash(out).report(r).into(out);
        },
        error});
  kern::Function layer = function("07_hidden_layer", "hidden_layer");
  show({"hidden_layer", size("f32"), 12.0 * double(n),
        [&](kern::Report &r) {
          layer(grey.there, weight.there).report(r).into(out);
        },
        error});
}

void Demonstration::coreDimensions() {
  Input values = random(-1, 1);
  int64_t k = 256, rows = n / k;
  kern::Array vectors(values.here, {rows, k}, device);
  kern::Array lengths = kern::Array::empty<float>({rows}, device);
  kern::Function norm = function("09_l2_norm", "l2_norm");
  show({"l2_norm", std::to_string(rows) + " of " + std::to_string(k),
        4.0 * double(n + rows),
        [&](kern::Report &r) { norm(vectors).report(r).into(lengths); },
        [&] {
          return largestError<float>(lengths, 1e-6, [&](int64_t row) {
            double sum = 0;
            for (int64_t i = 0; i < k; ++i) {
              double x = values.here[size_t(row * k + i)];
              sum += x * x;
            }
            return std::sqrt(sum);
          });
        }});

  int64_t m = 32, count = n / 16 / (m * m);
  std::vector<float> part(values.here.begin(),
                          values.here.begin() + count * m * m);
  kern::Array a(part, {count, m, m}, device);
  kern::Array b(part, {count, m, m}, device);
  kern::Array c = kern::Array::empty<float>({count, m, m}, device);
  kern::Function matmul = function("10_matmul", "matmul");
  show({"matmul", std::to_string(count) + " of 32×32",
        12.0 * double(count * m * m),
        [&](kern::Report &r) { matmul(a, b).report(r).into(c); },
        [&] {
          return largestError<float>(c, 1e-5, [&](int64_t at) {
            int64_t matrix = at / (m * m), i = at / m % m, j = at % m;
            const float *x = part.data() + matrix * m * m;
            double sum = 0;
            for (int64_t p = 0; p < m; ++p)
              sum += double(x[i * m + p]) * double(x[p * m + j]);
            return sum;
          });
        }});
}

void Demonstration::mandelbrot() {
  constexpr int64_t width = 1536, height = 1024;
  constexpr int32_t limit = 400;
  constexpr double left = -2.25, top = -3.2 / 3, span = 3.2;
  std::vector<double> across(width), down(height);
  for (size_t i = 0; i < across.size(); ++i)
    across[i] = left + span * double(i) / double(width);
  for (size_t i = 0; i < down.size(); ++i)
    down[i] = top + span * double(i) / double(width);
  kern::Array real(across, device);
  kern::Array imaginary(down, {height, 1}, device);
  kern::Array times = kern::Array::empty<double>({height, width}, device);
  kern::Function escape = function("08_mandelbrot", "escape_time");
  auto expected = [&](int64_t at) {
    double cr = across[size_t(at % width)], ci = down[size_t(at / width)];
    double zr = 0, zi = 0;
    for (int32_t step = 0; step < limit; ++step) {
      double r2 = zr * zr, i2 = zi * zi;
      if (r2 + i2 > 256)
        return step + 1 - std::log2(std::log2(r2 + i2) / 8);
      zi = 2 * zr * zi + ci;
      zr = r2 - i2 + cr;
    }
    return double(limit);
  };
  show({"mandelbrot", "1536×1024 f64", 8.0 * double(width * height),
        [&](kern::Report &r) {
          escape(real, imaginary, kern::scalar(limit)).report(r).into(times);
        },
        [&] {
          // Near the border a rounding decides the number of steps: there,
          // one point in a hundred may differ.
          kern::Array here = times.to(kern::cpu());
          int64_t far = 0, looked = 0;
          for (int64_t i = 0; i < width * height; i += 97, ++looked)
            far += std::abs(here.span<double>()[size_t(i)] - expected(i)) > 0.1;
          return double(far) / (0.01 * double(looked));
        }});
  kern::Array here = times.to(kern::cpu());
  std::vector<float> values(here.span<double>().begin(),
                            here.span<double>().end());
  std::string path = output + "/mandelbrot.png";
  if (!writePng(colourEscapeTimes(values, width, height, limit), path)) {
    std::printf("%s cannot be written\n", path.c_str());
    ++wrong;
    return;
  }
  std::printf("    the picture is %s\n", path.c_str());
}

int Demonstration::run() {
  kern_device_info info = kern::describe(device);
  copy = copyBandwidth(device, 4 * n);
  std::printf("Runs on %s", info.name);
  if (onGpu)
    std::printf(" (sm_%d, %d multiprocessors)", info.compute_capability,
                info.multiprocessors);
  else
    std::printf(" (%d cores; no GPU: %s)", info.multiprocessors,
                kern_cuda_unavailable_reason());
  std::printf(", where a copy moves %.1f GB/s.\n", copy);
  std::printf("Each number is checked against plain C++ in double.\n\n");
  elementwise();
  pulses();
  hiddenLayer();
  coreDimensions();
  mandelbrot();
  std::printf("\n%s\n",
              wrong ? "Some numbers are wrong." : "All numbers are right.");
  return wrong ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: kern_demo EXAMPLES OUTPUT\n");
    return 2;
  }
  try {
    return Demonstration(argv[1], argv[2]).run();
  } catch (const kern::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
