// Who is measured: the store and its peers, behind the same verbs.
#pragma once

#include "cases.hpp"
#include "sharded_map.hpp"

#include <ratchet/native/mutex_store.hpp>
#include <ratchet/native/store.hpp>

namespace ratchet_bench {

// add.operator()<Subject>(name) for each subject that the options name.
template <class Key, class Value, class Add>
void for_each_subject(const options& wanted, Add add) {
  if (wanted.wants("ratchet")) add.template operator()<ratchet::store<Key, Value>>("ratchet");
  if (wanted.wants("mutex")) add.template operator()<ratchet::mutex_store<Key, Value>>("mutex");
  if (wanted.wants("sharded")) add.template operator()<sharded_map<Key, Value>>("sharded");
}

// One case for each subject, key count and thread count; `run<Subject>(keys, threads, cell)`
// measures, `cell` is its name for messages.
template <class Key, class Value, class Run>
void add_cases(const options& wanted, const std::string& operation, cases& into, Run run) {
  for (const std::size_t keys : wanted.keys) {
    for (const std::uint32_t threads : wanted.threads) {
      for_each_subject<Key, Value>(wanted, [&]<class Subject>(const std::string& subject) {
        const std::string cell =
            operation + "/" + subject + "/" + std::to_string(keys) + "/" + std::to_string(threads);
        into.push_back({operation, subject, keys, threads,
                        [=] { return run.template operator()<Subject>(keys, threads, cell); }});
      });
    }
  }
}

}  // namespace ratchet_bench
