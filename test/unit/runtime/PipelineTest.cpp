//===- PipelineTest.cpp - calls over host arrays, piece by piece ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "Variable.h"
#include "kern/trace.hpp"
#include "runtime/device/cuda/Memory.h"
#include "runtime/plan/Pieces.h"

#include <random>

using namespace kern::runtime;
using namespace kern::test;

namespace {
struct PieceBytes : Variable {
  explicit PieceBytes(int64_t bytes)
      : Variable("KERN_PIECE_BYTES", std::to_string(bytes)) {}
};

struct InPieces : GpuCaller {
  std::mt19937 random{7};
  int64_t upTo(int64_t n) { return 1 + int64_t(random() % uint64_t(n)); }

  /// Memory with an array of random strides in it, some of them negative.
  template <typename T> struct Placed {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> memory;
    std::optional<Tensor<T>> tensor;
    kern_value value() { return kern::test::value(tensor->get()); }
  };
  template <typename T> Placed<T> place(Extents shape, bool isWritten = false) {
    std::vector<size_t> axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0u);
    if (random() % 2)
      std::ranges::shuffle(axes, random);
    Extents strides(shape.size());
    int64_t stride = 1, first = 0;
    for (size_t k = axes.size(); k-- > 0;) {
      const size_t axis = axes[k];
      strides[axis] = stride;
      stride *= shape[axis] + int64_t(random() % 4 == 0);
      if (random() % 8 == 0) {
        first += strides[axis] * (shape[axis] - 1);
        strides[axis] = -strides[axis];
      } else if (!isWritten && random() % 8 == 0) {
        strides[axis] = 0;
      }
    }
    Placed<T> out;
    out.memory.reserve(size_t(stride) + 1); // of no elements too
    for (int64_t i = 0; i < stride; ++i)
      out.memory.push_back(T(random() % (std::is_same_v<T, bool> ? 2 : 100)));
    out.tensor.emplace(reinterpret_cast<T *>(out.memory.data() + first), shape,
                       strides);
    return out;
  }
  Extents broadcastOf(Extents shape) {
    for (int64_t &extent : shape)
      if (random() % 4 == 0)
        extent = 1;
    if (random() % 4 == 0)
      shape.erase(shape.begin());
    return shape;
  }
  Extents anyShape(size_t rank, int64_t largest) {
    Extents shape(rank);
    for (int64_t &extent : shape)
      extent = upTo(largest);
    return shape;
  }
  /// How many kernels of functions a call has launched since the last look.
  size_t launched() {
    size_t count = kernelLaunches().size() - seen;
    seen += count;
    return count;
  }

private:
  size_t seen = 0;
};
} // namespace

TEST(Pieces, CoverALoopOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Extents shape(1 + random() % 4);
    std::vector<unsigned> order(shape.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::shuffle(order, random);
    int64_t elements = 1;
    for (int64_t &extent : shape)
      elements *= extent = 1 + int64_t(random() % 9);
    const auto most = int64_t(random() % 200);
    const Pieces pieces(shape, order, most);
    std::vector<int> visits(size_t(elements), 0);
    for (int64_t k = 0; k < pieces.count(); ++k) {
      const Piece piece = pieces[k];
      EXPECT_LE(piece.count(), std::max<int64_t>(most, 1));
      for (int64_t i = 0; i < piece.count(); ++i) {
        int64_t at = 0, rest = i;
        for (size_t d = 0; d < shape.size(); ++d) {
          at = at * shape[d] + piece.first[d] + rest % piece.extents[d];
          rest /= piece.extents[d];
        }
        ++visits[size_t(at)];
      }
    }
    EXPECT_EQ(visits, std::vector<int>(size_t(elements), 1));
    // No needless pieces: the cut dimension is cut as rarely as it can be.
    if (most >= elements)
      EXPECT_EQ(pieces.count(), 1);
  }
}

TEST(Pieces, Bytes) {
  EXPECT_EQ(pieceBytes(1000), 1000);
  EXPECT_EQ(pieceBytes(7 << 20), 7 << 20) << "nothing gained";
  EXPECT_EQ(pieceBytes(int64_t(192) << 20), 12 << 20);
  EXPECT_EQ(pieceBytes(int64_t(1) << 40), 32 << 20);
}

