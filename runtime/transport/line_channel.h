#pragma once
// LineChannel: a Channel of newline-delimited messages over any Stream, such as the process's standard
// descriptors or a test's stream.
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"
#include "runtime/async/task.h"
#include "runtime/transport/byte_queue.h"
#include "runtime/transport/channel.h"
#include "runtime/transport/frame_splitter.h"

namespace snapgen {

class LineChannel final : public Channel, Stream::Listener {
 public:
  // How long wait_drained() waits for a peer that reads nothing; 0 is forever. The time is long, because the
  // peer may be paused, by its user or in a debugger.
  static constexpr Millis output_stall_default{300'000};

  // The stream must outlive the channel.
  LineChannel(ReadyQueue& loop, Stream& stream,
              std::size_t message_bytes_max = FrameSplitter::message_bytes_max_default,
              Millis output_stall = output_stall_default);
  LineChannel(LineChannel&&) = delete;
  ~LineChannel() override;

  bool next(Frame& frame) override { return frames_.next(frame); }
  // Only one coroutine may wait. The channel reads only during a wait, so a session that stops waiting blocks
  // its peer.
  Task<bool> wait(std::stop_token stop) override;
  void send(std::string_view message) override;
  std::string& outgoing_buffer() override { return out_.append_buffer(); }
  void commit_outgoing() override;
  void flush() override;
  std::size_t unsent_bytes() const override { return out_.size(); }
  // Also returns false if the peer read nothing for `output_stall`: without reading, the channel cannot
  // detect a closed peer. Every successful write restarts that time.
  Task<bool> wait_drained(std::size_t bytes, std::stop_token stop) override;

 private:
  struct OutputTimer final : Alarm {
    explicit OutputTimer(LineChannel& channel) : channel(channel) {}
    void ring() override;
    LineChannel& channel;
  };

  void on_readable() override;
  void on_writable() override;
  void write();
  void start_output_timer();

  Port& port_;
  Stream& stream_;
  const Millis output_stall_;
  FrameSplitter frames_;
  Event arrived_;
  Event output_progress_;  // Set when the peer read output, is gone or is late.
  OutputTimer output_timer_{*this};
  ByteQueue out_;
  bool is_waiting_ = false;      // Whether a coroutine is in wait().
  bool watches_input_ = false;   // The stream reports when it is readable.
  bool watches_output_ = false;  // The stream reports when it is writable.
  bool input_ended_ = false;     // No more bytes will arrive.
  bool output_broken_ = false;   // The peer no longer reads, so output is dropped.
  bool output_is_late_ = false;  // The peer has read nothing for too long.
};

}  // namespace snapgen
