//===- SingleFlight.h - what is asked for twice is made once ----*- C++ -*-===//
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

namespace kern {

/// Results by key, each made by the first that asks; others that ask meanwhile
/// wait for it. A failure is handed to those that waited and then forgotten.
template <typename Key, typename Value> class SingleFlight {
public:
  /// `make` gives an Expected<Value>. What it throws, those that wait throw
  /// too.
  template <typename Make> Expected<Value> get(const Key &key, Make make) {
    std::promise<Expected<Value>> promise;
    std::shared_future<Expected<Value>> future;
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
      Expected<Value> made = make();
      forget.isOff = bool(made);
      promise.set_value(made);
      return made;
    } catch (...) {
      promise.set_exception(std::current_exception());
      throw;
    }
  }

private:
  /// At the end, unless it is off; also when memory runs out in `make`.
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
  std::map<Key, std::shared_future<Expected<Value>>> results;
};

} // namespace kern
