#pragma once
// Context: one request in progress, as whoever answers it sees it. Owned by the session; outlives the
// handler's coroutine.
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

// RFC 5424 severities, as MCP names them.
enum class LogLevel : std::uint8_t { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view text(LogLevel level);

// What a server remembers of one client. It lives as long as the client's connection or session.
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
  // Requested when the client cancels, the deadline passes, or the connection ends.
  virtual std::stop_token stop() const { return stop_; }
  Loop& loop() { return loop_; }

  // Runs `work` on the pool: auto job = [&] { return ...; };  Result<X> x = co_await call.offload(job);
  // For whatever may block or take more than 100 us.
  template <class F>
  Offload<F> offload(F work) {
    return Offload<F>(loop_, stop(), work);
  }
  Sleep sleep(Millis duration) { return Sleep(loop_, stop(), duration); }

  // Sent only if the client asked for it with a progress token; `progress` must grow.
  virtual void progress(double progress, std::optional<double> total, std::string_view message) = 0;
  // Sent only if the client asked for this level. `data` is one JSON value.
  virtual void log(LogLevel level, std::string_view logger, std::string_view data) = 0;

  // Lets the connection go that waits for the answer, where a client can come back for it (a session over
  // HTTP): it is told to do so after this while. Elsewhere nothing happens.
  virtual void detach(Millis) {}

  // The name that the client gives its program (`clientInfo.name`), with this request or in initialize; empty
  // if it gives none. Valid until the request ends.
  virtual std::string_view client_name() const { return {}; }
  // The request's `_meta` as the client wrote it, a JSON object; empty if it has none. Valid until the
  // handler first waits.
  virtual std::string_view meta() const { return {}; }

  // The place where the client's state is stored; it contains null until a handler sets it. Null if the
  // server cannot tell the requests of different clients apart (stateless requests over HTTP). The handler
  // does not use it after the call has become a task.
  virtual std::unique_ptr<ClientState>* client_state() { return nullptr; }

  // What the client can do when it is asked: as it said with this request, or in initialize.
  virtual ClientAbilities client() const { return {}; }
  // Asks the client everything at once, each question under another key, and waits until all is answered: the
  // results, as JSON, in the same order. sampling.h, elicitation.h and roots.h know the questions. One at a
  // time. Errors: unsupported (the request can't ask); unavailable (the client refused, or too many wait);
  // cancelled.
  virtual Task<std::vector<std::string>> ask(std::vector<Question> questions);

 private:
  Loop& loop_;
  Revision revision_;
  std::stop_token stop_;
};

}  // namespace snapgen::mcp
