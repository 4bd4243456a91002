#pragma once
// Threads on systems that may refuse to create one, since containers and users have limits on threads.
#include <system_error>
#include <thread>

namespace snapgen::core {

// Starts a thread that runs `work`. If none can be created, runs nothing; the result is then not joinable.
template <class Work>
std::jthread try_start_thread(const Work& work) {
  try {
    return std::jthread(work);
  } catch (const std::system_error&) {
    return {};
  }
}

// Starts a thread that runs `work`. If none can be created, runs it here; the result is then not joinable.
template <class Work>
std::jthread run_on_thread_or_here(const Work& work) {
  std::jthread thread = try_start_thread(work);
  if (!thread.joinable()) work();
  return thread;
}

}  // namespace snapgen::core
