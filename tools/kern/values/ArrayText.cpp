//===- ArrayText.cpp - arrays as NumPy prints them ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/ArrayText.h"

#include "runtime/array/StridedView.h"
#include "tools/kern/values/Element.h"
#include "tools/kern/values/NumberText.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

namespace kern::cli {

using runtime::DType;
using runtime::Expected;
using runtime::StridedView;

namespace {

constexpr int64_t lineWidth = 75, threshold = 1000, edgeItems = 3;

/// Writes one element.
using ElementFormat = std::function<std::string(const std::byte *)>;

std::string padLeft(std::string text, size_t width) {
  text.insert(0, width - std::min(width, text.size()), ' ');
  return text;
}

std::complex<double> complexValue(DType type, const std::byte *place) {
  const DType part = partType(type);
  return {loadFloat(part, place), loadFloat(part, place + itemSize(part))};
}

/// The element of a 0-d array.
std::string scalarElement(DType type, const std::byte *place) {
  if (type == DType::Bool)
    return load<bool>(place) ? "True" : "False";
  if (isInteger(type))
    return loadInteger(type, place);
  if (!isComplex(type))
    return scalarText(loadFloat(type, place), type);
  const std::complex<double> value = complexValue(type, place);
  auto part = [&](double x) {
    std::string text = scalarText(x, partType(type));
    if (text.ends_with(".0"))
      text.resize(text.size() - 2);
    return text;
  };
  if (value.real() == 0 && !std::signbit(value.real()))
    return part(value.imag()) + "j";
  const bool minus = std::signbit(value.imag()) && !std::isnan(value.imag());
  return "(" + part(value.real()) + (minus ? "" : "+") + part(value.imag()) +
         "j)";
}

/// Whether a dimension is shown by its ends alone.
bool isCut(const StridedView &view, size_t axis, bool summarised) {
  return summarised && view.shape[axis] > 2 * edgeItems;
}

/// Calls `visit` for each element that will be shown.
void forEachShown(const StridedView &view, bool summarised, size_t axis,
                  const std::byte *place,
                  const std::function<void(const std::byte *)> &visit) {
  if (axis == view.rank())
    return visit(place);
  const int64_t extent = view.shape[axis];
  for (int64_t i = 0; i < extent; ++i) {
    if (isCut(view, axis, summarised) && i == edgeItems)
      i = extent - edgeItems;
    forEachShown(view, summarised, axis + 1, place + i * view.strides[axis],
                 visit);
  }
}

ElementFormat formatFor(const StridedView &view, bool summarised) {
  const DType type = view.dtype;
  std::vector<const std::byte *> shown;
  forEachShown(view, summarised, 0, view.data,
               [&](const std::byte *place) { shown.push_back(place); });
  if (type == DType::Bool)
    return [](const std::byte *place) {
      return load<bool>(place) ? " True" : "False";
    };
  if (isInteger(type)) {
    size_t width = 0;
    for (const std::byte *place : shown)
      width = std::max(width, loadInteger(type, place).size());
    return [=](const std::byte *place) {
      return padLeft(loadInteger(type, place), width);
    };
  }
  std::vector<double> first, second;
  if (!isComplex(type)) {
    for (const std::byte *place : shown)
      first.push_back(loadFloat(type, place));
    return [type,
            format = FloatFormat(first, type, false)](const std::byte *place) {
      return format(loadFloat(type, place));
    };
  }
  for (const std::byte *place : shown) {
    first.push_back(complexValue(type, place).real());
    second.push_back(complexValue(type, place).imag());
  }
  return [type, real = FloatFormat(first, partType(type), false),
          imaginary = FloatFormat(second, partType(type), true)](
             const std::byte *place) {
    const std::complex<double> value = complexValue(type, place);
    std::string text = imaginary(value.imag());
    text.insert(text.find_last_not_of(' ') + 1, "j");
    return real(value.real()) + text;
  };
}

void trimRight(std::string &text) {
  text.resize(text.find_last_not_of(' ') + 1);
}

/// Brackets, separators and line breaks around the formatted elements.
class Layout {
public:
  Layout(const StridedView &view, bool summarised, ElementFormat format)
      : view(view), summarised(summarised), format(std::move(format)) {}

  std::string block(size_t axis, const std::byte *place,
                    const std::string &indent, int64_t width) const {
    const std::string body = axis + 1 == view.rank()
                                 ? row(axis, place, indent, width)
                                 : blocks(axis, place, indent, width);
    return "[" + body.substr(indent.size()) + "]";
  }

private:
  /// The innermost dimension: elements, wrapped at the width.
  std::string row(size_t axis, const std::byte *place,
                  const std::string &indent, int64_t width) const {
    std::string done, line = indent;
    auto add = [&](const std::string &word, bool last) {
      const bool isFull = int64_t(line.size() + word.size()) > width - 1;
      if (isFull && line.size() > indent.size()) {
        trimRight(line);
        done += line + "\n";
        line = indent;
      }
      line += word;
      if (!last)
        line += " ";
    };
    const int64_t extent = view.shape[axis];
    for (int64_t i = 0; i < extent; ++i) {
      if (isCut(view, axis, summarised) && i == edgeItems) {
        add("...", false);
        i = extent - edgeItems;
      }
      add(format(place + i * view.strides[axis]), i + 1 == extent);
    }
    return done + line;
  }

  std::string blocks(size_t axis, const std::byte *place,
                     const std::string &indent, int64_t width) const {
    const std::string separator(view.rank() - axis - 1, '\n');
    const int64_t extent = view.shape[axis];
    std::string done;
    for (int64_t i = 0; i < extent; ++i) {
      if (isCut(view, axis, summarised) && i == edgeItems) {
        done += indent + "..." + separator;
        i = extent - edgeItems;
      }
      done += indent + block(axis + 1, place + i * view.strides[axis],
                             indent + " ", width - 1);
      if (i + 1 != extent)
        done += separator;
    }
    return done;
  }

  const StridedView &view;
  bool summarised;
  ElementFormat format;
};

} // namespace

Expected<std::string> arrayText(const DLTensor &array) {
  Expected<StridedView> view = runtime::viewOf(&array, "the array");
  if (!view)
    return view.error();
  if (view->rank() == 0)
    return scalarElement(view->dtype, view->data);
  const int64_t size = view->count();
  if (size == 0)
    return std::string("[]");
  const bool summarised = size > threshold;
  Layout layout(*view, summarised, formatFor(*view, summarised));
  return layout.block(0, view->data, " ", lineWidth);
}

} // namespace kern::cli
