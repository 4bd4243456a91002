#pragma once
// MemoryPeer: an in-memory Stream whose other end is a test. The test sets the pace in each direction. All
// waiting uses the port's alarms, so with a simulated port the seed determines every run.
//
//   MemoryPeer peer(loop, {.arriving = one_byte_at_a_time, .capacity = 100});
//   LineChannel channel(loop, peer);
//   peer.sends("{}\n");
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/ready.h"
#include "runtime/async/stream.h"
#include "runtime/transport/byte_queue.h"

namespace snapgen {

class MemoryPeer final : public Stream {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  // The next bytes to move: at most how many (at least one), and after what delay.
  struct Step {
    std::size_t bytes = unlimited;
    Millis after{0};
  };
  struct Pace {
    std::function<Step()> arriving = [] { return Step(); };  // Delivers what the peer sends.
    std::function<Step()> taking = [] { return Step(); };    // The peer reads what the stream writes.
    std::size_t capacity = unlimited;  // Limit of written bytes that the peer has not read.
  };

  explicit MemoryPeer(Ready& loop) : MemoryPeer(loop, Pace()) {}
  MemoryPeer(Ready& loop, Pace pace);
  MemoryPeer(MemoryPeer&&) = delete;
  ~MemoryPeer() override;

  // The peer's end.
  void sends(std::string_view bytes);
  void ends();           // Closes the peer's sending side; the reader sees the end after all sent bytes.
  void stop_reading();   // Permanently stops reading: the next write fails.
  void pause_reading();  // Stops reading until resume_reading().
  void resume_reading();
  // All bytes that the peer has read. took() is set whenever there are more.
  const std::string& taken() const { return taken_; }
  Event& took() { return took_; }
  // Bytes that were sent but not yet read from this stream.
  std::size_t unread() const { return sent_.size(); }

  // The Stream's side.
  void listen(Listener* listener) override { listener_ = listener; }
  void watch_readable(bool on) override;
  void watch_writable(bool on) override;
  Transferred read(std::span<char> into) override;
  Transferred write(std::string_view bytes) override;
  void end() override { end_written_ = true; }
  // Whether end() was called. Some written bytes may still be unread.
  bool end_written() const { return end_written_; }

 private:
  template <void (MemoryPeer::*step)()>
  struct StepAlarm final : Alarm {
    explicit StepAlarm(MemoryPeer& peer) : peer(peer) {}
    void ring() override { (peer.*step)(); }
    MemoryPeer& peer;
  };
  void arrive();
  void take();
  void plan_arrival();
  void plan_taking();

  Port& port_;
  Pace pace_;
  Event took_;
  Listener* listener_ = nullptr;
  bool watching_readable_ = false;
  bool watching_writable_ = false;

  ByteQueue sent_;  // Sent by the peer; the first `here_` bytes have arrived.
  std::size_t here_ = 0;
  std::size_t next_arrival_ = 0;
  bool ended_ = false;     // The peer called ends() ...
  bool end_here_ = false;  // ... and the end is visible to the reader.
  ByteQueue written_;      // Written to this stream, not yet read by the peer.
  std::size_t next_taking_ = 0;
  std::string taken_;
  bool paused_ = false;
  bool hung_up_ = false;
  bool end_written_ = false;
  StepAlarm<&MemoryPeer::arrive> arrival_{*this};
  StepAlarm<&MemoryPeer::take> taking_{*this};
};

}  // namespace snapgen
