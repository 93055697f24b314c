// RUN: %kern-opt %s --loop-distribute --loop-to-gpu="contiguous=false strided=false inner=true disjoint=true" | FileCheck %s

// n0 … n5, rank, rows, last, tiles, five divisors, flags; pointer, value and six
// strides of the input; pointer and six strides of the output.
// CHECK-LABEL: llvm.func ptx_kernelcc @negate__inner(
// CHECK-SAME: %arg15: i64, %arg16: !llvm.ptr<1>, %arg17: i64,
// CHECK-SAME: %arg24: !llvm.ptr<1>, %arg25: i64,
// CHECK-SAME: %arg30: i64)
// CHECK-SAME: elements = 8 : i64, form = "inner"
// CHECK-SAME: rows = 2 : i64
// CHECK-NOT: {{div|rem}}
// Eight elements in each of two rows.
// CHECK-COUNT-16: llvm.call @negate__body
// They come from one element for all, a vector forwards, one backwards, or from
// eight places.
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xi16>
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK-NOT: llvm.load
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xi16>
// CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 2 : i64} : i16
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xi16>
// Partial chunks in a loop that stays one.
// CHECK: llvm.br {{.*}}loop_annotation
// CHECK: llvm.call @negate__body
// CHECK-NOT: llvm.call
// CHECK-LABEL: llvm.func ptx_kernelcc @negate__inner_disjoint(
// CHECK-SAME: %arg16: !llvm.ptr<1> {llvm.noalias, llvm.readonly}
// CHECK-SAME: %arg24: !llvm.ptr<1> {llvm.noalias}
// CHECK-SAME: disjoint = true
loop.kernel @negate kind(ufunc) (%a: i16) -> (i16)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %c = arith.subi %zero, %a : i16
  loop.return %c : i16
}
