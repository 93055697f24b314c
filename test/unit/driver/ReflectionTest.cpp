//===- ReflectionTest.cpp - what is known of functions and modules --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/reflection.h"
#include "compiler/driver/CachedSource.h"
#include "kern/compile.h"
#include "kern/kern.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>

using namespace kern::compiler;
using namespace kern::runtime;

namespace {
constexpr const char *source = R"(@associative(identity=-inf)
ufunc larger(x: T, y: T) -> T where T in (f32, f64):
    """The larger one."""
    return max(x, y)

gufunc spread(inout v: f64[n], factor, k: dim) -> (low: f64, high: f64[k]):
    v[0] = v[0] * factor
    low = v[0]
    for i in range(k):
        high[i] = v[0]
)";

using ModulePointer = std::unique_ptr<kern_module, void (*)(kern_module *)>;

ModulePointer compiled(const std::string &text, const char *name = "a.kern",
                       kern_compile_options options = {}) {
  options.size = sizeof options;
  kern_module *module = nullptr;
  EXPECT_EQ(kern_compile_source_with(text.data(), text.size(), name, &options,
                                     &module),
            KERN_OK)
      << kern_last_error();
  return {module, kern_module_release};
}

std::string hashOf(const std::string &text, const char *name = "a.kern",
                   kern_compile_options options = {}) {
  ModulePointer module = compiled(text, name, options);
  return kern_module_hash(module.get());
}

/// A folder that ends with the object.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "kern-XXXXXX").string();
    EXPECT_TRUE(::mkdtemp(pattern.data()));
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const char *name, const char *text) const {
    std::ofstream(path / name) << text;
  }
};
} // namespace

TEST(Reflection, Functions) {
  ModulePointer module = compiled(source);
  kern_function *larger = kern_module_function_at(module.get(), 0);
  EXPECT_EQ(kern_function_get_kind(larger), KERN_FUNCTION_UFUNC);
  EXPECT_STREQ(kern_function_doc(larger), "The larger one.");
  EXPECT_STREQ(kern_function_identity(larger), "-inf");
  EXPECT_FALSE(kern_function_is_generic(larger));
  EXPECT_STREQ(kern_function_operand_name(larger, 0), "x");
  EXPECT_STREQ(kern_function_operand_type(larger, 1), "T");
  EXPECT_EQ(kern_function_operand_kind(larger, 2), KERN_OPERAND_RESULT);
  EXPECT_STREQ(kern_function_operand_name(larger, 3), "");

  kern_function *spread = kern_module_function_at(module.get(), 1);
  EXPECT_EQ(kern_function_get_kind(spread), KERN_FUNCTION_GUFUNC);
  EXPECT_STREQ(kern_function_doc(spread), "");
  EXPECT_STREQ(kern_function_identity(spread), "");
  EXPECT_TRUE(kern_function_is_generic(spread));
  EXPECT_EQ(kern_function_operand_kind(spread, 0), KERN_OPERAND_INOUT);
  EXPECT_EQ(kern_function_operand_kind(spread, 1), KERN_OPERAND_INPUT);
  EXPECT_STREQ(kern_function_operand_type(spread, 1), "");
  EXPECT_EQ(kern_function_operand_kind(spread, 2), KERN_OPERAND_DIM);
  EXPECT_STREQ(kern_function_operand_name(spread, 3), "low");
  EXPECT_STREQ(kern_function_operand_type(spread, 3), "f64");
  EXPECT_EQ(kern_function_operand_kind(spread, 4), KERN_OPERAND_RESULT);
}

