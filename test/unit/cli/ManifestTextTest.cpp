//===- ManifestTextTest.cpp - what kern info prints -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/ManifestText.h"

#include <gtest/gtest.h>

namespace kern::cli {

using namespace runtime;

namespace {

constexpr std::string_view json = R"({
  "kern": 1, "compiler": "0.1.0", "source": "m.kern",
  "target": {"kind": "nvptx", "arch": "sm_90"},
  "functions": [
    {"name": "matmul", "kind": "gufunc",
     "doc": "\n   Product of matrices. \nMore.",
     "parameters": [
       {"name": "a", "type": "T", "core": [["m"], ["k"]]},
       {"name": "b", "type": "T", "core": [["k"], ["n"]]}],
     "results": [{"name": "c", "type": "T", "core": [["m"], ["n"]]}],
     "dims": ["m", "k", "n"],
     "loops": [
       {"inputs": ["f32", "f32"], "outputs": ["f32"], "kernels": [
         {"form": "general", "symbol": "matmul_f32", "block": 128,
          "elements": 1, "alignment": 1, "shared": [["m"], ["n"]]}]},
       {"inputs": ["f64", "f64"], "outputs": ["f64"], "kernels": []}]},
    {"name": "add", "kind": "ufunc", "generic": true,
     "parameters": [{"name": "x", "type": "", "generic": true},
                    {"name": "y", "type": "f32"}],
     "results": [{"name": "", "type": ""}], "dims": [],
     "loops": [
       {"inputs": ["int", "f32"], "outputs": ["f32"], "kernels": [
         {"form": "contiguous", "symbol": "add_f32", "block": 256,
          "elements": 4, "alignment": 16}]}]}]})";

TEST(ManifestText, SignaturesAsNumpyWritesThem) {
  Expected<Manifest> manifest = manifestFromJson(json);
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(signatureText(manifest->functions[0]),
            "matmul  (m,k),(k,n)->(m,n)  ff->f dd->d");
  EXPECT_EQ(manifestText(*manifest, false),
            "matmul  (m,k),(k,n)->(m,n)  ff->f dd->d\n"
            "    gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n])\n"
            "    Product of matrices.\n"
            "\n"
            "add  (),()->()  <int>f->f generic\n"
            "    ufunc add(x, y: f32)\n");
}

TEST(ManifestText, KernelsOfACompiledFile) {
  Expected<Manifest> manifest = manifestFromJson(json);
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(
      manifestText(*manifest, true),
      "compiled from m.kern for sm_90 by kern 0.1.0\n"
      "\n"
      "matmul  (m,k),(k,n)->(m,n)  ff->f dd->d\n"
      "    gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n])\n"
      "    Product of matrices.\n"
      "    f32(f32, f32)\n"
      "        general     matmul_f32: block 128, grouped, groups share m, n; "
      "reads 4 and 4, writes 4 bytes at a time; no reduction reads its "
      "elements side by side\n"
      "    f64(f64, f64)  not compiled\n"
      "\n"
      "add  (),()->()  <int>f->f generic\n"
      "    ufunc add(x, y: f32)\n"
      "    f32(int, f32)\n"
      "        contiguous  add_f32: block 256, 4 elements a thread, 16-byte "
      "alignment; reads 16, writes 16 bytes at a time\n");
}

} // namespace
} // namespace kern::cli
