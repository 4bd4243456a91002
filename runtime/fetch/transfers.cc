#include "runtime/fetch/transfers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <coroutine>
#include <string_view>
#include <utility>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace snapgen::fetch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t head_bytes_max = 64 * 1024;

Error unavailable(std::string cause) {
  return Error(ErrorCode::unavailable, "This server cannot call HTTP services.", {}, std::move(cause));
}

// Starts libcurl and the TLS library at the first call, which takes milliseconds. Errors: unavailable.
Result<Unit> start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) return unavailable("curl_global_init");
  return Unit{};
}

// Returns the file of certificates that this system trusts. Distributions differ, and a program that runs on
// all of them was compiled with the path of one. Null if there is none of the known files.
const char* trusted_certificates() {
  for (const char* each : {"/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch
                           "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
                           "/etc/ssl/ca-bundle.pem",                             // openSUSE
                           "/etc/pki/tls/certs/ca-bundle.crt",                   // older Fedora and RHEL
                           "/etc/ssl/cert.pem"})                                 // Alpine
    if (::access(each, R_OK) == 0) return each;
  return nullptr;
}

TransferFault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return TransferFault::none;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT: return TransferFault::unreachable;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_PEER_FAILED_VERIFICATION: return TransferFault::untrusted;
    case CURLE_OPERATION_TIMEDOUT: return TransferFault::timed_out;
    case CURLE_FILESIZE_EXCEEDED: return TransferFault::too_large;
    default: return TransferFault::broken;
  }
}

}  // namespace

// The state that all transfers share: libcurl's handle, the sockets to wait for, and the driving coroutine.
struct Transfers::State {
  explicit State(Loop& loop) : loop(loop) {}
  State(State&&) = delete;
  ~State() {
    assert(running.empty() && "a transfer outlives its Transfers");
    if (multi) curl_multi_cleanup(multi);
    if (sockets >= 0) ::close(sockets);
  }

  Result<Unit> open();
  // Handles ready sockets, due timers and finished transfers.
  void proceed();
  // Wakes the oldest transfer's coroutine to drive all transfers, unless a coroutine already drives them.
  void hand_over_driving();

  static int socket_changed(CURL*, curl_socket_t fd, int what, void* self, void* known);
  static int timer_changed(CURLM*, long after_ms, void* self);

  Loop& loop;
  CURLM* multi = nullptr;
  int sockets = -1;  // The descriptor of the epoll set.
  std::optional<Clock::time_point> due;
  std::vector<Transfer*> running;  // The oldest is first.
  bool has_driver = false;
  DriverWait* turn = nullptr;  // Where the driving coroutine waits; null if it runs.
};

// One request in progress. It is a local variable of the coroutine that waits for the response.
class Transfers::Transfer {
 public:
  Transfer(State& state, const Request& request) : changed(state.loop), state_(state), request_(request) {}
  Transfer(Transfer&&) = delete;
  ~Transfer() {
    if (easy_) {
      curl_multi_remove_handle(state_.multi, easy_);
      curl_easy_cleanup(easy_);
      std::erase(state_.running, this);
    }
    curl_slist_free_all(headers_);
  }

  Result<Unit> begin();
  void finish(CURLcode code);
  Response take() { return std::move(response_); }

  bool done = false;
  Event changed;  // Set when the transfer is done, or its coroutine should drive all transfers.

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    refused_ = curl_easy_setopt(easy_, option, value) != CURLE_OK || refused_;
  }
  static std::size_t take_head(char* bytes, std::size_t, std::size_t count, void* self);
  static std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* self);

  State& state_;
  const Request& request_;
  CURL* easy_ = nullptr;
  curl_slist* headers_ = nullptr;
  bool refused_ = false;
  std::size_t head_bytes_ = 0;
  bool overflown_ = false;
  std::array<char, CURL_ERROR_SIZE> words_{};
  Response response_;
};

// Suspends the driving coroutine until a socket is ready, libcurl's timer is due or a stop is requested.
class [[nodiscard]] Transfers::DriverWait final : DescriptorWait, Alarm {
 public:
  DriverWait(State& state, std::stop_token stop) : state_(state), stop_(std::move(stop)) {}
  DriverWait(DriverWait&&) = delete;

