//===- FlowOrder.cpp - blocks in the order values flow --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/FlowOrder.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace kern::compiler {
namespace {

/// Tarjan's strongly connected components, applied again inside each component
/// without its head.
class Decomposition {
public:
  explicit Decomposition(Region &region) {
    llvm::DenseMap<Block *, unsigned> numbers;
    for (Block &block : region) {
      numbers[&block] = nodes.size();
      nodes.push_back({&block});
    }
    for (Node &node : nodes)
      for (Block *successor : node.block->getSuccessors())
        node.successors.push_back(numbers[successor]);
  }

  std::vector<FlowStep> run() {
    if (!nodes.empty())
      place(0);
    return std::move(steps);
  }

private:
  using Component = std::vector<unsigned>;

  struct Node {
    Block *block;
    SmallVector<unsigned, 2> successors{};
    unsigned loop = 0; ///< the innermost loop found so far
    unsigned found = 0, lowest = 0;
    bool isOpen = false; ///< found, but its component is not known yet
  };

  /// The components that `head` reaches within its loop without going back to
  /// it. Each comes after those that it branches to.
  std::vector<Component> components(unsigned head) {
    std::vector<Component> list;
    Component open;
    std::vector<std::pair<unsigned, unsigned>> path; // and the next successor
    unsigned loop = nodes[head].loop, count = 0;
    auto enter = [&](unsigned number) {
      Node &node = nodes[number];
      node.found = node.lowest = ++count;
      node.isOpen = true;
      open.push_back(number);
      path.push_back({number, 0});
    };
    enter(head);
    while (!path.empty()) {
      unsigned number = path.back().first;
      Node &node = nodes[number];
      if (path.back().second < node.successors.size()) {
        unsigned next = node.successors[path.back().second++];
        if (next == head || nodes[next].loop != loop)
          continue;
        if (!nodes[next].found)
          enter(next);
        else if (nodes[next].isOpen)
          node.lowest = std::min(node.lowest, nodes[next].found);
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        Node &before = nodes[path.back().first];
        before.lowest = std::min(before.lowest, node.lowest);
      }
      if (node.lowest != node.found)
        continue;
      Component component;
      unsigned member;
      do {
        member = open.back();
        open.pop_back();
        nodes[member].isOpen = false;
        component.push_back(member);
      } while (member != number);
      list.push_back(std::move(component));
    }
    return list;
  }

  /// Appends `head` and the blocks that it reaches within its loop.
  void place(unsigned head) {
    std::vector<Component> list = components(head);
    for (auto component = list.rbegin(); component != list.rend();
         ++component) {
      unsigned first = component->back();
      bool isLoop =
          first != head && (component->size() > 1 ||
                            llvm::is_contained(nodes[first].successors, first));
      if (!isLoop) {
        steps.push_back({nodes[first].block, 0});
        continue;
      }
      ++loops;
      for (unsigned member : *component) {
        nodes[member].loop = loops;
        nodes[member].found = 0;
      }
      size_t at = steps.size();
      place(first);
      steps[at].loopEnd = steps.size();
    }
  }

  std::vector<Node> nodes;
  std::vector<FlowStep> steps;
  unsigned loops = 0;
};

} // namespace

std::vector<FlowStep> flowOrder(Region &region) {
  return Decomposition(region).run();
}

} // namespace kern::compiler
