#include <harness/crowd.hpp>
#include <ratchet/base/atomic.hpp>

#include <pthread.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

// A caller needs little, and a thousand of the default 8 MB exhaust small machines' address limits.
constexpr std::size_t stack_bytes = RATCHET_TSAN ? 512 * 1024 : 128 * 1024;

// Sleeping first: callers that spin while others are still being made would slow that down. Then
// spinning until all are awake: being woken takes longer than a call.
class gate {
 public:
  explicit gate(std::uint32_t threads) : threads_(threads) {}

  // False: the run was called off.
  bool wait() {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return open_ || off_; });
      if (off_) return false;
    }
    // acq_rel: everybody's start comes after everybody's waking.
    awake_.fetch_add(1, base::acq_rel);
    while (awake_.load(base::acquire) < threads_) base::thread_yield();  // acquire: as above
    return true;
  }
  void open() { change(open_); }
  void call_off() { change(off_); }

 private:
  void change(bool& which) {
    {
      const std::lock_guard lock(mutex_);
      which = true;
    }
    changed_.notify_all();
  }

  std::uint32_t threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  bool off_ = false;
  base::atomic<std::uint32_t> awake_{0};
};

struct crowd {
  std::uint32_t callers;
  std::uint32_t threads;
  const std::function<void(std::uint32_t)>& body;
  gate start;
  std::mutex mutex;
  std::exception_ptr first_error;
};

struct member {
  crowd* all;
  std::uint32_t number;
  pthread_t thread;
};

void* run_member(void* argument) {
  const member& me = *static_cast<member*>(argument);
  crowd& all = *me.all;
  if (!all.start.wait()) return nullptr;
  try {
    for (std::uint32_t i = me.number; i < all.callers; i += all.threads) all.body(i);
  } catch (...) {
    const std::lock_guard lock(all.mutex);
    if (!all.first_error) all.first_error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_crowd(std::uint32_t callers, std::uint32_t threads,
               const std::function<void(std::uint32_t)>& body) {
  if (threads == 0 || threads > callers) threads = callers;
  crowd all{callers, threads, body, gate(threads), {}, nullptr};
  std::vector<member> members(threads);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  std::uint32_t made = 0;
  int error = 0;
  for (; made < threads && error == 0; ++made) {
    members[made] = {&all, made, {}};
    error = pthread_create(&members[made].thread, &attributes, run_member, &members[made]);
    if (error != 0) break;
  }
  pthread_attr_destroy(&attributes);
  if (error == 0)
    all.start.open();
  else
    all.start.call_off();
  for (std::uint32_t i = 0; i < made; ++i) pthread_join(members[i].thread, nullptr);
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "only " + std::to_string(made) + " of " + std::to_string(threads) +
                                " threads could be started");
  if (all.first_error) std::rethrow_exception(all.first_error);
}

}  // namespace ratchet::inline RATCHET_ABI::harness
