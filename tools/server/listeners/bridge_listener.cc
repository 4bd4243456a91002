#include "tools/server/listeners/bridge_listener.h"

#include <algorithm>
#include <utility>

#include "runtime/streamable/guard.h"
#include "tools/bridge/serve_browser.h"
#include "tools/server/resources/bridge_resources.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t secret_bytes_min = 16;
constexpr std::size_t mcp_message_bytes_max = std::size_t{64} << 20;
constexpr std::size_t connections_max = 256;

// Returns the origins that may connect by default. Tokens authenticate clients; this excludes unrelated web
// pages.
std::vector<std::string> usual_origins() {
  return {"chrome-extension://*", "moz-extension://*", "safari-web-extension://*",
          "https://snap.berkeley.edu"};
}

// Returns the limits of a browser's connection, which are those of the bridge.
websocket::ConnectionOptions browser_connection() {
  const BridgeLimits limits;
  websocket::ConnectionOptions options;
  options.endpoint.message_bytes_max = static_cast<std::size_t>(limits.max_message_size_bytes);
  options.unsent_bytes_max = std::size_t{4} << 20;
  return options;
}

// Returns the line of the log for a client whose Host or Origin was rejected: the cause, and how to allow it.
// `protocol` is that of its service, and `browser_origins` may connect without one.
std::string rejection_line(const http::RequestHead& head, websocket::RejectedField field,
                           std::string_view protocol, std::uint16_t port,
                           const std::vector<std::string>& browser_origins) {
  const std::string rejected = "The bridge rejected a connection ";
  if (field == websocket::RejectedField::host)
    return rejected + "to the host " + std::string(head.host) + ". The host must have the port " +
           std::to_string(port) +
           ", and a name of this machine or one in \"bridge\": {\"hosts\": [...]} of .snapback/config.json.";
  const std::string origin(head.field("Origin"));
  const std::string from = rejected + "from the origin " + origin;
  if (const std::string_view form = websocket::missing_id_form(origin); !form.empty())
    return from + ": the id of the extension must be " + std::string(form) + ".";
  if (!protocol.empty() && websocket::is_allowed_origin(origin, browser_origins))
    return from + " with the subprotocol " + std::string(protocol) +
           ", which is for programs. A browser of the bridge uses no subprotocol.";
  return from + ". To allow it, start the server with --allow-origin " + origin + ".";
}

}  // namespace

Result<std::unique_ptr<BridgeListener>> BridgeListener::open(Loop& loop, App& app, mcp::Server& server,
                                                             BridgeListenerOptions options,
                                                             std::stop_token stop) {
  Address address = TRY(streamable::parse_address(options.address));
  if (!is_loopback(address) && options.allowed_hosts.empty())
    return Error(ErrorCode::invalid_argument, "Other machines reach " + options.address +
                                                  ": \"bridge\": {\"hosts\": [...]} in .snapback/config.json "
                                                  "must name the host names that they may use.");
  if (!options.token_secret.empty() && options.token_secret.size() < secret_bytes_min)
    return Error(ErrorCode::invalid_argument, "SNAP_MCP_SECRET_KEY has fewer than " +
                                                  std::to_string(secret_bytes_min) +
                                                  " characters. Set a longer one.");
  if (is_loopback(address)) {
    TRY(streamable::access_rules_for(address, options.bearer_token));
  }
  std::unique_ptr<Acceptor> acceptor = TRY(loop.port().listen(address));
  const std::string url = streamable::url_of(acceptor->address(), "/");
  bridge::HubOptions hub_options;
  BridgeLimits& limits = hub_options.limits;
  limits.keep_alive_interval_ms = options.keep_alive_interval_ms.value_or(limits.keep_alive_interval_ms);
  hub_options.url = "ws" + url.substr(url.find(':'));
  hub_options.new_token_url = url + "new-token";
  hub_options.token_secret = std::move(options.token_secret);
  hub_options.on_event = [&server] { server.announce_resource_changed(events_uri); };
  std::unique_ptr<bridge::Hub> hub = TRY(bridge::Hub::create(loop, app.log, std::move(hub_options)));
  std::unique_ptr<BridgeListener> listener(
      new BridgeListener(loop, app, std::move(acceptor), std::move(hub), std::move(stop)));
  listener->set_up_services(server, options);
  return listener;
}

BridgeListener::BridgeListener(Loop& loop, App& app, std::unique_ptr<Acceptor> acceptor,
                               std::unique_ptr<bridge::Hub> hub, std::stop_token stop)
    : loop_(loop),
      app_(app),
      stop_(std::move(stop)),
      acceptor_(std::move(acceptor)),
      hub_(std::move(hub)),
      status_pages_(*hub_) {
  app_.shared.bridge = hub_.get();
}

BridgeListener::~BridgeListener() { app_.shared.bridge = nullptr; }

void BridgeListener::set_up_services(mcp::Server& server, const BridgeListenerOptions& options) {
  const Address& address = acceptor_->address();
  websocket::ServerOptions sockets;
  sockets.rules.port = address.port;
  for (const std::string& each : options.allowed_hosts) sockets.rules.hosts.push_back(each);
  sockets.connections_max = std::min(connections_max, options.sockets_max / 2);
  const std::size_t websockets_max = sockets.connections_max + sockets.closing_connections_max();
  limits_.connections_max =
      std::min(limits_.connections_max,
               options.sockets_max > websockets_max ? options.sockets_max - websockets_max : 1);
  sockets.page_handler = &status_pages_;
  std::vector<std::string> origins =
      options.bridge_origins.empty() ? usual_origins() : options.bridge_origins;
  origins.insert(origins.end(), options.origins.begin(), options.origins.end());
  // Browsers show their page only that the connection failed.
  sockets.on_rejected_peer = [&log = app_.log, port = address.port, origins, last = std::string()](
                                 const http::RequestHead& head, websocket::RejectedField field,
                                 std::string_view protocol) mutable {
    std::string line = rejection_line(head, field, protocol, port, origins);
    if (line != last) log.write(Severity::warning, line);
    last = std::move(line);
  };
  const auto serve_a_browser = [this](websocket::Connection& connection, std::stop_token over) {
    return bridge::serve_browser(*hub_, connection, std::move(over));
  };
  std::vector<websocket::Service> services;
  services.push_back({.protocol = "",
                      .serve = serve_a_browser,
                      .origins = std::move(origins),
                      .connection = browser_connection()});
  if (is_loopback(address)) {
    const auto speak_mcp = [this, &server](websocket::Connection& connection, std::stop_token over) {
      return mcp::serve(loop_, connection, server, std::move(over));
    };
    websocket::ConnectionOptions connection;
    connection.endpoint.message_bytes_max = mcp_message_bytes_max;
    // `loopback` is false here because the WebSocket handshake has already checked the host name.
    streamable::AccessRules access{
        .is_loopback_only = false, .token = options.bearer_token, .origins = options.origins};
    const auto deny = [access = std::move(access)](const http::RequestHead& head) {
      return streamable::access_denial(head, access);
    };
    // These origins differ from those above: a page that may pair with the bridge may not call tools over
    // MCP.
    services.push_back({.protocol = "mcp",
                        .serve = speak_mcp,
                        .origins = options.origins,
                        .connection = connection,
                        .deny = deny});
  }
  websocket_server_ =
      std::make_unique<websocket::Server>(loop_, std::move(sockets), std::move(services), stop_);
}

Task<Unit> BridgeListener::serve() {
  return websocket::serve(loop_, *acceptor_, *websocket_server_, limits_, stop_);
}

}  // namespace snapgen::tools