// As on the host, whatever the strides, broadcasts, types and masks.
// A piece is enqueued while the CPU copies for the next one, but where results
// are awaited, while it waits: the double computes nothing before that.
TEST_F(InPieces, AreEnqueuedWhileTheCpuCopies) {
  PieceBytes bytes(800);
  auto a = iota<float>(1000), out = std::vector<float>(1000);
  Tensor<float> x(a.data(), {1000}), y(out.data(), {1000});
  options = onTheGpu();
  struct Event {
    kern_trace_kind kind;
    int64_t begin, end;
  };
  std::vector<Event> events;
  {
    kern::Trace trace([&](const kern::TraceEvent &event) {
      events.push_back({event.kind, event.begin, event.end});
    });
    ASSERT_EQ(call("add", {value(x.get()), weak(1)}, {y.get()}), KERN_OK);
  }
  EXPECT_EQ(out, iota<float>(1000, 1));
  int launches = 0, within = 0;
  for (const Event &launch : events)
    if (launch.kind == KERN_TRACE_LAUNCH) {
      ++launches;
      within += std::ranges::any_of(events, [&](const Event &copy) {
        return copy.kind == KERN_TRACE_TRANSFER && copy.begin <= launch.begin &&
               launch.end <= copy.end;
      });
    }
  EXPECT_EQ(launches, 10);
  EXPECT_EQ(within, 2) << "those before the first results";
}

TEST_F(InPieces, Elementwise) {
  size_t cut = 0;
  for (int round = 0; round < 400; ++round) {
    PieceBytes bytes(upTo(400));
    const Extents shape = anyShape(1 + random() % 4, 7);
    auto x = place<float>(broadcastOf(shape)), y = place<float>(shape);
    auto small = place<int16_t>(broadcastOf(shape));
    auto mask = place<bool>(broadcastOf(shape));
    auto out = place<float>(shape, true);
    const bool isNew = random() % 2, isMasked = random() % 3 == 0;
    auto run = [&](const kern_call_request &where) {
      options = where;
      if (isMasked)
        options->where = mask.tensor->get();
      std::vector<const DLTensor *> outputs;
      if (!isNew)
        outputs.push_back(out.tensor->get());
      EXPECT_EQ(call("add", {round % 3 ? x.value() : small.value(), y.value()},
                     outputs),
                KERN_OK)
          << kern_last_error();
      return isNew ? valuesOf<float>(result()) : out.memory;
    };
    const auto before = out.memory;
    const auto expected = run(onTheHost());
    std::ranges::copy(before, out.memory.begin());
    launched();
    ASSERT_EQ(run(onTheGpu()), expected) << round;
    cut += launched() > 1;
  }
  EXPECT_GT(cut, 200u);
}

TEST_F(InPieces, Rows) {
  for (int round = 0; round < 100; ++round) {
    PieceBytes bytes(upTo(2000));
    const Extents loop = anyShape(1 + random() % 3, 6);
    Extents shape = broadcastOf(loop);
    shape.push_back(upTo(6) - 1);
    auto rows = place<double>(shape);
    auto run = [&](const kern_call_request &where) {
      options = where;
      EXPECT_EQ(call("total", {rows.value()}), KERN_OK) << kern_last_error();
      return valuesOf<double>(result());
    };
    ASSERT_EQ(run(onTheGpu()), run(onTheHost())) << round;
  }
}

// Exactly in place, piece by piece; an array moved by an element is a copy.
TEST_F(InPieces, OverlappingArrays) {
  PieceBytes bytes(64);
  auto values = iota<float>(1001);
  Tensor<float> x(values.data(), {1000}), later(values.data() + 1, {1000});
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}, {x.get()}), KERN_OK);
  EXPECT_GT(launched(), 10u);
  EXPECT_EQ(values, [] {
    auto expected = iota<float>(1001, 1);
    expected.back() = 1000;
    return expected;
  }());
  ASSERT_EQ(call("add", {value(x.get()), weak(0)}, {later.get()}), KERN_OK);
  EXPECT_EQ(launched(), 1u);
  EXPECT_EQ(std::vector(values.begin() + 1, values.end()),
            iota<float>(1000, 1));
}

