// Complex numbers are vectors of their parts.
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_75})" > %t.ptx
// RUN: %ptxas-all %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// CHECK-LABEL: llvm.func internal @conj__body(%{{.*}}: vector<2xf32>) -> vector<2xf32>
// CHECK-NOT: complex
// Two numbers at a time; a scalar of eight bytes is one word.
// CHECK-LABEL: llvm.func ptx_kernelcc @conj__contiguous
// CHECK-SAME: elements = 2 : i64
// CHECK-DAG: llvm.bitcast %{{.*}} : i64 to vector<2xf32>
// CHECK-DAG: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// Elsewhere they are only aligned like their parts.
// CHECK-LABEL: llvm.func ptx_kernelcc @conj__strided
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf32>
// PTX-LABEL: .entry conj__contiguous(
// PTX: ld.global.v4.b32
loop.kernel @conj kind(ufunc) (%z: complex<f32>) -> (complex<f32>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %ni = arith.negf %im : f32
  %r = complex.create %re, %ni : complex<f32>
  loop.return %r : complex<f32>
}

// A scalar of sixteen bytes is two words: n, flags, (pointer, value, value),
// (pointer, value), pointer.
// CHECK-LABEL: llvm.func ptx_kernelcc @choose__contiguous(
// CHECK-SAME: %arg2: !llvm.ptr<1>, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr<1>, %arg6: i64, %arg7: !llvm.ptr<1>)
// CHECK-SAME: elements = 1 : i64
loop.kernel @choose kind(ufunc) (%z: complex<f64>, %c: i1) -> (complex<f64>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %one = complex.constant [1.0, 0.0] : complex<f64>
  cf.cond_br %c, ^done(%z : complex<f64>), ^done(%one : complex<f64>)
^done(%r: complex<f64>):
  loop.return %r : complex<f64>
}

// CHECK-LABEL: llvm.func internal @product__body
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.
// CHECK-LABEL: llvm.func ptx_kernelcc @product__general
loop.kernel @product kind(gufunc) (%v: !loop.array<complex<f64>, 1>, %n: i64) -> (complex<f64>)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce prod (%i) = %c0 to %n step %c1 : complex<f64> {
    %x = loop.load %v[%i] : !loop.array<complex<f64>, 1>
    loop.yield %x : complex<f64>
  }
  loop.return %r : complex<f64>
}
