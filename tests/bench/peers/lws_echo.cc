// Echo server on libwebsockets without other layers, on one thread.
#include <cstdio>
#include <cstring>
#include <deque>
#include <string>

#include <libwebsockets.h>

namespace {

struct Peer {
  std::string arriving;             // An incomplete message.
  std::deque<std::string> waiting;  // Each has space for a frame header before it.
};

int serve(lws* connection, lws_callback_reasons reason, void* user, void* in, std::size_t bytes) {
  Peer*& peer = *static_cast<Peer**>(user);
  switch (reason) {
    case LWS_CALLBACK_ESTABLISHED: peer = new Peer(); break;
    case LWS_CALLBACK_CLOSED: delete peer; break;
    case LWS_CALLBACK_RECEIVE:
      if (peer->arriving.empty()) peer->arriving.assign(LWS_PRE, '\0');
      peer->arriving.append(static_cast<const char*>(in), bytes);
      if (lws_is_final_fragment(connection) != 0 && lws_remaining_packet_payload(connection) == 0) {
        peer->waiting.push_back(std::move(peer->arriving));
        peer->arriving.clear();
        lws_callback_on_writable(connection);
      }
      break;
    case LWS_CALLBACK_SERVER_WRITEABLE: {
      if (peer->waiting.empty()) break;
      std::string& message = peer->waiting.front();
      auto* payload = reinterpret_cast<unsigned char*>(message.data()) + LWS_PRE;
      if (lws_write(connection, payload, message.size() - LWS_PRE, LWS_WRITE_TEXT) < 0) return -1;
      peer->waiting.pop_front();
      if (!peer->waiting.empty()) lws_callback_on_writable(connection);
      break;
    }
    default: break;
  }
  return 0;
}

}  // namespace

int main() {
  lws_set_log_level(LLL_ERR, nullptr);
  lws_protocols protocols[2] = {};
  protocols[0].name = "echo";
  protocols[0].callback = &serve;
  protocols[0].per_session_data_size = sizeof(Peer*);
  protocols[0].rx_buffer_size = 16384;
  lws_context_creation_info options;
  std::memset(&options, 0, sizeof options);
  options.iface = "127.0.0.1";
  options.port = 0;
  options.protocols = protocols;
  options.gid = options.uid = static_cast<decltype(options.gid)>(-1);
  lws_context* context = lws_create_context(&options);
  if (context == nullptr) return 1;
  std::printf("ws://127.0.0.1:%d/\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
  std::fflush(stdout);
  while (lws_service(context, 0) >= 0) continue;
  lws_context_destroy(context);
  return 0;
}