// The rows of `v` are the columns of the result: a piece would write what later
// ones read, though both are one array.
TEST_F(InPieces, OneArrayOfDifferentCoreDimensions) {
  PieceBytes bytes(64);
  std::vector<double> values = iota<double>(64);
  Tensor<double> v(values.data(), {8, 8}, {1, 8});
  ASSERT_EQ(call("total", {value(v.get())}, {v.get()}), KERN_OK)
      << kern_last_error();
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) // v[j, k] is j + 8 k
      EXPECT_EQ(values[size_t(i + 8 * j)], 8 * j + 8 * 28) << i << ", " << j;
}

// Another thread may be capturing a graph.
TEST_F(InPieces, DisturbsNoCapture) {
  std::vector<float> a = iota<float>(1000);
  Tensor<float> x(a.data(), {1000});
  gpu.captured = &a;
  for (int64_t bytes : {512, 100000}) {
    PieceBytes piece(bytes);
    ASSERT_EQ(call("add", {value(x.get()), weakFloat(1)}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(valuesOf<float>(result()), iota<float>(1000, 1));
  }
  EXPECT_EQ(gpu.captureMode, CU_STREAM_CAPTURE_MODE_GLOBAL) << "as before";
}

TEST_F(InPieces, RowsWithoutElements) {
  PieceBytes bytes(64);
  double nothing = 0;
  Tensor<double> rows(&nothing, {100, 0});
  ASSERT_EQ(call("total", {value(rows.get())}), KERN_OK) << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()), std::vector<double>(100, 0));
  EXPECT_GT(launched(), 3u);
}

// Page-locked arrays are moved from and to where they are.
TEST_F(InPieces, PinnedArrays) {
  PieceBytes bytes(512);
  auto context = cuda::Platform::current()->context(0);
  ASSERT_TRUE(context);
  auto memory = cuda::PinnedMemory::allocate(**context, 3 * 4000);
  ASSERT_TRUE(memory);
  auto *x = reinterpret_cast<float *>(memory->data());
  std::iota(x, x + 1000, 0.0f);
  std::iota(x + 1000, x + 2000, 5.0f);
  Tensor<float> a(x, {1000}), b(x + 1000, {1000}), out(x + 2000, {1000});
  ASSERT_EQ(call("add", {value(a.get()), value(b.get())}, {out.get()}),
            KERN_OK);
  EXPECT_GT(launched(), 10u);
  EXPECT_EQ(gpu.calls["cuMemHostAlloc"], 1) << "nothing is staged";
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(x[2000 + i], float(2 * i + 5));
  // Two of three; every second element is not.
  Tensor<float> every(x, {500}, {2});
  ASSERT_EQ(call("add", {value(every.get()), value(every.get())}), KERN_OK);
  EXPECT_GT(gpu.calls["cuMemHostAlloc"], 1);
  EXPECT_EQ(valuesOf<float>(result())[100], 400);
}

