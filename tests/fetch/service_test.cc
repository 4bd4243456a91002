// Services that misbehave, over real sockets: misbehaving.py behaves as the path of the base URL says.
#include "runtime/fetch/service.h"

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/details.h"
#include "runtime/uv/uv_port.h"
#include "tests/sim/sim_port.h"
#include "tests/transport/child.h"

namespace snapgen::fetch {

// All routes of this test have the same request and response.
struct Question {
  std::string text;
};
struct Number {
  std::int64_t answer = 0;
};
struct Look {};

void write(json::Writer& out, const Question& value) {
  out.text("{\"text\":");
  out.string(value.text);
  out.text("}");
}
void write(json::Writer& out, const Look&) { out.text("{}"); }
void read(json::Reader& in, Number& out) {
  if (!in.begin_object()) return;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "answer") {
      in.integer(out.answer);
    } else {
      in.skip();
    }
  }
}
Route route_of(const Question*) { return {"test.ask", Method::post, "/ask", false}; }
Number answer_of(const Question*);
Route route_of(const Look*) { return {"test.look", Method::get, "/look", true}; }
json::Raw answer_of(const Look*);

// The same request, marked as idempotent.
struct Patient : Question {};
Route route_of(const Patient*) { return {"test.ask", Method::post, "/ask", true}; }
Number answer_of(const Patient*);

namespace {

class Misbehaving {
 public:
  Misbehaving()
      : child_("/usr/bin/env", {in_.read_end.get(), out_.write_end.get(), 2},
               {"python3", "-B", SNAPGEN_SOURCE_ROOT "/tests/fetch/misbehaving.py"}) {
    out_.write_end.reset();
    std::string line;
    while (!line.ends_with('\n')) {
      const std::string byte = read_bytes(out_.read_end.get(), 1);
      if (byte.empty()) break;
      line += byte;
    }
    port_ = line.substr(0, line.find(' '));
    tls_port_ = line.substr(line.find(' ') + 1, line.size() - line.find(' ') - 2);
  }
  std::string url(std::string_view behaviour) const {
    return "http://127.0.0.1:" + port_ + "/" + std::string(behaviour);
  }
  std::string tls_url(std::string_view behaviour) const {
    return "https://127.0.0.1:" + tls_port_ + "/" + std::string(behaviour);
  }

