//===- NestText.cpp - the mappings of a nest, for people ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Nest.h"

std::string kern::runtime::mappingsText(const Nest &nest) {
  if (nest == Nest{})
    return "";
  if (nest.isElementwise)
    return "flat, as a ufunc of its iterations";
  std::string list = nest.flat.empty() ? "grouped" : "flat";
  auto add = [&](bool has, const std::string &text) {
    if (has)
      list += ", " + text;
  };
  add(nest.hasLoops && nest.isStraight, "across");
  add(nest.launches > 0, "sliced");
  add(nest.residentChunks > 0 && !nest.isScan, "resident (rows in registers)");
  add(nest.recentres, "recentred (squares about each slice's mean, one pass)");
  add(nest.isScan, "resident (scans in registers, one pass)");
  add(!nest.privatised.empty(), "privatised (sums in shared memory)");
  add(!nest.stages.empty(), "staged (elements through shared memory)");
  std::string tiles;
  for (const Nest::Tile &tile : nest.tiles)
    tiles += (tiles.empty() ? "" : " ") + std::to_string(tile.rows) + "x" +
             std::to_string(tile.columns);
  add(!tiles.empty(), "tiled (" + tiles + ", in shared memory)");
  add(!nest.phases.empty(),
      std::to_string(nest.phases.size()) + " phases (a kernel for each loop)");
  add(!nest.unrolled.tiles.empty(), "unrolled (small extents as constants)");
  return list;
}
