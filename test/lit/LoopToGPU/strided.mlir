// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=contiguous=false | FileCheck %s

// n0 … n5, rows, tiles, flags; pointer, value and six strides of the input;
// pointer and six strides of the output.
// CHECK-NOT: __contiguous
// CHECK-LABEL: llvm.func @negate__strided(
// CHECK-SAME: %[[N0:arg0]]: i64, %[[N1:arg1]]: i64,
// CHECK-SAME: %arg6: i64, %[[TILES:arg7]]: i64, %arg8: i64, %arg9: !llvm.ptr<1>, %arg10: i64,
// CHECK-SAME: %arg17: !llvm.ptr<1>, %arg18: i64,
// CHECK-SAME: %arg23: i64)
// CHECK-SAME: form = "strided"
// CHECK: %[[TILE:.*]] = arith.remui %{{.*}}, %[[TILES]] : i64
// CHECK: arith.divui %{{.*}}, %[[TILES]] : i64
// A uniform branch where the inner rank is all there is.
// CHECK: cf.cond_br
// CHECK: arith.remui %{{.*}}, %[[N1]] : i64
// CHECK: llvm.call @negate__body
// CHECK-NEXT: llvm.store
loop.kernel @negate kind(ufunc) (%a: i16) -> (i16)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %c = arith.subi %zero, %a : i16
  loop.return %c : i16
}
