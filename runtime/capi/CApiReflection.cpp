//===- CApiReflection.cpp - what is known of functions and modules --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/options.h"
#include "kern/reflection.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/NamedArguments.h"
#include "runtime/module/Function.h"

using namespace kern::runtime;

/// An operand: parameters, then results; NULL beyond them.
static const OperandInfo *operandOf(const kern_function *function,
                                    size_t index) {
  if (!function)
    return nullptr;
  const FunctionInfo &info = *function->info;
  if (index < info.parameters.size())
    return &info.parameters[index];
  index -= info.parameters.size();
  return index < info.results.size() ? &info.results[index] : nullptr;
}

extern "C" kern_function_kind
kern_function_get_kind(const kern_function *function) {
  return function && function->info->kind == FunctionKind::Gufunc
             ? KERN_FUNCTION_GUFUNC
             : KERN_FUNCTION_UFUNC;
}

extern "C" const char *kern_function_doc(const kern_function *function) {
  return function ? function->info->doc.c_str() : "";
}

extern "C" int kern_function_is_generic(const kern_function *function) {
  return function && function->info->isGeneric;
}

extern "C" const char *kern_function_identity(const kern_function *function) {
  return function ? function->info->identity.c_str() : "";
}

extern "C" const char *kern_function_operand_name(const kern_function *function,
                                                  size_t index) {
  const OperandInfo *operand = operandOf(function, index);
  return operand ? operand->name.c_str() : "";
}

extern "C" kern_operand_kind
kern_function_operand_kind(const kern_function *function, size_t index) {
  const OperandInfo *operand = operandOf(function, index);
  if (!operand)
    return KERN_OPERAND_INPUT;
  if (index >= function->info->parameters.size())
    return KERN_OPERAND_RESULT;
  return operand->isDim     ? KERN_OPERAND_DIM
         : operand->isInout ? KERN_OPERAND_INOUT
                            : KERN_OPERAND_INPUT;
}

extern "C" const char *kern_function_operand_type(const kern_function *function,
                                                  size_t index) {
  const OperandInfo *operand = operandOf(function, index);
  return operand ? operand->type.c_str() : "";
}

extern "C" const char *kern_function_default_text(const kern_function *function,
                                                  size_t index) {
  const OperandInfo *operand = operandOf(function, index);
  return operand && operand->defaultArgument
             ? operand->defaultArgument->text.c_str()
             : "";
}

extern "C" kern_status kern_function_default(const kern_function *function,
                                             size_t index, kern_value *value) {
  return guarded([&]() -> Status {
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    if (!value)
      return Error(ErrorCode::null_pointer, {"the place for the default"})
          .in(function->info->name);
    const OperandInfo *operand = operandOf(function, index);
    if (!operand || !operand->defaultArgument)
      return Error(ErrorCode::no_default,
                   {function->info->name,
                    operand ? "`" + operand->name + "`"
                            : "an operand number " + std::to_string(index)});
    *value = valueOf(*operand->defaultArgument);
    return {};
  });
}

extern "C" size_t kern_function_loop_count(const kern_function *function) {
  return function ? function->info->loops.size() : 0;
}

extern "C" kern_status kern_function_loop(const kern_function *function,
                                          size_t index, int *types,
                                          size_t count) {
  return guarded([&]() -> Status {
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    const FunctionInfo &info = *function->info;
    if (!types && count)
      return Error(ErrorCode::null_pointer, {"the place for the types"})
          .in(info.name);
    if (index >= info.loops.size())
      return Error(ErrorCode::no_loop_number, {index, info.loops.size()})
          .in(info.name);
    const size_t operands = info.parameters.size() + info.results.size();
    if (count != operands)
      return Error(ErrorCode::type_count, {operands, count}).in(info.name);
    const LoopInfo &loop = info.loops[index];
    auto input = loop.inputs.begin();
    for (const OperandInfo &parameter : info.parameters) {
      *types = KERN_ANY_DTYPE;
      if (!parameter.isDim) {
        if (!input->isWeak())
          *types = int(input->dtype);
        ++input;
      }
      ++types;
    }
    for (DType type : loop.outputs)
      *types++ = int(type);
    return {};
  });
}

extern "C" const char *kern_module_source(const kern_module *module) {
  return module ? module->source->originalText() : "";
}

extern "C" const char *kern_module_hash(const kern_module *module) {
  return module ? module->source->digest() : "";
}
