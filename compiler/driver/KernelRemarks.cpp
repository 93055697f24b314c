//===- KernelRemarks.cpp - remarks on forms and mappings ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/KernelRemarks.h"

#include "compiler/lowering/Locations.h"
#include "compiler/targets/Target.h"
#include "dialects/LoopMappings/Obstacle.h"
#include "runtime/error/Counted.h"

#include "llvm/ADT/StringExtras.h"

namespace kern::compiler {

using runtime::Form;
using runtime::KernelInfo;

static std::string describe(const KernelInfo &kernel) {
  std::string text(name(kernel.form));
  switch (kernel.form) {
  case Form::Contiguous:
    return text + " (" + runtime::counted(kernel.elements, "element") +
           " a thread, " + runtime::counted(kernel.alignment, "byte") +
           " at a time)";
  case Form::General:
    text += kernel.sharedExtents.empty()
                ? " (one thread for each loop element)"
                : " (up to 1024 threads share a loop element)";
    break;
  case Form::Inner:
  case Form::Tiled:
  case Form::Strided:
  case Form::Streamed:
  case Form::Across:
    break;
  }
  return text;
}

std::string describeForms(std::span<const KernelInfo> kernels) {
  std::vector<std::string> forms;
  for (Form form : runtime::allForms)
    for (const KernelInfo &kernel : kernels)
      if (kernel.form == form && !kernel.disjoint)
        forms.push_back(describe(kernel));
  return llvm::join(forms, ", ");
}

/// The name at the beginning of a span.
static std::string nameAt(const SourceManager &sources, Span span) {
  return llvm::StringRef(sources.text(span))
      .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
      .str();
}

/// Adds a note unless there is the same one.
static void add(std::vector<Note> &notes, Span place, std::string text) {
  if (llvm::none_of(notes, [&](const Note &note) {
        return note.span == place && note.text == text;
      }))
    notes.push_back({place, std::move(text)});
}

/// How a CPU runs a gufunc and its loops.
static void noteLoops(const ir::loop::VectorUse &use,
                      const runtime::LoopInfo &loop, Span place,
                      const SourceManager &sources, std::vector<Note> &notes) {
  std::string types = runtime::text(loop) + ": on a CPU ";
  if (use.lanes > 1)
    add(notes, place,
        types + std::to_string(use.lanes) + " loop elements at once");
  for (const ir::loop::LoopUse &inner : use.loops) {
    std::optional<Span> where = toSpan(sources, inner.where);
    if (!where)
      continue;
    if (inner.obstacle.empty()) {
      add(notes, *where,
          types + std::to_string(inner.lanes) + " iterations at once");
      continue;
    }
    std::string text = inner.obstacle;
    std::optional<Span> culprit =
        inner.culprit ? toSpan(sources, *inner.culprit) : std::nullopt;
    if (size_t at = text.find("{0}"); at != std::string::npos)
      text.replace(at, 3, culprit ? nameAt(sources, *culprit) : "an array");
    add(notes, *where,
        std::string("on a CPU one iteration at a time") +
            (inner.hasVectorSums ? ", its sums in vectors: " : ": ") + text);
  }
}

static void noteMissingMappings(ir::loop::KernelOp kernel,
                                const SourceManager &sources,
                                std::vector<Note> &notes) {
  for (const ir::loop::MissingMapping &missing :
       ir::loop::missingMappings(kernel)) {
    std::optional<Span> place = toSpan(sources, missing.obstacle.where);
    if (!place)
      continue;
    std::string text = missing.obstacle.why;
    if (size_t at = text.find("{0}"); at != std::string::npos)
      text.replace(at, 3, nameAt(sources, *place));
    add(notes, *place, text + ": " + missing.mapping.str());
  }
}

void remarkOnKernel(ir::loop::KernelOp kernel, const runtime::LoopInfo &loop,
                    Span place, DiagnosticEngine &diagnostics,
                    std::vector<Note> &notes) {
  noteMissingMappings(kernel, diagnostics.sourceManager(), notes);
  ir::loop::VectorUse use = findTarget("host")->vectorUse(kernel);
  if (!kernel.isUfunc())
    noteLoops(use, loop, place, diagnostics.sourceManager(), notes);
  else if (!use.obstacle.empty())

    diagnostics.report(Diag::not_vectorized, place,
                       {nameAt(diagnostics.sourceManager(), place),
                        runtime::text(loop), use.obstacle});
  else if (use.lanes > 1)
    notes.push_back({place, runtime::text(loop) + ": on a CPU " +
                                std::to_string(use.lanes) +
                                " elements at once"});
}

} // namespace kern::compiler
