// Without elementary functions LLVM's preference holds on Intel's servers:
// memory limits such loops, whatever the width.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=emeraldrapids})" | FileCheck %s

// CHECK-LABEL: add__contiguous:
// CHECK-NOT: %zmm
// CHECK: vaddps {{.*}}%ymm
// CHECK-NOT: %zmm
// CHECK: retq
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}
