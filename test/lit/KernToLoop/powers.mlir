// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Constant exponents have NumPy's special cases; small whole ones are multiplied out.

// CHECK-LABEL: loop.kernel @square
// CHECK: arith.mulf %arg0, %arg0 : f32
// CHECK-NOT: call
kern.func typed ufunc @square(%p0: f32) -> f32 {
  %c = kern.constant 2.0 : f64 -> f32
  %0 = kern.apply power(%p0, %c) : (f32, f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @root
// CHECK: math.sqrt %arg0 : f64
// CHECK-NOT: call
kern.func typed ufunc @root(%p0: f64) -> f64 {
  %c = kern.constant 0.5 : f64 -> f64
  %0 = kern.apply power(%p0, %c) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @one_over
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: arith.divf %[[ONE]], %arg0 : f64
kern.func typed ufunc @one_over(%p0: f64) -> f64 {
  %c = kern.constant -1 : i128 -> f64
  %0 = kern.apply power(%p0, %c) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @to_zero
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: loop.return %[[ONE]]
kern.func typed ufunc @to_zero(%p0: f64) -> f64 {
  %c = kern.constant 0.0 : f64 -> f64
  %0 = kern.apply power(%p0, %c) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @cube
// CHECK: %[[SQUARE:.*]] = arith.mulf %arg0, %arg0 : f32
// CHECK: %[[CUBE:.*]] = arith.mulf %arg0, %[[SQUARE]] : f32
// CHECK: loop.return %[[CUBE]]
kern.func typed ufunc @cube(%p0: f32) -> f32 {
  %c = kern.constant 3.0 : f64 -> f32
  %0 = kern.apply power(%p0, %c) : (f32, f32) -> f32
  kern.return %0 : f32
}

// f32 is multiplied out in f64.
// CHECK-LABEL: loop.kernel @fourth
// CHECK: %[[WIDE:.*]] = arith.extf %arg0 : f32 to f64
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[WIDE]], %[[WIDE]] : f64
// CHECK: %[[FOURTH:.*]] = arith.mulf %[[SQUARE]], %[[SQUARE]] : f64
// CHECK: arith.truncf %[[FOURTH]] : f64 to f32
kern.func typed ufunc @fourth(%p0: f32) -> f32 {
  %c = kern.constant 4.0 : f64 -> f32
  %0 = kern.apply power(%p0, %c) : (f32, f32) -> f32
  kern.return %0 : f32
}

// f64 is multiplied out with the rests of its products.
// CHECK-LABEL: loop.kernel @double_fourth
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.fma"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-NOT: @kern.pow
kern.func typed ufunc @double_fourth(%p0: f64) -> f64 {
  %c = kern.constant 4.0 : f64 -> f64
  %0 = kern.apply power(%p0, %c) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @sixty_fifth
// CHECK: call @kern.pow.f32(%arg0, %{{.*}})
kern.func typed ufunc @sixty_fifth(%p0: f32) -> f32 {
  %c = kern.constant 65.0 : f64 -> f32
  %0 = kern.apply power(%p0, %c) : (f32, f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @half_square
// CHECK: arith.mulf %{{.*}} : f32
// CHECK-NEXT: arith.truncf
kern.func typed ufunc @half_square(%p0: f16) -> f16 {
  %c = kern.constant 2.0 : f64 -> f16
  %0 = kern.apply power(%p0, %c) : (f16, f16) -> f16
  kern.return %0 : f16
}

// x⁵ = x · (x²)²
// CHECK-LABEL: loop.kernel @integer_fifth
// CHECK: %[[X2:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT: %[[X4:.*]] = arith.muli %[[X2]], %[[X2]]
// CHECK-NEXT: %[[X5:.*]] = arith.muli %arg0, %[[X4]]
// CHECK-NEXT: loop.return %[[X5]]
kern.func typed ufunc @integer_fifth(%p0: si32) -> si32 {
  %c = kern.constant 5 : i128 -> si32
  %0 = kern.apply power(%p0, %c) : (si32, si32) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @integer_power
// CHECK: cf.br ^bb1
// CHECK: cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK: ^bb2:
// CHECK: arith.shrsi
// CHECK: cf.br ^bb1
// CHECK: ^bb3:
// CHECK: loop.return
kern.func typed ufunc @integer_power(%p0: si64, %p1: si64) -> si64 {
  %0 = kern.apply power(%p0, %p1) : (si64, si64) -> si64
  kern.return %0 : si64
}

// Integers at run time are exponents of products, if they are small: with two
// words for f64, which take a division for negative ones.
// CHECK-LABEL: loop.kernel @by_integer
// CHECK: %[[SHORT:.*]] = arith.cmpi ule, %{{.*}}, %c1024_i64
// CHECK: cf.cond_br %[[SHORT]]
// CHECK: arith.divf
// CHECK-COUNT-6: llvm.call_intrinsic "llvm.fma"
// CHECK: call @kern.pow.f64
kern.func typed ufunc @by_integer(%p0: f64, %p1: si32) -> f64 {
  %0 = kern.cast explicit %p1 : si32 to f64 -> f64
  %1 = kern.apply power(%p0, %0) : (f64, f64) -> f64
  kern.return %1 : f64
}

// With the products of f64 for f32. Counts without a sign take no division.
// CHECK-LABEL: loop.kernel @by_byte
// CHECK: arith.extf %arg0 : f32 to f64
// CHECK-NOT: llvm.fma
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK: call @kern.pow.f32
kern.func typed ufunc @by_byte(%p0: f32, %p1: ui8) -> f32 {
  %0 = kern.cast explicit %p1 : ui8 to f32 -> f32
  %1 = kern.apply power(%p0, %0) : (f32, f32) -> f32
  kern.return %1 : f32
}

// Halves need no more than a logarithm of f32's precision.
// CHECK-LABEL: loop.kernel @by_half
// CHECK-NOT: kern.pow
// CHECK: call @kern.exp2.f32
// CHECK: arith.truncf
kern.func typed ufunc @by_half(%p0: f16, %p1: f16) -> f16 {
  %0 = kern.apply power(%p0, %p1) : (f16, f16) -> f16
  kern.return %0 : f16
}