 private:
  Pipe in_ = make_pipe();
  Pipe out_ = make_pipe();
  Child child_;
  std::string port_, tls_port_;
};

ServiceOptions options_for(std::string url) {
  ServiceOptions options{.base_url = std::move(url), .user_agent = "snapgen/test"};
  options.timeout = Millis(30'000);
  options.answer_bytes_max = 100'000;
  options.retry.first_wait_max = Millis(1);
  options.retry.longest_wait_max = Millis(2);
  options.breaker.attempts_min = 1000;
  return options;
}

class ServiceTest : public testing::Test {
 protected:
  template <class In>
  Result<ResponseTo<In>> ask_with(ServiceOptions options, const In& in, std::stop_token stop = {}) {
    Service service(loop, std::move(options), 1);
    return loop.run(ask(service, in, std::move(stop)));
  }
  Result<Number> ask_of(std::string_view behaviour) {
    return ask_with(options_for(server().url(behaviour)), Patient());
  }
  std::int64_t count_of(std::string_view key) {
    Result<Number> count = ask_of("count/" + std::string(key));
    return count ? count->answer : -1;
  }
  static Misbehaving& server() {
    static Misbehaving running;
    return running;
  }

  std::unique_ptr<UvPort> port = std::move(*UvPort::create());
  Loop loop{*port};
};

void expect_failure(const Result<Number>& result, std::string_view words) {
  ASSERT_FALSE(result) << words;
  EXPECT_EQ(result.error().code, ErrorCode::unavailable) << result.error().message;
  EXPECT_NE(result.error().message.find(words), std::string::npos)
      << result.error().message << " lacks " << words;
  EXPECT_NE(json::object_text(result.error().details).find("\"correlation_id\":\"snapgen-"),
            std::string::npos)
      << json::object_text(result.error().details);
}

TEST_F(ServiceTest, AResponseIsParsedIntoItsStruct) {
  const Result<Number> number = ask_of("good");
  ASSERT_TRUE(number) << number.error().message << number.error().cause;
  EXPECT_EQ(number->answer, 42);
  EXPECT_TRUE(ask_of("problem_json"));
}

TEST_F(ServiceTest, EachRequestHasItsHeadersAndABodyOnlyIfItsRouteHasOne) {
  ServiceOptions options = options_for(server().url("good"));
  options.token = "very.secret-token";
  ASSERT_TRUE(ask_with(options, Question{.text = "why? \"\xc3\xbc\""}));
  const Result<json::Raw> posted = ask_with(options_for(server().url("last")), Look());
  ASSERT_TRUE(posted);
  for (std::string_view part :
       {R"("method": "POST")", R"("path": "/good/ask")", R"("accept": "application/json")",
        R"("content-type": "application/json")", R"("authorization": "Bearer very.secret-token")",
        R"("user-agent": "snapgen/test")", R"("x-correlation-id": "snapgen-)",
        R"({\"text\":\"why? \\\"\u00fc\\\"\"})"})
    EXPECT_NE(posted->text.find(part), std::string::npos) << posted->text << " lacks " << part;
  for (std::string_view part : {"expect", "accept-encoding", "cookie"})
    EXPECT_EQ(posted->text.find(part), std::string::npos) << posted->text;
  const Result<json::Raw> got = ask_with(options_for(server().url("last/")), Look());
  ASSERT_TRUE(got);
  EXPECT_NE(got->text.find(R"("method": "GET", "path": "/last/look")"), std::string::npos) << got->text;
  for (std::string_view part : {"content-type", "content-length", "authorization"})
    EXPECT_EQ(got->text.find(part), std::string::npos) << got->text;
}

TEST_F(ServiceTest, InvalidResponsesAreReported) {
  const std::map<std::string, std::string> cases = {
      {"bad_json", "with a body that does not match the expected schema"},
      {"wrong_type", "with a body that does not match the expected schema"},
      {"invalid_utf8", "invalid UTF-8"},
      {"content_type", "with content that is not JSON"},
      {"no_content", "answered 204 without content"},
      {"huge", "more than 100000 bytes"},
      {"endless", "more than 100000 bytes"},
      {"endless_head", "more than 100000 bytes"},
      {"gzip", "an encoding that was not requested"},
      {"redirect", "answered 302, a redirect, which is not followed"},
      {"garbage", "closed the connection, or does not speak HTTP"},
      {"reset_before", "closed the connection"},
      {"reset_after", "closed the connection"},
      {"truncated", "closed the connection"},
      {"closed", "closed the connection"},
      {"nowhere", "answered 404"},
      {"status/500/99/a", "answered 500"},
      {"status/401/99/a", "answered 401"},
  };
  for (const auto& [behaviour, words] : cases) expect_failure(ask_of(behaviour), words);
}

TEST_F(ServiceTest, DetailsOfJsonErrorsAreOnlyLogged) {
  const Result<Number> wrong = ask_of("wrong_type");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().cause.find("/answer: expected an integer"), std::string::npos)
      << wrong.error().cause;
  EXPECT_NE(json::object_text(wrong.error().details).find("\"status\":200"), std::string::npos)
      << json::object_text(wrong.error().details);
  const Result<Number> cut = ask_of("bad_json");
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().cause.find("no JSON at byte"), std::string::npos) << cut.error().cause;
}

TEST_F(ServiceTest, ASilentServiceTimesOut) {
  auto body = [](Loop& home, const Misbehaving& there) -> Task<Unit> {
    TaskScope scope(home);
    std::vector<std::unique_ptr<Service>> services;
    std::vector<std::string> messages;
    auto one = [](Service& service, std::vector<std::string>& out) -> Task<Unit> {
      const Patient patient;
      Task<Number> asking = ask(service, patient, std::stop_token());
      Result<Number> number = co_await std::move(asking);
      out.push_back(number ? "answered" : number.error().message);
      co_return Unit{};
    };
    for (std::string_view behaviour : {"silent", "slow_head", "slow_body"}) {
      ServiceOptions options = options_for(there.url(behaviour));
      options.timeout = Millis(1500);
      services.push_back(std::make_unique<Service>(home, options, 1));
      scope.spawn(one(*services.back(), messages));
    }
    co_await scope.join();
    EXPECT_EQ(messages.size(), 3u);
    for (const std::string& each : messages)
      EXPECT_NE(each.find("did not answer in 1500 ms"), std::string::npos) << each;
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop, server())));
}

