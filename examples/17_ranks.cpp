//===- 17_ranks.cpp - one picture by several processes --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Mandelbrot set, computed by the processes of an MPI program, its ranks,
// on one machine or several. Each rank computes its rows on a GPU of its own,
// or on the CPU, and rank 0 gathers them.
//
//     mpicxx -std=c++20 -O2 17_ranks.cpp -o ranks -I $K/include -L $K/lib
//     -lkern
//         -Wl,-rpath,$K/lib
//     mpirun -n 4 ./ranks FOLDER [ROWS [COLUMNS]]
//
// K is the package's folder, FOLDER the one with 08_mandelbrot.kern. Rank 0
// also computes the picture alone, and compares: exit status 1 if a point
// differs. `KERN_DEVICE=cpu` keeps all ranks on the CPU.
//
//===----------------------------------------------------------------------===//
#include <kern/kern.hpp>

// The interface of MPI is C's.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <numeric>
#include <string>

namespace {
/// The GPUs of a machine are shared out among its ranks, by their numbers
/// there. Called by all ranks together.
kern::Device deviceOfThisRank() {
  const char *asked = std::getenv("KERN_DEVICE");
  if (asked && *asked)
    return kern::defaultDevice();
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &machine);
  int rank = 0;
  MPI_Comm_rank(machine, &rank);
  MPI_Comm_free(&machine);
  const int gpus = kern_cuda_device_count();
  return gpus ? kern::cuda(rank % gpus) : kern::cpu();
}

std::vector<float> between(float first, float last, int count) {
  std::vector<float> out(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    out[size_t(i)] = first + (last - first) * float(i) / float(count);
  return out;
}

/// Which rows each rank has.
struct Rows {
  std::vector<int> counts, begins;
  Rows(int rows, int ranks) : counts(size_t(ranks)), begins(size_t(ranks)) {
    for (int i = 0; i < ranks; ++i)
      counts[size_t(i)] = rows / ranks + (i < rows % ranks);
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  }
};

int run(const std::string &folder, int rows, int columns) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  kern::Function escapeTime =
      kern::Module::compileFile(folder + "/08_mandelbrot.kern")["escape_time"];
  const kern::Scalar<int32_t> limit = kern::scalar<int32_t>(200);
  const std::vector<float> real = between(-2.0f, 0.6f, columns),
                           imaginary = between(-1.3f, 1.3f, rows);

  const kern::Device device = deviceOfThisRank();
  const Rows all(rows, ranks);
  const auto first = size_t(all.begins[size_t(rank)]);
  const int count = all.counts[size_t(rank)];
  const std::span<const float> mine(imaginary.data() + first, size_t(count));
  std::vector<float> part(size_t(count) * size_t(columns));
  escapeTime(real, kern::view(mine, {count, 1}), limit)
      .on(device)
      .into(kern::view(part, {count, columns}));

  // A row is one element for MPI, so that large pictures fit its counts.
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(columns, MPI_FLOAT, &row);
  MPI_Type_commit(&row);
  std::vector<float> picture(rank ? 0 : size_t(rows) * size_t(columns));
  MPI_Gatherv(part.data(), count, row, picture.data(), all.counts.data(),
              all.begins.data(), row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
  if (rank)
    return 0;
  std::vector<float> alone(picture.size());
  escapeTime(real, kern::view(imaginary, {rows, 1}), limit)
      .on(device)
      .into(kern::view(alone, {rows, columns}));
  const auto inside = std::ranges::count(picture, 200.0f);
  const bool isSame = picture == alone;
  std::printf("%d rows by %d ranks: %lld points of the set, %s\n", rows, ranks,
              static_cast<long long>(inside),
              isSame ? "as computed alone" : "not as computed alone");
  return isSame ? 0 : 1;
}
} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  if (argc < 2) {
    std::fprintf(stderr, "usage: ranks FOLDER [ROWS [COLUMNS]]\n");
    status = 64;
  } else {
    try {
      status = run(argv[1], argc > 2 ? std::atoi(argv[2]) : 600,
                   argc > 3 ? std::atoi(argv[3]) : 800);
    } catch (const kern::Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return status;
}
