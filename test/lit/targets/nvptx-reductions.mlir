// Every kind of reduction over the lanes of a group, for every width.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_75})" > %t.75.ptx
// RUN: FileCheck %s < %t.75.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_90})" > %t.90.ptx
// RUN: FileCheck %s < %t.90.ptx
// RUN: %ptxas-all %t.75.ptx %t.90.ptx

// CHECK-LABEL: .entry sum_f32__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @sum_f32 kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %r : f32
}
// CHECK-LABEL: .entry prod_f64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @prod_f64 kind(gufunc) (%v: !loop.array<f64, 1>, %n: i64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce prod (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  loop.return %r : f64
}
// CHECK-LABEL: .entry sum_i64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @sum_i64 kind(gufunc) (%v: !loop.array<i64, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce sum (%i) = %c0 to %n step %c1 : i64 {
    %x = loop.load %v[%i] : !loop.array<i64, 1>
    loop.yield %x : i64
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry prod_i8__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @prod_i8 kind(gufunc) (%v: !loop.array<i8, 1>, %n: i64) -> (i8)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce prod (%i) = %c0 to %n step %c1 : i8 {
    %x = loop.load %v[%i] : !loop.array<i8, 1>
    loop.yield %x : i8
  }
  loop.return %r : i8
}
// CHECK-LABEL: .entry smin_i16__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @smin_i16 kind(gufunc) (%v: !loop.array<i16, 1>, %n: i64) -> (i16)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce smin (%i) = %c0 to %n step %c1 : i16 {
    %x = loop.load %v[%i] : !loop.array<i16, 1>
    loop.yield %x : i16
  }
  loop.return %r : i16
}
// CHECK-LABEL: .entry smax_i32__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @smax_i32 kind(gufunc) (%v: !loop.array<i32, 1>, %n: i64) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce smax (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    loop.yield %x : i32
  }
  loop.return %r : i32
}
// CHECK-LABEL: .entry umin_i8__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @umin_i8 kind(gufunc) (%v: !loop.array<i8, 1>, %n: i64) -> (i8)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce umin (%i) = %c0 to %n step %c1 : i8 {
    %x = loop.load %v[%i] : !loop.array<i8, 1>
    loop.yield %x : i8
  }
  loop.return %r : i8
}
// CHECK-LABEL: .entry umax_i64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @umax_i64 kind(gufunc) (%v: !loop.array<i64, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce umax (%i) = %c0 to %n step %c1 : i64 {
    %x = loop.load %v[%i] : !loop.array<i64, 1>
    loop.yield %x : i64
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry fmin_nan_f32__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @fmin_nan_f32 kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce fmin_nan (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %r : f32
}
// CHECK-LABEL: .entry fmax_nan_f64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @fmax_nan_f64 kind(gufunc) (%v: !loop.array<f64, 1>, %n: i64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce fmax_nan (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  loop.return %r : f64
}
// CHECK-LABEL: .entry any_i1__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @any_i1 kind(gufunc) (%v: !loop.array<i1, 1>, %n: i64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce any (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    loop.yield %x : i1
  }
  loop.return %r : i1
}
// CHECK-LABEL: .entry all_i1__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @all_i1 kind(gufunc) (%v: !loop.array<i1, 1>, %n: i64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce all (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    loop.yield %x : i1
  }
  loop.return %r : i1
}
// CHECK-LABEL: .entry arg_smin_i8__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_smin_i8 kind(gufunc) (%v: !loop.array<i8, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_smin (%i) = %c0 to %n step %c1 : i8 {
    %x = loop.load %v[%i] : !loop.array<i8, 1>
    loop.yield %x : i8
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry arg_smax_i64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_smax_i64 kind(gufunc) (%v: !loop.array<i64, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_smax (%i) = %c0 to %n step %c1 : i64 {
    %x = loop.load %v[%i] : !loop.array<i64, 1>
    loop.yield %x : i64
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry arg_umin_i16__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_umin_i16 kind(gufunc) (%v: !loop.array<i16, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_umin (%i) = %c0 to %n step %c1 : i16 {
    %x = loop.load %v[%i] : !loop.array<i16, 1>
    loop.yield %x : i16
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry arg_umax_i32__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_umax_i32 kind(gufunc) (%v: !loop.array<i32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_umax (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    loop.yield %x : i32
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry arg_fmin_f32__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_fmin_f32 kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_fmin (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %r : i64
}
// CHECK-LABEL: .entry arg_fmax_f64__general(
// CHECK: bar.sync
// CHECK: shfl.sync.bfly.b32
loop.kernel @arg_fmax_f64 kind(gufunc) (%v: !loop.array<f64, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  loop.return %r : i64
}
