// From sm_100 on the contiguous form reads and writes 32 bytes at a time where
// all operands lie so, and its kernels assemble for those GPUs.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{strided=false disjoint=true sm=100},kern-emit{as=ptx arch=sm_100})" > %t.100.ptx
// RUN: FileCheck %s < %t.100.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{strided=false disjoint=true sm=110},kern-emit{as=ptx arch=sm_110})" > %t.110.ptx
// RUN: FileCheck %s < %t.110.ptx
// RUN: %ptxas-all %t.100.ptx %t.110.ptx
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu="strided=false sm=100" | FileCheck %s --check-prefix=ENTRY
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu="strided=false sm=90" | FileCheck %s --check-prefix=BEFORE

// ENTRY: llvm.func{{.*}}@add__contiguous({{.*}}alignment = 32 : i64, block = 256 : i64, {{.*}}elements = 8 : i64
// BEFORE: llvm.func{{.*}}@add__contiguous({{.*}}alignment = 16 : i64, block = 256 : i64, {{.*}}elements = 4 : i64
// CHECK: .visible .entry add__contiguous(
// The full block: two loads, one store, nothing narrower.
// CHECK-NOT: .v2.
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK-NOT: .v2.
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK-COUNT-8: add{{.*}}.f32
// CHECK: st.global.v{{8.b32|4.b64}}
// Then blocks with scalars or without all of their elements.
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK: st.global.v{{8.b32|4.b64}}
// CHECK: .visible .entry add__contiguous_disjoint(
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK: st.global.v{{8.b32|4.b64}}
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// CHECK: .visible .entry bytes__contiguous(
// CHECK: ld.global.v8.b32
// CHECK: ld.global.v8.b32
// CHECK: st.global.v8.b32
loop.kernel @bytes kind(ufunc) (%a: i8, %b: i8) -> (i8)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addi %a, %b : i8
  loop.return %c : i8
}

// CHECK: .visible .entry same__contiguous(
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK: st.global.v{{8.b32|4.b64}}
loop.kernel @same kind(ufunc) (%a: complex<f64>) -> (complex<f64>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  loop.return %a : complex<f64>
}

// The narrower operand takes its share of the wider one's 32 bytes.
// CHECK: .visible .entry wider__contiguous(
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK: st.global.v4.b64
loop.kernel @wider kind(ufunc) (%a: f32) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.extf %a : f32 to f64
  loop.return %c : f64
}

// Where scalars have a path of their own, one access replaces two.
// ENTRY: llvm.func{{.*}}@ratio__contiguous({{.*}}alignment = 32 : i64, block = 128 : i64, {{.*}}elements = 8 : i64
// BEFORE: llvm.func{{.*}}@ratio__contiguous({{.*}}alignment = 16 : i64, block = 128 : i64, {{.*}}elements = 8 : i64
// CHECK: .visible .entry ratio__contiguous(
// CHECK: ld.global.v{{8.b32|4.b64}}
// CHECK-NOT: ld.global.v
// CHECK: st.global.v{{8.b32|4.b64}}
loop.kernel @ratio kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.divf %a, %b : f32
  loop.return %c : f32
}
