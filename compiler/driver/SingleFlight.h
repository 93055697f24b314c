//===- SingleFlight.h - concurrent requests share one result ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <future>
#include <map>
#include <mutex>

namespace kern::compiler {

/// Results by key. The first caller for a key makes the result; others wait for
/// it. A failure is returned to those that waited and then forgotten.
template <typename Key, typename Value> class SingleFlight {
public:
  /// `make` returns an Expected<Value>. If it throws, the waiting callers throw
  /// the same exception.
  template <typename Make>
  runtime::Expected<Value> get(const Key &key, Make make) {
    std::promise<runtime::Expected<Value>> promise;
    std::shared_future<runtime::Expected<Value>> future;
    {
      std::lock_guard lock(mutex);
      auto at = results.find(key);
      if (at != results.end()) {
        future = at->second;
      } else {
        results.emplace(key, promise.get_future().share());
      }
    }
    if (future.valid())
      return future.get();
    Forget forget{*this, key};
    try {
      runtime::Expected<Value> made = make();
      forget.isOff = bool(made);
      promise.set_value(made);
      return made;
    } catch (...) {
      promise.set_exception(std::current_exception());
      throw;
    }
  }

private:
  /// Forgets the key on destruction unless turned off, also if `make` runs out
  /// of memory.
  struct Forget {
    SingleFlight &flights;
    const Key &key;
    bool isOff = false;
    ~Forget() {
      if (isOff)
        return;
      std::lock_guard lock(flights.mutex);
      flights.results.erase(key);
    }
  };

  std::mutex mutex;
  std::map<Key, std::shared_future<runtime::Expected<Value>>> results;
};

} // namespace kern::compiler