  bool await_ready() const noexcept { return stop_.stop_requested(); }
  bool await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    Result<Unit> watched = state_.loop.port().watch(*this, state_.sockets);
    if (!watched) refused_ = std::move(watched).error();
    if (refused_) return false;
    state_.turn = this;
    waits_ = true;
    set_alarm();
    if (stop_.stop_possible()) on_stop_.emplace(stop_, Cancel{this});
    return true;
  }
  Result<Unit> await_resume() {
    if (refused_) return *std::move(refused_);
    return Unit{};
  }

  void set_alarm() {
    Port& port = state_.loop.port();
    port.cancel(static_cast<Alarm&>(*this));
    if (!state_.due) return;
    const auto left = std::chrono::ceil<Millis>(*state_.due - Clock::now());
    port.start(*this, std::max(left, Millis(0)));
  }

 private:
  struct Cancel {
    DriverWait* self;
    void operator()() noexcept { self->wake(); }
  };
  void wake() {
    if (!std::exchange(waits_, false)) return;
    state_.turn = nullptr;
    state_.loop.port().unwatch(static_cast<DescriptorWait&>(*this));
    state_.loop.port().cancel(static_cast<Alarm&>(*this));
    state_.loop.post(waiter_);
  }
  void on_readable() override { wake(); }
  void ring() override { wake(); }

  State& state_;
  std::stop_token stop_;
  bool waits_ = false;
  std::optional<Error> refused_;
  std::coroutine_handle<> waiter_;
  std::optional<std::stop_callback<Cancel>> on_stop_;
};

Result<Unit> Transfers::State::open() {
  TRY(start_libcurl());
  sockets = ::epoll_create1(EPOLL_CLOEXEC);
  multi = curl_multi_init();
  if (sockets < 0 || !multi) return unavailable("no epoll set, or no multi handle");
  const bool ready = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &State::socket_changed) == CURLM_OK &&
                     curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this) == CURLM_OK &&
                     curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &State::timer_changed) == CURLM_OK &&
                     curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this) == CURLM_OK;
  if (!ready) return unavailable("curl_multi_setopt");
  return Unit{};
}

int Transfers::State::socket_changed(CURL*, curl_socket_t fd, int what, void* self, void*) {
  const int set = static_cast<State*>(self)->sockets;
  if (what == CURL_POLL_REMOVE) {
    ::epoll_ctl(set, EPOLL_CTL_DEL, fd, nullptr);  // The socket may be closed already.
    return 0;
  }
  epoll_event wanted{};
  wanted.data.fd = fd;
  if (what & CURL_POLL_IN) wanted.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) wanted.events |= EPOLLOUT;
  if (::epoll_ctl(set, EPOLL_CTL_MOD, fd, &wanted) == 0) return 0;
  return ::epoll_ctl(set, EPOLL_CTL_ADD, fd, &wanted) == 0 ? 0 : -1;
}

int Transfers::State::timer_changed(CURLM*, long after_ms, void* self) {
  State& state = *static_cast<State*>(self);
  state.due.reset();
  if (after_ms >= 0) state.due = Clock::now() + Millis(after_ms);
  if (state.turn) state.turn->set_alarm();
  return 0;
}

void Transfers::State::proceed() {
  int still_running = 0;
  std::array<epoll_event, 64> ready;
  const int count = ::epoll_wait(sockets, ready.data(), static_cast<int>(ready.size()), 0);
  for (int i = 0; i < count; ++i) {
    int what = 0;
    if (ready[i].events & (EPOLLIN | EPOLLHUP)) what |= CURL_CSELECT_IN;
    if (ready[i].events & EPOLLOUT) what |= CURL_CSELECT_OUT;
    if (ready[i].events & EPOLLERR) what |= CURL_CSELECT_ERR;
    curl_multi_socket_action(multi, ready[i].data.fd, what, &still_running);
  }
  if (due && *due <= Clock::now()) {
    due.reset();
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &still_running);
  }
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    void* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    static_cast<Transfer*>(transfer)->finish(code);
  }
}

void Transfers::State::hand_over_driving() {
  if (!has_driver && !running.empty()) running.front()->changed.set();
}