TEST(Reflection, Loops) {
  ModulePointer module = compiled(source);
  kern_function *larger = kern_module_function_at(module.get(), 0);
  ASSERT_EQ(kern_function_loop_count(larger), 2u);
  int types[3] = {};
  ASSERT_EQ(kern_function_loop(larger, 1, types, 3), KERN_OK);
  for (int type : types)
    EXPECT_EQ(type, KERN_F64);
  EXPECT_EQ(kern_function_loop(larger, 2, types, 3), KERN_ERROR_NOT_FOUND);
  EXPECT_STREQ(kern_last_error(),
               "`larger`: there is no loop number 2: it has 2");
  EXPECT_EQ(kern_function_loop(larger, 0, types, 2), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(kern_function_loop_count(kern_module_function_at(module.get(), 1)),
            0u)
      << "they are made for calls";
  ModulePointer sized =
      compiled("gufunc f(v: f32[n], k: dim) -> (high: f64[k]):\n"
               "    for i in range(k):\n"
               "        high[i] = v[0]\n");
  kern_function *f = kern_module_function_at(sized.get(), 0);
  ASSERT_EQ(kern_function_loop(f, 0, types, 3), KERN_OK) << kern_last_error();
  EXPECT_EQ(types[0], KERN_F32);
  EXPECT_EQ(types[1], KERN_ANY_DTYPE);
  EXPECT_EQ(types[2], KERN_F64);
}

TEST(Reflection, InCpp) {
  kern::Module module = kern::Module::compile(source, "a.kern");
  kern::Function larger = module["larger"], spread = module["spread"];
  EXPECT_EQ(larger.kind(), KERN_FUNCTION_UFUNC);
  EXPECT_EQ(spread.kind(), KERN_FUNCTION_GUFUNC);
  EXPECT_EQ(larger.doc(), "The larger one.");
  EXPECT_EQ(larger.identity(), "-inf");
  EXPECT_FALSE(larger.isGeneric());
  EXPECT_TRUE(spread.isGeneric());
  EXPECT_EQ(larger.loops(),
            (std::vector<std::vector<int>>{{KERN_F32, KERN_F32, KERN_F32},
                                           {KERN_F64, KERN_F64, KERN_F64}}));
  EXPECT_TRUE(spread.loops().empty());
  std::vector<kern::Operand> operands = spread.operands();
  ASSERT_EQ(operands.size(), 5u);
  EXPECT_EQ(operands[0].name, "v");
  EXPECT_EQ(operands[0].type, "f64");
  EXPECT_EQ(operands[0].kind, KERN_OPERAND_INOUT);
  EXPECT_EQ(operands[2].kind, KERN_OPERAND_DIM);
  EXPECT_EQ(operands[3].name, "low");
  EXPECT_EQ(operands[4].kind, KERN_OPERAND_RESULT);
  EXPECT_EQ(module.source(), source);
  EXPECT_EQ(module.hash(), hashOf(source));
}

TEST(Reflection, SourceAndHash) {
  ModulePointer module = compiled(source);
  EXPECT_STREQ(kern_module_source(module.get()), source);
  const std::string hash = kern_module_hash(module.get());
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(hashOf(source, "other.kern"), hash) << "of the content alone";
  kern_compile_options options = {};
  options.fp_mode = KERN_FP_PRECISE;
  EXPECT_NE(hashOf(source, "a.kern", options), hash);
  options = {};
  options.checks = KERN_CHECK_BOUNDS;
  EXPECT_NE(hashOf(source, "a.kern", options), hash);
  EXPECT_NE(hashOf(std::string(source) + "\n"), hash);
}

TEST(Reflection, HashesIncludeImports) {
  Folder first, same, other;
  for (const Folder *folder : {&first, &same})
    folder->write("half.kern", "const HALF = 0.5\n");
  other.write("half.kern", "const HALF = 0.25\n");
  const char *text = "import half\nufunc f(x: f64) -> f64:\n"
                     "    return x * half.HALF\n";
  auto hashWith = [&](const Folder &folder) {
    const std::string path = folder.path.string();
    kern_compile_options options = {};
    options.include_path = path.c_str();
    return hashOf(text, "a.kern", options);
  };
  EXPECT_EQ(hashWith(first), hashWith(same));
  EXPECT_NE(hashWith(first), hashWith(other));
}

// The same hash whether the code is cached, made anew, or never cached.
TEST(Reflection, HashesNeedNoCache) {
  Folder folder;
  folder.write("half.kern", "const HALF = 0.5\n");
  auto open = [&](Cache &cache) {
    JitText text = {"a.kern", "import half\nufunc f(x: f64) -> f64:\n"
                              "    return x * half.HALF\n"};
    text.includePath = folder.path.string();
    auto made = CachedSource::open(std::move(text), cache);
    EXPECT_TRUE(made) << made.error().message;
    EXPECT_NE(std::string((*made)->originalText()).find("import half"),
              std::string::npos);
    return std::string((*made)->digest());
  };
  Cache off(CacheSettings{false, "", 0, 0, ""});
  Cache on(CacheSettings{true, folder.path.string(), 1 << 24, 1 << 20, ""});
  const std::string hash = open(off);
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(open(on), hash);
  EXPECT_EQ(open(on), hash) << "from the cache";
}

// The folders of the module come before the process's.
TEST(Reflection, IncludePathOfAModule) {
  Folder mine, theirs;
  mine.write("number.kern", "const N = 1\n");
  theirs.write("number.kern", "const N = 2\n");
  const std::string text = "import number\nufunc f(x: i64) -> i64:\n"
                           "    return x + number.N\n";
  auto valueWith = [&](const char *path) {
    kern_compile_options options = {};
    options.include_path = path;
    ModulePointer module = compiled(text, "<none>", options);
    kern_value zero = {KERN_VALUE_SCALAR, KERN_I64, {}};
    zero.as.integer = 0;
    DLManagedTensor *result = nullptr;
    EXPECT_EQ(kern_call(kern_module_function_at(module.get(), 0), &zero, 1,
                        nullptr, &result, 1, nullptr, nullptr),
              KERN_OK)
        << kern_last_error();
    int64_t value = *static_cast<int64_t *>(result->dl_tensor.data);
    result->deleter(result);
    return value;
  };
  kern_module *refused = nullptr;
  EXPECT_EQ(kern_compile_source(text.data(), text.size(), "<none>", &refused),
            KERN_ERROR_COMPILE)
      << "no folder has it";
  ASSERT_EQ(kern_set_include_path(theirs.path.c_str()), KERN_OK);
  EXPECT_EQ(valueWith(nullptr), 2);
  EXPECT_EQ(valueWith(""), 2);
  EXPECT_EQ(valueWith(mine.path.c_str()), 1);
  EXPECT_EQ(valueWith(("/nowhere:" + mine.path.string()).c_str()), 1);
  ASSERT_EQ(kern_set_include_path(nullptr), KERN_OK);
}
