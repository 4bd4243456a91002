#pragma once
// HistoryRecorder takes the moments of a workspace on a thread, without being asked: one when a session
// begins, and one whenever the watch has seen changes and then none for a while. No call waits for it.
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

class MomentTaker;
class Workspace;
struct HistoryOptions;

// Thread-safe.
class HistoryRecorder {
 public:
  // Receives a line for the log if moments cannot be taken, once for each reason; may be empty.
  using LogLine = std::function<void(std::string_view)>;

  // `workspace` must outlive this. `on_moment` is called on the recorder's thread after a new moment; may be
  // empty.
  HistoryRecorder(Workspace& workspace, const HistoryOptions& options, LogLine log_line,
                  std::function<void()> on_moment = {});
  HistoryRecorder(HistoryRecorder&&) = delete;
  ~HistoryRecorder();  // Takes a last moment if changes were seen, which takes milliseconds.

  // A call of a tool begins. Never waits.
  void note_call();

  // For calls that take moments themselves.
  MomentTaker& taker();

 private:
  class Loop;
  std::unique_ptr<MomentTaker> taker_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace snapgen::core
