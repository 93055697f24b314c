// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=contiguous=false | FileCheck %s

// n0 … n5, rank, count, five divisors, flags; pointer, value and six strides of
// the input; pointer and six strides of the output.
// CHECK-NOT: __contiguous
// CHECK-LABEL: llvm.func ptx_kernelcc @negate__strided(
// CHECK-SAME: %arg0: i64, %arg1: i64,
// CHECK-SAME: %[[RANK:arg6]]: i64, %[[COUNT:arg7]]: i64,
// CHECK-SAME: %[[FLAGS:arg13]]: i64, %arg14: !llvm.ptr<1>, %arg15: i64,
// CHECK-SAME: %arg22: !llvm.ptr<1>, %arg23: i64,
// CHECK-SAME: %arg28: i64)
// CHECK-SAME: elements = 4 : i64, form = "strided"
// No division; a uniform branch leaves where there are no more dimensions.
// CHECK-NOT: {{div|rem}}
// CHECK: arith.cmpi ule, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: cf.cond_br
// CHECK-NOT: {{div|rem}}
// Four elements are read before the first is written.
// CHECK-COUNT-4: llvm.load
// CHECK-COUNT-4: llvm.call @negate__body
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: llvm.store
loop.kernel @negate kind(ufunc) (%a: i16) -> (i16)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %c = arith.subi %zero, %a : i16
  loop.return %c : i16
}
