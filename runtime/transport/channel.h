#pragma once
// Channel: one peer, whole messages both ways. The session sees nothing else of a transport.
//
// Reading takes all messages that one read brought before it waits again; writing appends to one buffer that
// one write sends. So neither side pays a system call for each message.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"

namespace snapgen {

// Names one request among those that travel side by side, each with an answer of its own (HTTP). 0: none.
using RequestStream = std::uint64_t;

// One message as it was cut from the stream, or why it could not be cut; or that nobody waits for the answer
// to a request stream's request any more.
struct Frame {
  enum class Kind : std::uint8_t { message, oversize, gone };
  Kind kind = Kind::message;
  std::string_view text;  // Valid until the next next() or wait(). Empty when oversize.
  RequestStream request_stream = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;

  // The next whole message already here. False: none; wait() for more.
  virtual bool next(Frame& frame) = 0;

  // Waits until next() may succeed, or the peer closed, or `stop` was requested. False: closed or stopped,
  // and every frame has been taken.
  virtual Task<bool> wait(std::stop_token stop) = 0;

  // Appends one message (without its delimiter) to what will be sent. Never waits.
  virtual void send(std::string_view message) = 0;

  // For writers that append in place: write one message into the buffer, then call sent().
  virtual std::string& outgoing() = 0;
  virtual void sent() = 0;

  // What the next message belongs to. `last`: it answers the request stream's request; `code`: with this
  // JSON-RPC error, if not 0. A channel with one stream for everything does not care.
  struct Addressee {
    RequestStream request_stream = 0;
    bool last = false;
    int code = 0;
  };
  virtual void address(const Addressee&) {}
  // The request stream's request gets no answer.
  virtual void unanswered(RequestStream) {}
  // Whoever waits for the request stream's answer may go, and come back for it after this while.
  virtual void detach(RequestStream, Millis) {}

  // Whether something is done for the peer. Where places are few, one for whom nothing is gives way to
  // others.
  virtual void busy(bool) {}

  // Hands what was appended to the system, without waiting. Called once per batch of messages.
  virtual void flush() = 0;

  // Bytes appended and not yet taken by the peer. The session stops reading above its limit.
  virtual std::size_t unsent() const = 0;
  // Waits until unsent() is at most `bytes`. False: it won't be, for the peer is gone, or takes nothing.
  virtual Task<bool> drained(std::size_t bytes, std::stop_token stop) = 0;
};

}  // namespace snapgen