Result<Unit> Transfers::Transfer::begin() {
  easy_ = curl_easy_init();
  if (!easy_) return unavailable("curl_easy_init");
  for (const std::string& each : request_.headers) {
    curl_slist* longer = curl_slist_append(headers_, each.c_str());
    if (!longer) return unavailable("curl_slist_append");
    headers_ = longer;
  }
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_ERRORBUFFER, words_.data());
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_HTTPHEADER, headers_);
  if (request_.method == Method::post) {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());
  }
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // Without it, a cancelled call waits for the resolver's thread.
  set(CURLOPT_FRESH_CONNECT, request_.repeatable ? 0L : 1L);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<Millis::rep>(request_.timeout.count(), 1)));
  set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::max<Millis::rep>(request_.connect_timeout.count(), 1)));
  if (!request_.proxy_from_environment) set(CURLOPT_PROXY, "");
  set(CURLOPT_SOCKS5_AUTH, CURLAUTH_BASIC);  // A static program has no GSSAPI.
  const char* const trusted = request_.ca_file.empty() ? trusted_certificates() : request_.ca_file.c_str();
  if (trusted != nullptr) set(CURLOPT_CAINFO, trusted);
  set(CURLOPT_HEADERFUNCTION, &Transfer::take_head);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::take_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  if (refused_) return unavailable("curl_easy_setopt");
  state_.running.push_back(this);
  if (curl_multi_add_handle(state_.multi, easy_) != CURLM_OK) return unavailable("curl_multi_add_handle");
  return Unit{};
}

std::size_t Transfers::Transfer::take_head(char*, std::size_t, std::size_t count, void* self) {
  Transfer& transfer = *static_cast<Transfer*>(self);
  transfer.head_bytes_ += count;
  transfer.overflown_ = transfer.head_bytes_ > head_bytes_max;
  return transfer.overflown_ ? 0 : count;
}

std::size_t Transfers::Transfer::take_body(char* bytes, std::size_t, std::size_t count, void* self) {
  Transfer& transfer = *static_cast<Transfer*>(self);
  std::string& body = transfer.response_.body;
  transfer.overflown_ = count > transfer.request_.body_bytes_max - body.size();
  if (transfer.overflown_) return 0;
  body.append(bytes, count);
  return count;
}

void Transfers::Transfer::finish(CURLcode code) {
  done = true;
  changed.set();
  response_.fault = overflown_ ? TransferFault::too_large : fault_of(code);
  if (response_.fault != TransferFault::none) {
    curl_off_t connected_us = 0;
    curl_easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &connected_us);
    if (response_.fault == TransferFault::timed_out && connected_us == 0)
      response_.fault = TransferFault::unreachable;
    response_.cause = words_[0] ? words_.data() : curl_easy_strerror(code);
    response_.body.clear();
    return;
  }
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  const char* type = nullptr;
  curl_easy_getinfo(easy_, CURLINFO_CONTENT_TYPE, &type);
  if (type) response_.content_type = type;
  curl_header* header = nullptr;
  if (curl_easy_header(easy_, "Content-Encoding", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
    response_.is_encoded = std::string_view(header->value) != "identity";
  // libcurl parses both forms of Retry-After: a number of seconds and a date.
  if (curl_easy_header(easy_, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK) {
    constexpr curl_off_t longest_s = 1'000'000'000;
    curl_off_t after_s = 0;
    curl_easy_getinfo(easy_, CURLINFO_RETRY_AFTER, &after_s);
    // If the number of seconds overflows, libcurl returns 0.
    const bool overflow = after_s == 0 && header->value[0] >= '1' && header->value[0] <= '9';
    response_.retry_after =
        Millis(overflow ? longest_s * 1000 : std::clamp<curl_off_t>(after_s, 0, longest_s) * 1000);
  }
}

Transfers::Transfers(Loop& loop) : loop_(loop) {}
Transfers::~Transfers() = default;

Task<Response> Transfers::run(const Request& request, std::stop_token stop) {
  if (!state_) {
    auto made = std::make_unique<State>(loop_);
    Result<Unit> opened = made->open();
    if (!opened) co_return std::move(opened).error();
    state_ = std::move(made);
  }
  State& state = *state_;
  std::optional<Error> failed;
  Response response;
  {
    Transfer transfer(state, request);
    Result<Unit> begun = transfer.begin();
    if (!begun) failed = std::move(begun).error();
    while (!failed && !transfer.done && !stop.stop_requested()) {
      if (state.has_driver) {
        transfer.changed.reset();
        Result<Unit> done = co_await transfer.changed.wait(stop);
        static_cast<void>(done);
        continue;
      }
      state.has_driver = true;
      Result<Unit> turned = co_await DriverWait(state, stop);
      state.has_driver = false;
      if (!turned) failed = std::move(turned).error();
      if (!failed) state.proceed();
    }
    if (!failed && !transfer.done) failed = cancelled_error();
    response = transfer.take();
  }
  state.hand_over_driving();
  if (failed) co_return *std::move(failed);
  co_return std::move(response);
}

}  // namespace snapgen::fetch