TEST_F(ServiceTest, ConnectionRefusedIsReportedAndRetried) {
  const Result<Number> number = ask_with(options_for("http://127.0.0.1:1"), Question());
  expect_failure(number, "The service at http://127.0.0.1:1 cannot be reached.");
  EXPECT_NE(json::object_text(number.error().details).find("\"attempts\":3"), std::string::npos)
      << json::object_text(number.error().details);
}

TEST_F(ServiceTest, NoRequestIsSentWithAnUntrustedCertificate) {
  expect_failure(ask_with(options_for(server().tls_url("good/untrusted")), Patient()),
                 "has no trusted certificate");
  EXPECT_EQ(count_of("untrusted"), 0);
  ServiceOptions trusting = options_for(server().tls_url("good/trusted"));
  trusting.ca_file = SNAPGEN_SOURCE_ROOT "/tests/fetch/localhost.pem";
  EXPECT_TRUE(ask_with(trusting, Patient()));
  EXPECT_EQ(count_of("trusted"), 1);
  trusting.base_url.replace(trusting.base_url.find("127.0.0.1"), 9, "localhost");
  expect_failure(ask_with(trusting, Patient()), "has no trusted certificate");
}

TEST_F(ServiceTest, IdempotentRequestsAreRetried) {
  ASSERT_TRUE(ask_of("status/500/2/again"));
  EXPECT_EQ(count_of("again"), 3);
  ASSERT_TRUE(ask_of("status/503/1/once"));
  ASSERT_TRUE(ask_of("break_off/off"));
  EXPECT_EQ(count_of("off"), 2);
  expect_failure(ask_of("status/500/9/never"), "answered 500");
  EXPECT_EQ(count_of("never"), 3);
  expect_failure(ask_of("status/404/1/not_there"), "answered 404");
  EXPECT_EQ(count_of("not_there"), 1);
}

TEST_F(ServiceTest, OtherRequestsAreSentOnce) {
  expect_failure(ask_with(options_for(server().url("status/500/9/single")), Question()), "answered 500");
  EXPECT_EQ(count_of("single"), 1);
  expect_failure(ask_with(options_for(server().url("break_off/first")), Question()), "closed the connection");
  EXPECT_EQ(count_of("first"), 1);
}

TEST_F(ServiceTest, HonoursRetryAfter) {
  ASSERT_TRUE(ask_with(options_for(server().url("retry_after/429/0/zero")), Question()));
  EXPECT_EQ(count_of("zero"), 2);
  ASSERT_TRUE(ask_of("retry_after/503/Thu,_01_Jan_1970_00:00:00_GMT/past"));
  EXPECT_EQ(count_of("past"), 2);
  for (std::string_view much : {"3600", "999999999999999999999", "Fri,_31_Dec_2098_23:59:59_GMT"}) {
    const Result<Number> number = ask_of("retry_after/429/" + std::string(much) + "/much");
    expect_failure(number, "answered 429");
    ASSERT_FALSE(number);
    EXPECT_NE(json::object_text(number.error().details).find("\"retry_after_ms\":"), std::string::npos)
        << json::object_text(number.error().details);
    EXPECT_NE(json::object_text(number.error().details).find("\"attempts\":1"), std::string::npos)
        << json::object_text(number.error().details);
  }
}

TEST_F(ServiceTest, AFailingServiceIsNotCalledForAWhile) {
  ServiceOptions options = options_for(server().url("status/500/99/breaker"));
  options.breaker = {.attempts_min = 4, .failed_percent = 50, .window_ms = 600'000, .open_ms = 600'000};
  options.retry.retries_max = 0;
  Service service(loop, options, 1);
  for (int i = 0; i < 4; ++i) expect_failure(loop.run(ask(service, Patient(), {})), "answered 500");
  const Result<Number> refused = loop.run(ask(service, Patient(), {}));
  expect_failure(refused, "no request is sent until retry_after_ms");
  EXPECT_NE(json::object_text(refused.error().details).find("\"retry_after_ms\":"), std::string::npos);
  EXPECT_EQ(count_of("breaker"), 4);
}

TEST_F(ServiceTest, ClientErrorsDoNotOpenTheBreaker) {
  ServiceOptions options = options_for(server().url("status/400/99/picky"));
  options.breaker = {.attempts_min = 2, .failed_percent = 1, .window_ms = 600'000, .open_ms = 600'000};
  Service service(loop, options, 1);
  for (int i = 0; i < 8; ++i) expect_failure(loop.run(ask(service, Patient(), {})), "answered 400");
}

