// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Elementary functions are calls of functions that the target provides, declared
// once for each type.

// CHECK-DAG: func.func private @kern.exp.f32(f32) -> f32
// CHECK-DAG: func.func private @kern.atan2.f64(f64, f64) -> f64
// CHECK-DAG: func.func private @kern.erfc.f32(f32) -> f32
// CHECK-NOT: func.func
// CHECK-LABEL: loop.kernel @twice
// CHECK-NEXT: call @kern.exp.f32(%arg0) : (f32) -> f32
kern.func typed ufunc @twice(%p0: f32) -> f32 {
  %0 = kern.apply exp(%p0) : (f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @exp_f32
// CHECK-NEXT: call @kern.exp.f32(%arg0) : (f32) -> f32
kern.func typed ufunc @exp_f32(%p0: f32) -> f32 {
  %0 = kern.apply exp(%p0) : (f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @arctan2
// CHECK-NEXT: call @kern.atan2.f64(%arg0, %arg1)
kern.func typed ufunc @arctan2(%p0: f64, %p1: f64) -> f64 {
  %0 = kern.apply arctan2(%p0, %p1) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @erfc_bf16
// CHECK-NEXT: %[[X:.*]] = arith.extf %arg0 : bf16 to f32
// CHECK-NEXT: %[[Y:.*]] = {{.*}}call @kern.erfc.f32(%[[X]])
// CHECK-NEXT: arith.truncf %[[Y]] : f32 to bf16
kern.func typed ufunc @erfc_bf16(%p0: bf16) -> bf16 {
  %0 = kern.apply erfc(%p0) : (bf16) -> bf16
  kern.return %0 : bf16
}

// CHECK-LABEL: loop.kernel @sqrt_f32
// CHECK-NEXT: math.sqrt %arg0 : f32
kern.func typed ufunc @sqrt_f32(%p0: f32) -> f32 {
  %0 = kern.apply sqrt(%p0) : (f32) -> f32
  kern.return %0 : f32
}
