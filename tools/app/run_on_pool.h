#pragma once
// Runs a handler that blocks on the thread pool.
#include <stop_token>

#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Returns the result of run(app, in, stop). `in` must outlive the task. Errors: those of `run`; cancelled.
template <class Input, class Output>
Task<Output> run_on_pool(App& app, mcp::Call& call, const Input& in,
                         Result<Output> (*run)(App&, const Input&, const std::stop_token&)) {
  auto job = [&] { return run(app, in, call.stop()); };
  Result<Output> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
