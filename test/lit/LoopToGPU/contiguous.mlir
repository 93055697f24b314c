// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=strided=false | FileCheck %s

// Parameters n, flags, (pointer, value) of each input, pointer of the output.
// CHECK-LABEL: llvm.func ptx_kernelcc @scale__contiguous(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64, %[[FLAGS:[a-z0-9]+]]: i64,
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr<1>, %[[AV:[a-z0-9]+]]: i64,
// CHECK-SAME: %[[B:[a-z0-9]+]]: !llvm.ptr<1>, %[[BV:[a-z0-9]+]]: i64,
// CHECK-SAME: %[[Y:[a-z0-9]+]]: !llvm.ptr<1>)
// CHECK-SAME: loop.entry = {alignment = 16 : i64, block = 256 : i64, disjoint = false, elements = 2 : i64, form = "contiguous", kernel = "scale"
// CHECK-SAME: passthrough = {{\[\[}}"nvvm.maxntid", "256"]]
// The widest operand gets 16 bytes, the others their share.
// CHECK-DAG: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xi8>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<2xf64>
// CHECK-COUNT-2: llvm.call @scale__body
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<2xf64>
// Then one element for each of the first threads of the last block.
// CHECK: llvm.call @scale__body
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : f64
// CHECK-NOT: @scale__strided
loop.kernel @scale kind(ufunc) (%a: i1, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f64
  %c = arith.select %a, %b, %zero : f64
  loop.return %c : f64
}

// Without inputs each thread writes two chunks.
// CHECK-LABEL: llvm.func ptx_kernelcc @one__contiguous
// CHECK-SAME: elements = 8 : i64
// CHECK-COUNT-8: llvm.call @one__body
// CHECK-COUNT-2: llvm.store {{.*}} vector<4xi32>
loop.kernel @one kind(ufunc) () -> (i32)
    attributes {num_inputs = 0 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %one = arith.constant 1 : i32
  loop.return %one : i32
}
