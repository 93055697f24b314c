//===- calls.hpp - calls ----------------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls with their options. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_CALLS_HPP
#define KERN_CALLS_HPP

#include "kern/methods.h"
#include "kern/prepared.hpp"
#include "kern/request.hpp"

#include <array>
#include <optional>

namespace kern {
inline namespace api {

/// A call that has not run yet. It runs when it is converted to an Array, or by
/// into(), arrays() or run(). Use it in the expression that makes it: it refers
/// to the function, to the report and to arguments that have a name, and owns
/// only temporary arguments. It has a method for each option of a call.
///
///     kern::Array c = add(a, b);
///     add(a, b).on(kern::cpu()).into(c);
///     auto [q, r] = divmod(a, b).arrays<2>();
class [[nodiscard("a call runs when its result is used")]] Call {
public:
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// The argument for the parameter of this name: `f(x).with("window", 20)`.
  template <typename Value>
      Call &&with(const char *name, Value &&value KERN_LIFETIME_BOUND) &&
      KERN_LIFETIME_BOUND {
    if constexpr (detail::requireArgument<Value>()) {
      request().names.push_back(name);
      request().named.emplace_back(std::forward<Value>(value));
    }
    return std::move(*this);
  }
  /// The device to run on. Default: that of the arrays, or defaultDevice().
  Call &&on(Device device) && KERN_LIFETIME_BOUND {
    options.call.has_device = 1;
    options.call.device = device;
    return std::move(*this);
  }
  /// The CUDA stream (a CUstream or cudaStream_t), or a Stream.
  Call &&stream(void *stream) && KERN_LIFETIME_BOUND {
    options.call.stream = stream;
    return std::move(*this);
  }
  Call &&stream(const Stream &on) && KERN_LIFETIME_BOUND {
    return std::move(*this).stream(on.handle());
  }
  /// On the CPU: the most threads. Default: threads().
  Call &&threads(int most) && KERN_LIFETIME_BOUND {
    options.threads = most;
    return std::move(*this);
  }
  /// Over host arrays on GPUs: `step(done, total)` is told the bytes that were
  /// moved, after each piece. The call ends when it returns false or throws.
  Call &&progress(detail::Progress::Step step) && KERN_LIFETIME_BOUND {
    options.progress = request().progress.emplace(std::move(step)).get();
    return std::move(*this);
  }
  /// Of a gufunc with one core dimension: its axis.
  Call &&axis(int64_t axis) && KERN_LIFETIME_BOUND {
    return std::move(*this).axis({axis});
  }
  /// Several axes, flattened in C order.
  Call &&axis(std::initializer_list<int64_t> several) && KERN_LIFETIME_BOUND {
    request().axis = list(several);
    return std::move(*this);
  }
  Call &&allAxes() && KERN_LIFETIME_BOUND {
    request().axis = kern_axes{nullptr, 0};
    return std::move(*this);
  }
  /// Of a gufunc: the axes of each operand's core dimensions.
  Call &&axes(std::initializer_list<std::initializer_list<int64_t>> all) &&
      KERN_LIFETIME_BOUND {
    request().axes.emplace();
    for (std::initializer_list<int64_t> one : all)
      request().axes->push_back(list(one));
    return std::move(*this);
  }
  /// Core dimensions stay in the results with extent 1.
  Call &&keepdims() && KERN_LIFETIME_BOUND {
    options.keepdims = 1;
    return std::move(*this);
  }
  /// The shape of the first result, loop dimensions and then core dimensions:
  /// for functions without arrays among their arguments.
  Call &&shape(std::initializer_list<int64_t> extents) && KERN_LIFETIME_BOUND {
    request().shape.emplace(extents);
    request().shape->reserve(1); // an empty one is not NULL
    return std::move(*this);
  }
  /// How new results lie in memory.
  Call &&order(kern_order order) && KERN_LIFETIME_BOUND {
    options.order = order;
    return std::move(*this);
  }
  Call &&casting(kern_casting rule) && KERN_LIFETIME_BOUND {
    options.casting = rule;
    return std::move(*this);
  }
  /// Calls the loop whose results have this type.
  Call &&dtype(kern_dtype type) && KERN_LIFETIME_BOUND {
    options.has_dtype = 1;
    options.dtype = type;
    return std::move(*this);
  }
  /// Calls the loop of these types, one for each input and result;
  /// KERN_ANY_DTYPE for any.
  Call &&signature(std::initializer_list<int> types) && KERN_LIFETIME_BOUND {
    const size_t inputs = kern_function_input_count(function),
                 results = kern_function_output_count(function);
    if (types.size() != inputs + results)
      throw refusal("takes " + std::to_string(inputs) + " and returns " +
                    std::to_string(results) + "; its signature has " +
                    std::to_string(inputs + results) + " types, not " +
                    std::to_string(types.size()));
    request().signature.emplace(types);
    return std::move(*this);
  }
  /// Of a ufunc: results are written where `mask` is true; new results are 0
  /// elsewhere. Of Function::reduce(): only elements where it is true count.
  template <typename Mask>
      Call &&where(Mask &&mask KERN_LIFETIME_BOUND) && KERN_LIFETIME_BOUND {
    if constexpr (detail::requireMask<Mask>())
      request().where.emplace(std::forward<Mask>(mask));
    return std::move(*this);
  }
  /// Of Function::reduce(): the number to begin with.
  template <typename Number>
      Call &&initial(Number &&number KERN_LIFETIME_BOUND) &&
      KERN_LIFETIME_BOUND {
    if constexpr (detail::requireArgument<Number>())
      request().initial.emplace(std::forward<Number>(number));
    return std::move(*this);
  }
  /// Fills `place` with a report of what the call did.
  Call &&report(Report &place KERN_LIFETIME_BOUND) && KERN_LIFETIME_BOUND {
    place.size = sizeof place;
    reportPlace = &place;
    return std::move(*this);
  }

  /// Runs, and writes to arrays that must have the results' shapes. Elements
  /// are converted under NumPy's rule `same_kind`.
  template <typename... Outputs> void into(Outputs &&...outputs) && {
    if constexpr ((detail::requireOutput<Outputs>() && ...)) {
      std::array<Output, sizeof...(Outputs)> places = {
          Output(std::forward<Outputs>(outputs))...};
      auto tensors = tensorsOf(places);
      invoke(tensors.data(), nullptr, tensors.size());
    }
  }
  /// Plans the call for arrays of these types, shapes, strides and devices,
  /// without running it (kern_prepare()).
  template <typename... Outputs> Prepared prepare(Outputs &&...outputs) && {
    kern_prepared *made = nullptr;
    if (way != Way::Call)
      throw refusal("has no prepared methods");
    if constexpr ((detail::requireOutput<Outputs>() && ...)) {
      std::array<Output, sizeof...(Outputs)> places = {
          Output(std::forward<Outputs>(outputs))...};
      auto tensors = tensorsOf(places);
      Values inputs = values();
      detail::check(kern_prepare(function, inputs.data(), inputs.count,
                                 tensors.data(), tensors.size(),
                                 finishOptions(), &made));
    }
    return Prepared(made);
  }
  /// Runs; one new array for each result, and none of Function::at().
  std::vector<Array> run() && {
    std::vector<Array> arrays(
        way == Way::At ? 0 : kern_function_output_count(function));
    std::vector<DLManagedTensor *> made(arrays.size(), nullptr);
    invoke(nullptr, made.data(), made.size());
    for (size_t i = 0; i < made.size(); ++i)
      arrays[i] = Array(made[i]);
    return arrays;
  }
  /// The same for N results: `auto [q, r] = divmod(a, b).arrays<2>();`
  template <size_t N> std::array<Array, N> arrays() && {
    expectResults(N);
    std::array<DLManagedTensor *, N> made = {};
    invoke(nullptr, made.data(), N);
    std::array<Array, N> out;
    for (size_t i = 0; i < N; ++i)
      out[i] = Array(made[i]);
    return out;
  }
  /// Runs a function of one result.
  operator Array() && {
    expectResults(1);
    DLManagedTensor *made = nullptr;
    invoke(nullptr, &made, 1);
    return Array(made);
  }
  /// The one result, where the conversion is not implicit.
  Array array() && { return std::move(*this); }
  /// The value of a result of one element.
  template <Element T> T item() && {
    return Array(std::move(*this)).template item<T>();
  }

private:
  friend class Function;
  enum class Way : uint8_t { Call, Reduce, Accumulate, Reduceat, At, Outer };

  /// `owner` keeps the module alive if the function is a temporary.
  Call(kern_function *callee, std::shared_ptr<kern_module> owner,
       std::vector<Argument> operands)
      : function(callee), module(std::move(owner)), many(std::move(operands)),
        count(many.size()) {
    options.call.size = sizeof options;
  }
  /// Makes the arguments from `operands`. A few need no allocation.
  template <typename... Operands>
  Call(kern_function *callee, std::shared_ptr<kern_module> owner, Way how,
       Operands &&...operands)
      : function(callee), module(std::move(owner)), count(sizeof...(Operands)),
        way(how) {
    options.call.size = sizeof options;
    if constexpr (sizeof...(Operands) <= few) {
      [[maybe_unused]] size_t i = 0;
      (here[i++].emplace(std::forward<Operands>(operands)), ...);
    } else {
      many.reserve(count);
      (many.emplace_back(std::forward<Operands>(operands)), ...);
    }
  }

  /// The number of arguments that need no allocation.
  static constexpr size_t few = 8;

  detail::RequestedOptions &request() {
    if (!requested)
      requested = std::make_unique<detail::RequestedOptions>();
    return *requested;
  }
  kern_axes list(std::initializer_list<int64_t> axes) {
    std::vector<int64_t> &kept = request().lists.emplace_back(axes);
    kept.reserve(1); // a list of none is not NULL
    return {kept.data(), kept.size()};
  }
  const kern_call_options *finishOptions() {
    if (!requested)
      return &options.call;
    options.axis = requested->axis ? &*requested->axis : nullptr;
    options.axes = requested->axes ? requested->axes->data() : nullptr;
    options.axes_count = requested->axes ? requested->axes->size() : 0;
    options.signature =
        requested->signature ? requested->signature->data() : nullptr;
    if (requested->shape) {
      options.shape = requested->shape->data();
      options.shape_ndim = int(requested->shape->size());
    }
    if (requested->where) {
      kern_value mask = requested->where->get();
      if (mask.kind != KERN_VALUE_ARRAY)
        throw Error(KERN_ERROR_ARGUMENT, "`where` takes an array of bool");
      options.where = mask.as.array;
    }
    return &options.call;
  }

  Error refusal(const std::string &why) const {
    return Error(KERN_ERROR_ARGUMENT,
                 "`" + std::string(kern_function_name(function)) + "` " + why);
  }
  void expectResults(size_t expected) const {
    const size_t results = kern_function_output_count(function);
    if (results != expected)
      throw refusal("has " + std::to_string(results) +
                    (results == 1 ? " result" : " results") + ", not " +
                    std::to_string(expected));
  }
  /// The arguments as the C interface takes them.
  struct Values {
    std::array<kern_value, few> here;
    std::vector<kern_value> many;
    size_t count = 0;
    const kern_value *data() const {
      return many.empty() ? here.data() : many.data();
    }
  };
  /// Those given by position, and in their places those given by name.
  Values values() const {
    Values all = positional();
    if (!requested || requested->named.empty())
      return all;
    if (way != Way::Call)
      throw refusal("takes arguments by name in calls alone");
    std::vector<kern_value> named;
    for (const Argument &argument : requested->named)
      named.push_back(argument.get());
    std::vector<kern_value> bound(kern_function_input_count(function));
    detail::check(kern_bind_arguments(
        function, all.data(), all.count, requested->names.data(), named.data(),
        named.size(), bound.data(), bound.size()));
    all.many = std::move(bound);
    all.count = all.many.size();
    return all;
  }
  Values positional() const {
    Values all{{}, {}, count};
    for (size_t i = 0; many.empty() && i < count; ++i)
      all.here[i] = here[i]->get();
    all.many.reserve(many.size());
    for (const Argument &argument : many)
      all.many.push_back(argument.get());
    return all;
  }
  template <size_t N>
  static std::array<const DLTensor *, N>
  tensorsOf(const std::array<Output, N> &places) {
    std::array<const DLTensor *, N> tensors;
    for (size_t i = 0; i < N; ++i)
      tensors[i] = places[i].get();
    return tensors;
  }
  void invoke(const DLTensor *const *outputs, DLManagedTensor **results,
              size_t resultCount) {
    Values inputs = values();
    const kern_status status = start(inputs, outputs, results, resultCount);
    if (status == KERN_ERROR_CANCELLED && requested && requested->progress)
      requested->progress->rethrow();
    detail::check(status);
  }
  kern_status start(const Values &given, const DLTensor *const *outputs,
                    DLManagedTensor **results, size_t resultCount) {
    const kern_value *inputs = given.data();
    const kern_call_options *asked = finishOptions();
    const DLTensor *output = outputs ? outputs[0] : nullptr;
    switch (way) {
    case Way::Call:
      break;
    case Way::Reduce: {
      kern_value first = {};
      if (requested && requested->initial)
        first = requested->initial->get();
      const bool begins = requested && requested->initial;
      return kern_reduce(function, inputs, begins ? &first : nullptr, output,
                         results, asked, reportPlace);
    }
    case Way::Accumulate:
      return kern_accumulate(function, inputs, output, results, asked,
                             reportPlace);
    case Way::Reduceat:
      return kern_reduceat(function, inputs, inputs + 1, output, results, asked,
                           reportPlace);
    case Way::Outer:
      return kern_outer(function, inputs, inputs + 1, outputs, results,
                        resultCount, asked, reportPlace);
    case Way::At: {
      if (resultCount)
        throw refusal("at writes to its array: use run()");
      const bool hasOperand = kern_function_input_count(function) == 2;
      const size_t others = hasOperand ? 2 : 1;
      return kern_at(function, inputs[0].as.array, inputs + 1,
                     count < others ? 0 : count - others,
                     hasOperand ? inputs + count - 1 : nullptr, asked,
                     reportPlace);
    }
    }
    return kern_call(function, inputs, given.count, outputs, results,
                     resultCount, asked, reportPlace);
  }

  kern_function *function;
  std::shared_ptr<kern_module> module; ///< none if the function has a name
  std::array<std::optional<Argument>, few> here;
  std::vector<Argument> many; ///< all of them, if there are more
  size_t count;
  Way way = Way::Call;
  kern_call_request options = {};
  /// What `options` points to; NULL for most calls.
  std::unique_ptr<detail::RequestedOptions> requested;
  Report *reportPlace = nullptr;
};

inline Argument::Argument(Call &&call) : place(Array(std::move(call))) {}

} // namespace api
} // namespace kern

#endif
