#pragma once
// Context is a handler's view of its request. The session owns it, and it outlives the handler's coroutine.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/pending_questions.h"
#include "runtime/mcp/revision.h"

namespace snapgen::mcp {

// The severity of a log message, with the names of RFC 5424 and MCP.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view text(LogLevel level);

// The base class of what a server remembers about one client. It lives as long as the client's connection or
// session.
class ClientState {
 public:
  ClientState() = default;
  ClientState(ClientState&&) = delete;
  virtual ~ClientState() = default;
};

class Context {
 public:
  Context(Loop& loop, Revision revision, std::stop_token stop)
      : loop_(loop), revision_(revision), stop_(std::move(stop)) {}
  Context(Context&&) = delete;
  virtual ~Context() = default;

  Revision revision() const { return revision_; }
  // Returns a token that is stopped when the client cancels, the deadline passes, or the connection ends.
  virtual std::stop_token stop() const { return stop_; }
  Loop& loop() { return loop_; }

  // Runs `work` on the thread pool. Use it for work that may block or take more than 100 us:
  //   auto job = [&] { return ...; };  Result<X> x = co_await call.offload(job);
  template <class F>
  Offload<F> offload(F work) {
    return Offload<F>(loop_, stop(), work);
  }
  Sleep sleep(Millis duration) { return Sleep(loop_, stop(), duration); }

  // Reports progress. It is sent only if the client gave a progress token; `progress` must grow.
  virtual void progress(double progress, std::optional<double> total, std::string_view message) = 0;
  // Sends a log message if the client wants this level. `data` is one JSON value.
  virtual void log(LogLevel level, std::string_view logger, std::string_view data) = 0;

  // Closes the connection if the client can reconnect for the answer (a session over HTTP), and asks the
  // client to reconnect after the given time. On other transports this does nothing.
  virtual void disconnect_client(Millis) {}

  // Returns `clientInfo.name` of this request or of initialize, which may be empty. Valid until the request
  // ends.
  virtual std::string_view client_name() const { return {}; }
  // Returns the request's `_meta` as written, which may be empty. Valid until the handler first suspends.
  virtual std::string_view meta() const { return {}; }

  // Returns the pointer that holds the client's state, which is null until a handler sets it. Returns null if
  // the server cannot distinguish clients (stateless HTTP). Do not use it after the call has become a task.
  virtual std::unique_ptr<ClientState>* client_state() { return nullptr; }

  // Returns the capabilities that the client declared in this request or in initialize.
  virtual ClientAbilities client_abilities() const { return {}; }
  // Sends all questions together and waits until all are answered. Their keys must differ, and a handler may
  // have only one ask() at a time. Returns the results as JSON in the same order. sampling.h, elicitation.h
  // and roots.h build the questions. Errors: unsupported (this request cannot ask); unavailable (the client
  // refused, or too many calls wait); cancelled.
  virtual Task<std::vector<std::string>> ask(std::vector<Question> questions);

 private:
  Loop& loop_;
  Revision revision_;
  std::stop_token stop_;
};

// Sends a single question to the client and returns its result as JSON. Errors: as Context::ask().
Task<std::string> ask_question(Context& context, Question question);

}  // namespace snapgen::mcp
