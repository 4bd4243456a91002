#pragma once
// MemoryPeer: a Stream without a kernel, whose other end is a test. Bytes go both ways at a pace that the
// test chooses; all waiting is done with the port's alarms, so with a simulated port a seed decides
// everything.
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

  // The next bytes to move: how many at most (one or more), after how long.
  struct Step {
    std::size_t bytes = unlimited;
    Millis after{0};
  };
  struct Pace {
    std::function<Step()> arriving = [] { return Step(); };  // What the peer sends reaches us.
    std::function<Step()> taking = [] { return Step(); };    // The peer takes what we write.
    std::size_t capacity = unlimited;                        // Bytes written that the peer has not taken.
  };

  explicit MemoryPeer(Ready& loop) : MemoryPeer(loop, Pace()) {}
  MemoryPeer(Ready& loop, Pace pace);
  MemoryPeer(MemoryPeer&&) = delete;
  ~MemoryPeer() override;

  // The peer's end.
  void sends(std::string_view bytes);
  void ends();      // Sends no more: we see the end after what it has sent.
  void hangs_up();  // Takes no more, for good: our next write fails.
  void pauses();    // Takes nothing for a while.
  void goes_on();
  // All that the peer has taken. The event is set whenever there is more of it.
  const std::string& taken() const { return taken_; }
  Event& took() { return took_; }
  // Bytes sent that our end has not read.
  std::size_t unread() const { return sent_.size(); }

  // Our end.
  void listen(Listener* listener) override { listener_ = listener; }
  void watch_readable(bool on) override;
  void watch_writable(bool on) override;
  Moved read(std::span<char> into) override;
  Moved write(std::string_view bytes) override;
  void end() override { end_written_ = true; }
  // Our end wrote all that it will write, some of which may not have been taken.
  bool end_written() const { return end_written_; }

 private:
  template <void (MemoryPeer::*step)()>
  struct Bell final : Alarm {
    explicit Bell(MemoryPeer& peer) : peer(peer) {}
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

  ByteQueue sent_;  // By the peer; the first `here_` bytes have arrived.
  std::size_t here_ = 0;
  std::size_t next_arrival_ = 0;
  bool ended_ = false;     // By the peer ...
  bool end_here_ = false;  // ... and we can see it.
  ByteQueue written_;      // By us, not yet taken.
  std::size_t next_taking_ = 0;
  std::string taken_;
  bool paused_ = false;
  bool hung_up_ = false;
  bool end_written_ = false;
  Bell<&MemoryPeer::arrive> arrival_{*this};
  Bell<&MemoryPeer::take> taking_{*this};
};

}  // namespace snapgen
