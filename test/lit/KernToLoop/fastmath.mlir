// RUN: %kern-opt --kern-to-loop %s | FileCheck %s
// RUN: %kern-opt --kern-to-loop=precise=true %s | FileCheck %s --check-prefix=PRECISE

// @fastmath is written on each operation, and its calls may be approximations.
// No value is assumed to be finite or a number. Precise results ignore it.

// PRECISE-NOT: fastmath<
// PRECISE-NOT: kern.fast.
// PRECISE: loop.kernel @fast
// PRECISE-NOT: fastmath<
// PRECISE-NOT: kern.fast.

// CHECK-DAG: func.func private @kern.fast.exp.f32(f32) -> f32
// CHECK-DAG: func.func private @kern.exp.f32(f32) -> f32

// CHECK-LABEL: loop.kernel @fast
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK: call @kern.fast.exp.f32
// CHECK: math.sqrt %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
kern.func typed ufunc @fast(%p0: f32, %p1: f32) -> f32 attributes {kern.fastmath} {
  %0 = kern.apply true_divide(%p0, %p1) : (f32, f32) -> f32
  %1 = kern.apply exp(%0) : (f32) -> f32
  %2 = kern.apply sqrt(%1) : (f32) -> f32
  kern.return %2 : f32
}

// A power is computed from approximations.
// CHECK-LABEL: loop.kernel @fast_power
// CHECK: call @kern.fast.log2.f32
// CHECK: call @kern.fast.exp2.f32
kern.func typed ufunc @fast_power(%p0: f32, %p1: f32) -> f32 attributes {kern.fastmath} {
  %0 = kern.apply power(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @precise
// CHECK-NOT: fastmath
// CHECK: call @kern.exp.f32
// CHECK-NOT: fastmath
kern.func typed ufunc @precise(%p0: f32, %p1: f32) -> f32 {
  %0 = kern.apply true_divide(%p0, %p1) : (f32, f32) -> f32
  %1 = kern.apply exp(%0) : (f32) -> f32
  kern.return %1 : f32
}
