// The part of UvPort that waits until a descriptor can be read.
#include <cassert>
#include <memory>
#include <utility>

#include <uv.h>

#include "runtime/async/port.h"
#include "runtime/base/result.h"
#include "runtime/uv/state.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

void close_poll(uv_poll_t* poll) {
  const auto closed = [](uv_handle_t* handle) { delete reinterpret_cast<uv_poll_t*>(handle); };
  uv_close(reinterpret_cast<uv_handle_t*>(poll), closed);
}

}  // namespace

Result<Unit> UvPort::watch(DescriptorWait& readiness, int fd) {
  assert(std::this_thread::get_id() == state_->thread);
  auto poll = std::make_unique<uv_poll_t>();
  if (const int code = uv_poll_init(&state_->loop, poll.get(), fd)) return uv_error("uv_poll_init", code);
  poll->data = &readiness;
  readiness.port_data = poll.get();
  // An error of the descriptor also counts as readable; the next read returns it.
  const auto on_event = [](uv_poll_t* handle, int, int) {
    DescriptorWait& ready = *static_cast<DescriptorWait*>(handle->data);
    ready.port_data = nullptr;
    close_poll(handle);
    ready.on_readable();
  };
  const int code = uv_poll_start(poll.get(), UV_READABLE, on_event);
  assert(code == 0);
  static_cast<void>(code);
  static_cast<void>(poll.release());
  return Unit{};
}

void UvPort::unwatch(DescriptorWait& readiness) {
  assert(std::this_thread::get_id() == state_->thread && "a stop is requested on the loop's thread");
  if (readiness.port_data) close_poll(static_cast<uv_poll_t*>(std::exchange(readiness.port_data, nullptr)));
}

}  // namespace snapgen