// The stop is requested after the request has arrived.
TEST_F(ServiceTest, AStopCancelsOnlyItsRequest) {
  auto body = [](Loop& home, const Misbehaving& there) -> Task<Unit> {
    TaskScope scope(home);
    Service silent(home, options_for(there.url("silent/stopped")), 1);
    Service other(home, options_for(there.url("count/stopped")), 1);
    std::stop_source stop;
    std::vector<ErrorCode> codes;
    auto waits = [](Service& service, std::stop_token token, std::vector<ErrorCode>& out) -> Task<Unit> {
      const Patient patient;
      Task<Number> asking = ask(service, patient, token);
      Result<Number> number = co_await std::move(asking);
      if (!number) out.push_back(number.error().code);
      co_return Unit{};
    };
    for (int i = 0; i < 2; ++i) scope.spawn(waits(silent, stop.get_token(), codes));
    const Patient patient;
    for (std::int64_t arrived = 0; arrived < 2;) {
      Task<Number> asking = ask(other, patient, std::stop_token());
      Result<Number> count = co_await std::move(asking);
      EXPECT_TRUE(count) << (count ? "" : count.error().message);
      if (!count) break;
      arrived = count->answer;
    }
    stop.request_stop();
    co_await scope.join();
    const std::vector<ErrorCode> expected = {ErrorCode::cancelled, ErrorCode::cancelled};
    EXPECT_EQ(codes, expected);
    Task<Number> asking = ask(other, patient, std::stop_token());
    Result<Number> after = co_await std::move(asking);
    EXPECT_TRUE(after);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop, server())));
}

TEST_F(ServiceTest, AStopEndsARetryDelay) {
  ServiceOptions options = options_for(server().url("retry_after/429/4/stop_between"));
  std::stop_source stop;
  auto body = [](Loop& home, const Misbehaving& there, ServiceOptions with,
                 std::stop_source source) -> Task<Unit> {
    TaskScope scope(home);
    Service service(home, std::move(with), 1);
    Service other(home, options_for(there.url("count/stop_between")), 1);
    bool cancelled = false;
    auto waits = [](Service& asked, std::stop_token token, bool& out) -> Task<Unit> {
      const Patient patient;
      Task<Number> asking = ask(asked, patient, token);
      Result<Number> number = co_await std::move(asking);
      out = !number && number.error().code == ErrorCode::cancelled;
      co_return Unit{};
    };
    scope.spawn(waits(service, source.get_token(), cancelled));
    const Patient patient;
    for (std::int64_t arrived = 0; arrived < 1;) {
      Task<Number> asking = ask(other, patient, std::stop_token());
      Result<Number> count = co_await std::move(asking);
      if (!count) break;
      arrived = count->answer;
    }
    source.request_stop();
    co_await scope.join();
    EXPECT_TRUE(cancelled);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop, server(), options, stop)));
}

TEST_F(ServiceTest, ManyConcurrentRequestsAreAllAnswered) {
  auto body = [](Loop& home, const Misbehaving& there) -> Task<Unit> {
    TaskScope scope(home);
    Service service(home, options_for(there.url("good")), 1);
    int answered = 0;
    auto one = [](Service& asked, int& out) -> Task<Unit> {
      const Patient patient;
      Task<Number> asking = ask(asked, patient, std::stop_token());
      Result<Number> number = co_await std::move(asking);
      if (number && number->answer == 42) ++out;
      co_return Unit{};
    };
    for (int i = 0; i < 50; ++i) scope.spawn(one(service, answered));
    co_await scope.join();
    EXPECT_EQ(answered, 50);
    co_return Unit{};
  };
  EXPECT_TRUE(loop.run(body(loop, server())));
}

TEST_F(ServiceTest, EnvironmentProxiesAreUsedOnlyIfEnabled) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  ::setenv("no_proxy", "", 1);
  EXPECT_TRUE(ask_of("good"));
  ServiceOptions options = options_for(server().url("good"));
  options.proxy_from_environment = true;
  expect_failure(ask_with(options, Patient()), "cannot be reached");
  ::unsetenv("http_proxy");
}

TEST(ServiceWithoutDescriptors, APortWithoutDescriptorsIsReported) {
  sim::SimPort port(1);
  Loop loop(port);
  Service service(loop, options_for("http://127.0.0.1:1"), 1);
  const Result<Number> number = loop.run(ask(service, Patient(), {}));
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace snapgen::fetch
