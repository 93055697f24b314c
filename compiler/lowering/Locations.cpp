//===- Locations.cpp - spans as MLIR locations and back -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace kern::compiler {

Location toLocation(MLIRContext *context, const SourceManager &sources,
                    Span span) {
  const SourceFile &file = sources.file(span.file);
  LineColumn begin = file.position(span.begin);
  LineColumn end = file.position(span.end);
  return FileLineColRange::get(StringAttr::get(context, file.name()),
                               begin.line, begin.column, end.line, end.column);
}

std::optional<Span> toSpan(const SourceManager &sources, Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    std::optional<uint32_t> index =
        sources.find(range.getFilename().getValue());
    if (!index)
      return std::nullopt;
    const SourceFile &file = sources.file(*index);
    return Span{*index,
                file.offset({range.getStartLine(), range.getStartColumn()}),
                file.offset({range.getEndLine(), range.getEndColumn()})};
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return toSpan(sources, call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::optional<Span> span = toSpan(sources, part))
        return span;
  return std::nullopt;
}

std::vector<Span> callers(const SourceManager &sources, Location loc) {
  std::vector<Span> spans;
  while (auto call = dyn_cast<CallSiteLoc>(loc)) {
    if (std::optional<Span> span = toSpan(sources, call.getCaller()))
      spans.push_back(*span);
    loc = call.getCaller();
  }
  return spans;
}

} // namespace kern::compiler
