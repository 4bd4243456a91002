#pragma once
// Channel: exchanges whole messages with one peer. It is all that the session uses of a transport.
//
// Reading returns all messages of one read before it waits again; writes are collected in a buffer that one
// write sends. So neither direction pays a system call for each message.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"

namespace snapgen {

// Identifies one of several concurrent requests that are answered separately (HTTP). 0: none.
using RequestStream = std::uint64_t;

// One message from the stream, the reason why it was rejected, or a notice that the client no longer waits
// for the response to a request.
struct Frame {
  enum class Kind : std::uint8_t { message, oversize, gone };
  Kind kind = Kind::message;
  std::string_view text;  // Valid until the next next() or wait(). Empty when oversize.
  RequestStream request_stream = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;

  // Returns the next whole message that has arrived. False: there is none; call wait().
  virtual bool next(Frame& frame) = 0;

  // Waits until next() may succeed, the peer closed, or `stop` was requested. False: closed or stopped, and
  // all frames have been read.
  virtual Task<bool> wait(std::stop_token stop) = 0;

  // Appends one message (without its delimiter) to the output. Never waits.
  virtual void send(std::string_view message) = 0;

  // Lets a writer append in place: write one message into the buffer, then call sent().
  virtual std::string& outgoing() = 0;
  virtual void sent() = 0;

  // The destination of the next message. `last`: it is the response to the request stream's request. `code`:
  // its JSON-RPC error code, or 0. Channels with a single stream ignore it.
  struct Addressee {
    RequestStream request_stream = 0;
    bool last = false;
    int code = 0;
  };
  virtual void address(const Addressee&) {}
  // The request stream's request gets no response.
  virtual void unanswered(RequestStream) {}
  // The client may disconnect and reconnect for the response after this delay.
  virtual void detach(RequestStream, Millis) {}

  // Whether the server works for this peer. When connections are scarce, idle peers are dropped first.
  virtual void busy(bool) {}

  // Sends the output as far as possible without waiting. Called once per batch of messages.
  virtual void flush() = 0;

  // Output that the peer has not read, in bytes. The session stops reading above its limit.
  virtual std::size_t unsent() const = 0;
  // Waits until unsent() is at most `bytes`. False: the peer is gone or has stopped reading.
  virtual Task<bool> drained(std::size_t bytes, std::stop_token stop) = 0;
};

}  // namespace snapgen