// kern_array_new() makes them, and large ones are copied without staging.
TEST_F(InPieces, NewPinnedArrays) {
  const int64_t count = 2 << 20;
  DLManagedTensor *made = nullptr;
  ASSERT_EQ(kern_array_new(KERN_F32, 1, &count, {kDLCUDAHost, 0}, &made),
            KERN_OK)
      << kern_last_error();
  ManagedArray array(made);
  EXPECT_EQ(int(array->dl_tensor.device.device_type), kDLCUDAHost);
  EXPECT_EQ(gpu.pinned.size(), 1u);
  auto *data = static_cast<float *>(array->dl_tensor.data);
  std::iota(data, data + count, 0.0f);
  ManagedArray there = onDevice(&array->dl_tensor);
  std::fill(data, data + count, 0.0f);
  ASSERT_EQ(kern_array_assign(&array->dl_tensor, &there->dl_tensor), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(data[count - 1], float(count - 1));
  EXPECT_EQ(gpu.calls["cuMemcpyHtoDAsync"], 1) << "in one piece";
  EXPECT_EQ(gpu.calls["cuMemcpyDtoHAsync"], 1);
  array.reset();
  EXPECT_EQ(gpu.pinned.size(), 1u) << "kept for the next one";
  EXPECT_EQ(kern_array_new(KERN_F32, 1, &count, {kDLCUDAHost, 5}, &made),
            KERN_ERROR_NOT_FOUND)
      << "no such GPU";
}

TEST_F(InPieces, ResultsTooLarge) {
  options->shape_ndim = 2;
  const int64_t shape[] = {int64_t(1) << 31, int64_t(1) << 31};
  options->shape = shape;
  EXPECT_EQ(call("add", {weakFloat(1), weak(1)}), KERN_ERROR_MEMORY);
  EXPECT_NE(std::string(kern_last_error()).find("too large"), std::string::npos)
      << kern_last_error();
}

TEST_F(InPieces, SmallerPiecesWhereMemoryIsShort) {
  PieceBytes bytes(100000);
  gpu.options.memory = 20000;
  auto a = iota<float>(50000);
  Tensor<float> x(a.data(), {50000});
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<float>(result()), iota<float>(50000, 1));
  EXPECT_GT(launched(), 80u);
  // A row that all pieces read, and that does not fit, goes with the pieces.
  Tensor<float> row(a.data(), {10000}), rows(a.data(), {5, 10000});
  ASSERT_EQ(call("add", {value(rows.get()), value(row.get())}), KERN_OK)
      << kern_last_error();
  std::vector<float> expected;
  for (int i = 0; i < 50000; ++i)
    expected.push_back(float(i + i % 10000));
  EXPECT_EQ(valuesOf<float>(result()), expected);
}

// Rows of which the device has memory for one; none passes through page-locked
// memory as a whole.
TEST_F(InPieces, LargeRowsGoInTurn) {
  PieceBytes bytes(64);
  std::vector<double> a = iota<double>(40000);
  Tensor<double> rows(a.data(), {4, 10000}),
      lengthwise(a.data(), {4, 10000}, {1, 4});
  std::vector<double> sums, strided;
  for (int i = 0; i < 4; ++i) {
    sums.push_back(10000.0 * 10000 * i + 9999 * 5000.0);
    strided.push_back(10000.0 * i + 4 * 9999 * 5000.0);
  }
  // One that does not fit is refused, with the numbers.
  gpu.options.memory = 50000;
  EXPECT_EQ(call("total", {value(rows.get())}), KERN_ERROR_MEMORY);
  EXPECT_NE(std::string(kern_last_error()).find("78.1 KiB on cuda:0"),
            std::string::npos)
      << kern_last_error();
  gpu.options.memory = 150000; // blocks are of powers of two
  ASSERT_EQ(call("total", {value(rows.get())}), KERN_OK) << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()), sums);
  EXPECT_EQ(launched(), 4u);
  ASSERT_EQ(call("total", {value(lengthwise.get())}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()), strided);
}

TEST_F(InPieces, LargeRowsPassThroughChunks) {
  const int64_t count = (int64_t(129) << 20) / 8;
  std::vector<double> a(size_t(2 * count), 0.5);
  Tensor<double> rows(a.data(), {2, count});
  ASSERT_EQ(call("total", {value(rows.get())}), KERN_OK) << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()),
            std::vector<double>(2, double(count) / 2));
  EXPECT_EQ(launched(), 2u) << "one after the other";
  size_t pinned = 0;
  for (const auto &[address, memory] : gpu.pinned)
    pinned += memory.size();
  EXPECT_LE(pinned, size_t(16) << 20);
}

TEST_F(InPieces, ExplainsItself) {
  PieceBytes bytes(1024);
  auto a = iota<float>(1000);
  Tensor<float> x(a.data(), {1000});
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
  EXPECT_NE(std::string(text).find(
                "8 pieces of 125 loop elements, brought to cuda:0 and back"),
            std::string::npos)
      << text;
  EXPECT_EQ(report.elements, 1000);
}
