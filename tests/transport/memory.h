#pragma once
// MemoryPeer: an in-memory Stream whose other end is a test. The test sets the pace in each direction. All
// waiting uses the port's alarms, so with a simulated port the seed determines every run.
//
//   MemoryPeer peer(loop, {.arrival = one_byte_at_a_time, .capacity = 100});
//   LineChannel channel(loop, peer);
//   peer.send("{}\n");
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"
#include "runtime/transport/byte_queue.h"

namespace snapgen {

class MemoryPeer final : public Stream {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  // How many of the next bytes are moved at most (at least one), and after what delay.
  struct Step {
    std::size_t bytes = unlimited;
    Millis delay{0};
  };
  struct Pace {
    std::function<Step()> arrival = [] { return Step(); };  // how bytes that the peer sends arrive
    std::function<Step()> reading = [] { return Step(); };  // how the peer reads written bytes
    std::size_t capacity = unlimited;  // Limit of written bytes that the peer has not read.
  };

  explicit MemoryPeer(ReadyQueue& loop) : MemoryPeer(loop, Pace()) {}
  MemoryPeer(ReadyQueue& loop, Pace pace);
  MemoryPeer(MemoryPeer&&) = delete;
  ~MemoryPeer() override;

  // The peer's end of the stream.
  void send(std::string_view bytes);
  void end_sending();    // Closes the peer's sending side; the reader sees the end after all sent bytes.
  void stop_reading();   // Stops reading forever, so the next write fails.
  void pause_reading();  // Stops reading until resume_reading().
  void resume_reading();
  // These return all bytes that the peer has read, and an event that is set whenever it has read more.
  const std::string& received() const { return received_; }
  Event& received_more() { return received_more_; }
  // Returns how many bytes the peer sent that were not yet read from this stream.
  std::size_t unread() const { return sent_.size(); }

  // The functions of Stream.
  void set_listener(Listener* listener) override { listener_ = listener; }
  void watch_readable(bool on) override;
  void watch_writable(bool on) override;
  Transferred read(std::span<char> into) override;
  Transferred write(std::string_view bytes) override;
  void end() override { has_ended_writing_ = true; }
  // Returns whether end() was called. The peer may not have read all written bytes yet.
  bool has_ended_writing() const { return has_ended_writing_; }

 private:
  template <void (MemoryPeer::*step)()>
  struct StepAlarm final : Alarm {
    explicit StepAlarm(MemoryPeer& peer) : peer(peer) {}
    void ring() override { (peer.*step)(); }
    MemoryPeer& peer;
  };
  void arrive();
  void read_output();
  void plan_arrival();
  void plan_reading();

  Port& port_;
  Pace pace_;
  Event received_more_;
  Listener* listener_ = nullptr;
  bool watching_readable_ = false;
  bool watching_writable_ = false;

  ByteQueue sent_;  // Sent by the peer; the first `arrived_bytes_` bytes have arrived.
  std::size_t arrived_bytes_ = 0;
  std::size_t next_arrival_ = 0;
  bool has_ended_sending_ = false;  // The peer called end_sending().
  bool end_has_arrived_ = false;    // The reader can see the end.
  ByteQueue unread_output_;         // Written to this stream, not yet read by the peer.
  std::size_t next_reading_ = 0;
  std::string received_;
  bool reading_is_paused_ = false;
  bool has_stopped_reading_ = false;
  bool has_ended_writing_ = false;
  StepAlarm<&MemoryPeer::arrive> arrival_alarm_{*this};
  StepAlarm<&MemoryPeer::read_output> reading_alarm_{*this};
};

}  // namespace snapgen
