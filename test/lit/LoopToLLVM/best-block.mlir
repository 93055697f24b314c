// RUN: %kern-opt %s --loop-distribute=sequential=true | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm arch=x86-64-v3})" | FileCheck %s --check-prefix=LLVM

// The extrema of blocks of 64 iterations, or of 512, come first: those of
// integers with the order of the floats.
// CHECK-LABEL: loop.kernel @largest
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK: %[[SIZE:.*]] = arith.select %[[FEW]], %c64_i64, %c512_i64
// CHECK: cf.br ^[[BLOCKS:.*]](%{{.*}}, %c-1_i64{{.*}}, %{{.*}} : i64, i64, i32)
// CHECK: ^[[BLOCKS]](%[[FIRST:.*]]: i64, %[[BEST:.*]]: i64, %[[VALUE:.*]]: i32):
// CHECK: ^[[EACH:.*]](%{{.*}}: i64, %[[MOST:.*]]: i32):
// CHECK: %[[ISNAN:.*]] = arith.cmpf uno
// CHECK: %[[KEY:.*]] = arith.select %[[ISNAN]], %c2147483647_i32
// CHECK: arith.maxsi %[[MOST]], %[[KEY]]
// CHECK: cf.br ^[[EACH]]({{.*}}) {loop.vector = false}
// CHECK: arith.select %{{.*}}, %[[FIRST]], %[[BEST]]
// CHECK: cf.br ^[[BLOCKS]]
// Then one block is searched for the first of these, in vectors too.
// CHECK: arith.addi %[[BEST]], %[[SIZE]]
// CHECK: arith.minsi %{{.*}}, %{{.*}} : i32
// CHECK: cf.br {{.*}} {loop.vector = false}
// CHECK-NOT: loop.vector
// CHECK: loop.return

// LLVM-LABEL: define void @largest__general(
// LLVM: call <16 x i32> @llvm.smax.v16i32(
// LLVM: call {{.*}}<16 x i32> @llvm.smin.v16i32(
// LLVM: ret void
loop.kernel @largest kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : i64
}

// A product might be fused with the sum in one loop alone, so the block is
// searched in order.
// CHECK-LABEL: loop.kernel @of_products
// CHECK: loop.vector
// CHECK-NOT: loop.vector
// CHECK: loop.return
loop.kernel @of_products kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmin (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = arith.mulf %x, %x : f32
    %z = arith.addf %y, %x : f32
    loop.yield %z : f32
  }
  loop.return %s : i64
}

// A call would be repeated, so there is one loop.
// CHECK-LABEL: loop.kernel @of_calls
// CHECK-NOT: loop.vector
// CHECK: loop.return
func.func private @kern.exp.f32(f32) -> f32
loop.kernel @of_calls kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = func.call @kern.exp.f32(%x) : (f32) -> f32
    loop.yield %y : f32
  }
  loop.return %s : i64
}
