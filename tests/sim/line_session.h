#pragma once
// LineSession: a session like that of a server, with words instead of JSON. It tests the loop, scopes,
// channel and cancellation independently of the protocol.
//
//   call 7 work      answered with `done 7`, after `progress 7 1`, `progress 7 2` ... for some kinds of calls
//   cancel 7         asks call 7 to stop; a cancelled call gets no answer
//
// A call that exceeds its deadline is answered with `late 7`.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/transport/channel.h"

namespace snapgen::sim {

class LineSession {
 public:
  LineSession(Loop& loop, Channel& channel, std::stop_token stop)
      : loop_(loop), channel_(channel), stop_(std::move(stop)), calls_(loop, stop_) {}

  // Runs until the peer ends, the output is closed, or a stop. All calls have ended when it returns.
  Task<Unit> run() {
    for (;;) {
      Frame frame;
      while (channel_.next(frame)) handle(frame.text);
      channel_.flush();
      if (channel_.unsent_bytes() > unsent_bytes_max) {
        ++pauses_for_the_peer;
        Result<bool> drained = co_await channel_.wait_drained(unsent_bytes_max / 2, stop_);
        static_cast<void>(drained);
      }
      Result<bool> more = co_await channel_.wait(stop_);
      if (!*more) break;
    }
    calls_.cancel();
    co_await calls_.join();
    Result<bool> drained = co_await channel_.wait_drained(0, stop_);
    static_cast<void>(drained);
    co_return Unit{};
  }

  std::size_t finished_in_place = 0;
  std::size_t pauses_for_the_peer = 0;

 private:
  static constexpr std::size_t unsent_bytes_max = 300;

  // Records a stop that the client, the deadline or the session requests.
  struct Call final : Alarm {
    explicit Call(std::stop_token session) : on_session_stop(std::move(session), Forward{this}) {}
    struct Forward {
      Call* self;
      void operator()() noexcept { self->stop.request_stop(); }
    };
    void ring() override { late = stop.request_stop(); }
    bool late = false;
    std::stop_source stop;
    std::stop_callback<Forward> on_session_stop;
  };

  void handle(std::string_view line) {
    std::size_t space = line.rfind(' ');
    if (line.starts_with("cancel ")) {
      auto found = running_.find(std::string(line.substr(space + 1)));
      if (found != running_.end()) found->second->stop.request_stop();
    } else if (line.starts_with("call ") && space > 5) {
      finished_in_place +=
          calls_.spawn(call(std::string(line.substr(5, space - 5)), std::string(line.substr(space + 1))));
    } else {
      channel_.send("unknown");
    }
  }

  Task<Unit> call(std::string id, std::string kind) {
    auto call = std::make_unique<Call>(calls_.stop());
    std::stop_token stop = call->stop.get_token();
    loop_.port().start(*call, Millis(500));
    Call& own = *call;
    running_.emplace(id, std::move(call));
    Result<Unit> outcome = co_await work(id, kind, stop);
    loop_.port().cancel(own);
    bool late = own.late;
    running_.erase(id);
    if (outcome) {
      answer("done " + id);
    } else if (late) {
      answer("late " + id);
    }
    co_return outcome;
  }

  Task<Unit> work(std::string id, std::string kind, std::stop_token stop) {
    if (kind == "echo") co_return Unit{};
    std::string touched = "on the heap, so that use after free shows: " + id;
    for (int step = 1; step <= 3; ++step) {
      auto job = [&]() -> Result<std::size_t> {
        if (stop.stop_requested()) return cancelled_error();
        return touched.size();
      };
      Result<std::size_t> worked = co_await Offload(loop_, stop, job);
      std::size_t size = co_await worked;
      if (kind == "work") break;
      answer("progress " + id + " " + std::to_string(step));
      Millis pause(size % 7 * 10);
      Result<Unit> slept = co_await Sleep(loop_, stop, pause);
      Unit none = co_await slept;
      static_cast<void>(none);
    }
    if (kind == "stuck") {
      Event never(loop_);
      Result<Unit> came = co_await never.wait(stop);
      Unit none = co_await came;
      static_cast<void>(none);
    }
    co_return Unit{};
  }

  void answer(const std::string& line) {
    channel_.send(line);
    channel_.flush();
  }

  Loop& loop_;
  Channel& channel_;
  std::stop_token stop_;
  TaskScope calls_;
  std::map<std::string, std::unique_ptr<Call>> running_;
};

}  // namespace snapgen::sim
