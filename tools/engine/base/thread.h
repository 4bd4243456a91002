#pragma once
// Threads where the system may have none to give: a container has a limit of them, a user too. What one would
// have done is done all the same.
#include <system_error>
#include <thread>

namespace snapgen::core {

// A thread that runs `work`; not joinable: there is none to be had, and nothing was run.
template <class Work>
std::jthread thread_if_any(const Work& work) {
  try {
    return std::jthread(work);
  } catch (const std::system_error&) {
    return {};
  }
}

// A thread that runs `work`; not joinable: there is none to be had, and it was run here.
template <class Work>
std::jthread beside(const Work& work) {
  std::jthread thread = thread_if_any(work);
  if (!thread.joinable()) work();
  return thread;
}

}  // namespace snapgen::core
