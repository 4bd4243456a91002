#pragma once
// Channel: exchanges whole messages with one peer. A session uses a transport only through this interface.
//
// Reading returns all messages of one read before it waits again; writes are collected in a buffer that one
// write sends. So neither direction needs a system call for each message.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/loop.h"

namespace snapgen {

// Identifies one of several concurrent requests that are answered separately (HTTP). 0 is none.
using RequestStream = std::uint64_t;

// A message from the peer, or the notice that a message was too long, or that the client no longer waits for
// the response to a request.
struct Frame {
  enum class Kind : std::uint8_t { message, oversize, client_gone };
  Kind kind = Kind::message;
  std::string_view text;  // Valid until the next call of next() or wait().
  RequestStream request_stream = 0;
  std::uint64_t bytes = 0;  // The size of a message that was too long, as far as it is known.
};

class Channel {
 public:
  virtual ~Channel() = default;

  // Gets the next whole message that has arrived. Returns false if there is none; then call wait().
  virtual bool next(Frame& frame) = 0;

  // Waits until next() may succeed. Returns false if the peer closed the stream or `stop` was requested, and
  // all messages have been read.
  virtual Task<bool> wait(std::stop_token stop) = 0;

  // Returns why the channel, and not the peer, has ended the stream: a sentence, or empty if there is none.
  virtual std::string_view end_reason() const { return {}; }

  // Appends one message (without its delimiter) to the output. Never waits.
  virtual void send(std::string_view message) = 0;

  // Returns the output buffer, for a writer that appends one message to it in place and then calls
  // commit_outgoing().
  virtual std::string& outgoing_buffer() = 0;
  virtual void commit_outgoing() = 0;

  // The destination of the next message. `last` tells that the message is the response to the request, and
  // `code` is its JSON-RPC error code, or 0. Channels with a single stream ignore it.
  struct Addressee {
    RequestStream request_stream = 0;
    bool last = false;
    int code = 0;
  };
  virtual void set_addressee(const Addressee&) {}
  // Reports that the request of this stream gets no response.
  virtual void report_unanswered(RequestStream) {}
  // Disconnects a client that can reconnect for the response, and asks it to do so after this time.
  virtual void disconnect_client(RequestStream, Millis) {}

  // Reports whether the server has work for this peer. Of too many peers, idle ones are disconnected first.
  virtual void set_busy(bool) {}

  // Sends the output as far as possible without waiting. Called once per batch of messages.
  virtual void flush() = 0;

  // Returns how many bytes of output the peer has not read. Above its limit, the session stops reading.
  virtual std::size_t unsent_bytes() const = 0;
  // Waits until unsent_bytes() is at most `bytes`. Returns false if the peer is gone or has stopped reading.
  virtual Task<bool> wait_drained(std::size_t bytes, std::stop_token stop) = 0;
};

}  // namespace snapgen
