// Reductions and parallel loops in gufuncs are vector loops as well, at unit
// strides and at others, and with what is left over in the same vectors, masked.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s

// CHECK-LABEL: define void @total__general(
// No code for a stride of one byte, which would group sums differently.
// CHECK-NOT: ident.check
// CHECK: call <16 x float> @llvm.masked.gather.v16f32
// CHECK: fadd reassoc contract <16 x float>
// CHECK-NOT: fadd {{.*}}float %
// CHECK: call reassoc float @llvm.vector.reduce.fadd.v16f32(
// CHECK: call <16 x float> @llvm.masked.load.v16f32
// CHECK: fadd reassoc contract <16 x float>
// CHECK: call reassoc float @llvm.vector.reduce.fadd.v16f32(
// CHECK-NOT: fadd {{.*}}float %
// CHECK: ret void
loop.kernel @total kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}

// What a generator leaves out is a choice in each lane.
// CHECK-LABEL: define void @positives__general(
// CHECK: select <8 x i1>
// CHECK: fadd reassoc contract <8 x double>
// CHECK-NOT: fadd {{.*}}double %
// CHECK: ret void
loop.kernel @positives kind(gufunc) (%v: !loop.array<f64, 1>, %n: i64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    %keep = arith.cmpf ogt, %x, %zero : f64
    loop.yield %x, %keep : f64, i1
  }
  loop.return %s : f64
}

// Iterations of a parallel loop need no check for overlap.
// CHECK-LABEL: define void @shift__general(
// CHECK-NOT: memcheck
// CHECK: call <16 x float> @llvm.masked.load.v16f32
// CHECK: fadd contract <16 x float>
// CHECK: call void @llvm.masked.store.v16f32
// CHECK-NOT: fadd {{.*}}float %
// CHECK: ret void
loop.kernel @shift kind(gufunc)
    (%v: !loop.array<f32, 1>, %s: f32, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %z = arith.addf %x, %s : f32
    loop.store %z, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Of a kernel whose products are chosen nothing but those is added at once.
// CHECK-LABEL: define void @moved__general(
// CHECK-NOT: contract
// CHECK: fmul <16 x float>
// CHECK-NEXT: fadd <16 x float>
// CHECK-NOT: contract
// CHECK: ret void
loop.kernel @moved kind(gufunc)
    (%v: !loop.array<f32, 1>, %s: f32, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"],
                loop.products_chosen} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %square = arith.mulf %x, %x : f32
    %sum = arith.addf %square, %s : f32
    loop.store %sum, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
