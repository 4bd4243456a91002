#pragma once
// StillLoop: a loop whose clock only tests advance.
#include <stop_token>

#include "runtime/async/loop.h"
#include "runtime/async/sleep.h"
#include "tests/transcripts/still_port.h"

namespace snapgen::transcripts {

class StillLoop {
 public:
  // Runs everything that can happen within `time`, and then advances the clock by one more millisecond.
  void pass(Millis time = Millis(0)) {
    Result<Unit> passed = loop.run(sleep(time + Millis(1)));
    static_cast<void>(passed);
  }

  StillPort port;
  Loop loop{port};

 private:
  Task<Unit> sleep(Millis time) {
    std::stop_token never;
    Result<Unit> slept = co_await Sleep(loop, never, time);
    co_return slept;
  }
};

}  // namespace snapgen::transcripts
