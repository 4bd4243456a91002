// load: starts a stdio MCP server, sends requests, and prints the cost as one JSON object.
//
//   load start    [--era E] [--count N] -- COMMAND...      spawn to first answer, N times
//   load latency  [--era E] [--count N] [SUBJECT] -- ...   one call at a time
//   load flood    [--era E] [--count N] [--window W] [--wait spin|sleep] [SUBJECT] -- ...   W calls in flight
//   load memory   [--era E] [SUBJECT] -- ...               after one call, idle
//   load exit     [--era E] [--count N] [--in-flight K] [--signal S] [SUBJECT] -- ...   from closing stdin to
//       the end of the process
//
// E is legacy (initialize) or modern (2026-07-28). SUBJECT is the echo tool with a short text, --bytes B for
// one of B bytes, or --tool NAME --arguments JSON. Times are in microseconds.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

#include "tests/bench/child.h"
#include "tests/bench/requests.h"

namespace bench {
namespace {

struct Options {
  std::string mode;
  Era era = Era::legacy;
  std::size_t count = 0;  // 0: the default of the mode
  std::size_t window = 64;
  std::size_t bytes = 0;
  std::size_t in_flight = 0;
  Waiting waiting = Waiting::sleeps;
  int signal = 0;
  std::string tool;
  std::string arguments = "{}";
  std::vector<std::string> command;
};

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("not a number: " + std::string(text));
  return value;
}

Options parse(int argc, char** argv) {
  Options options;
  if (argc < 2) fail("a mode is missing; tests/bench/load.cc lists them");
  options.mode = argv[1];
  int i = 2;
  for (; i + 1 < argc && std::strcmp(argv[i], "--") != 0; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    if (name == "--era") {
      options.era = value == "modern" ? Era::modern : Era::legacy;
    } else if (name == "--count") {
      options.count = number(value);
    } else if (name == "--window") {
      options.window = number(value);
    } else if (name == "--wait") {
      options.waiting = value == "spin" ? Waiting::spins : Waiting::sleeps;
    } else if (name == "--bytes") {
      options.bytes = number(value);
    } else if (name == "--in-flight") {
      options.in_flight = number(value);
    } else if (name == "--signal") {
      options.signal = static_cast<int>(number(value));
    } else if (name == "--tool") {
      options.tool = value;
    } else if (name == "--arguments") {
      options.arguments = value;
    } else {
      fail("unknown option " + std::string(name));
    }
  }
  options.command.assign(argv + std::min(i + 1, argc), argv + argc);
  if (options.command.empty()) fail("the command of the server is missing after --");
  return options;
}

Subject subject(const Options& options) {
  Subject chosen = echo(options.era, options.bytes);
  if (!options.tool.empty()) {
    chosen.tool = options.tool;
    chosen.arguments = options.arguments;
    chosen.expected.clear();
  }
  return chosen;
}

double us(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

double percentile(std::vector<double>& values, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

// Makes the connection ready for calls; the modern era needs no handshake.
void handshake_response(Child& server, Era era) {
  if (era == Era::modern) return;
  const std::string hello = initialize();
  server.send(hello);
  const std::string answer = server.line();
  if (answer.find("\"result\"") == std::string::npos)
    fail("initialize was not answered with a result: " + answer);
  const std::string ready = initialized();
  server.send(ready);
}

// Calls until `count` calls are answered, with `window` calls in flight. Checks every 16th answer.
void pump(Child& server, const Requests& requests, std::size_t count, std::size_t window) {
  std::size_t sent = 0;
  std::size_t answered = 0;
  std::string partial;  // the beginning of an incomplete answer
  const auto send = [&](std::size_t how_many) {
    how_many = std::min(how_many, count - sent);
    while (how_many > 0) {
      const std::size_t from = sent % requests.size();
      const std::size_t to = std::min(from + how_many, requests.size());
      // The end and the beginning of the ring are not adjacent in memory: queued bytes must be sent first.
      if (from == 0 && server.unsent() > 0) return;
      server.send(requests.slice(from, to));
      sent += to - from;
      how_many -= to - from;
    }
  };
  send(window);
  while (answered < count) {
    std::string_view bytes = server.receive();
    if (bytes.empty()) fail("the server closed its stdout with calls in flight");
    while (true) {
      const std::size_t end = bytes.find('\n');
      if (end == std::string_view::npos) break;
      if (answered % 16 == 0) {
        partial.append(bytes.substr(0, end));
        requests.check(partial);
      }
      partial.clear();
      ++answered;
      bytes.remove_prefix(end + 1);
    }
    if (answered % 16 == 0) partial.append(bytes);
    send(window - (sent - answered));
  }
}

int start(const Options& options) {
  const std::string question = options.era == Era::modern ? discover() : initialize();
  std::vector<double> times, faults;
  for (std::size_t i = 0; i < (options.count == 0 ? 20 : options.count); ++i) {
    const Clock::time_point begin = Clock::now();
    Child server(options.command);
    server.send(question);
    const std::string answer = server.line();
    times.push_back(us(Clock::now() - begin));
    faults.push_back(static_cast<double>(server.page_faults()));
    if (answer.find("\"result\"") == std::string::npos) fail("the first request got no result: " + answer);
  }
  const double p50 = percentile(times, 0.5);
  std::printf("{\"count\":%zu,\"p50_us\":%.2f,\"p99_us\":%.2f,\"page_faults\":%.0f}\n", times.size(), p50,
              percentile(times, 0.99), percentile(faults, 0.5));
  return 0;
}

int latency(const Options& options) {
  const std::size_t count = options.count == 0 ? 2000 : options.count;
  const Requests requests(subject(options), 1000);
  Child server(options.command);
  handshake_response(server, options.era);
  pump(server, requests, std::min<std::size_t>(count, 2000), 1);
  std::vector<double> times;
  const double cpu = server.cpu_seconds();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i % requests.size();
    const Clock::time_point begin = Clock::now();
    server.send(requests.slice(at, at + 1));
    const std::string answer = server.line();
    times.push_back(us(Clock::now() - begin));
    if (requests.check(answer) != at) fail("an answer to another call: " + answer.substr(0, 300));
  }
  const double cpu_us = 1e6 * (server.cpu_seconds() - cpu) / static_cast<double>(count);
  const double p50 = percentile(times, 0.5);
  std::printf("{\"count\":%zu,\"p50_us\":%.2f,\"p99_us\":%.2f,\"cpu_us\":%.3f}\n", count, p50,
              percentile(times, 0.99), cpu_us);
  return 0;
}

int flood(const Options& options) {
  const std::size_t count = options.count == 0 ? 100'000 : options.count;
  const std::size_t ring = options.bytes > 1000 ? 128 : 16'384;
  const Requests requests(subject(options), ring);
  Child server(options.command, options.waiting);
  handshake_response(server, options.era);
  pump(server, requests, count / 4 + options.window,
       options.window);  // the calls fill caches, and let just-in-time compilers finish
  const double cpu = server.cpu_seconds();
  const Clock::time_point begin = Clock::now();
  pump(server, requests, count, options.window);
  const double wall_us = us(Clock::now() - begin);
  const double cpu_us = 1e6 * (server.cpu_seconds() - cpu);
  const auto calls = static_cast<double>(count);
  std::printf("{\"count\":%zu,\"calls_per_s\":%.0f,\"cpu_us\":%.3f}\n", count, 1e6 * calls / wall_us,
              cpu_us / calls);
  return 0;
}

int memory(const Options& options) {
  const Requests requests(subject(options), 1);
  Child server(options.command);
  handshake_response(server, options.era);
  pump(server, requests, 1, 1);
  std::this_thread::sleep_for(
      std::chrono::milliseconds(300));  // idle: lets work after the last answer finish
  const Memory used = server.memory();
  std::printf("{\"rss_kib\":%ld,\"pss_kib\":%ld}\n", used.rss_kib, used.pss_kib);
  return 0;
}

int leave(const Options& options) {
  constexpr int patience_ms = 2000;
  std::vector<double> times;
  bool by_itself = true;
  int code = 0;
  for (std::size_t i = 0; i < (options.count == 0 ? 10 : options.count); ++i) {
    const Requests requests(subject(options), std::max<std::size_t>(1, options.in_flight));
    Child server(options.command);
    handshake_response(server, options.era);
    // One answered request proves that the server runs; the calls that will be interrupted follow.
    const std::string question = discover();
    server.send(question);
    server.line();
    if (options.in_flight > 0) server.send(requests.slice(0, options.in_flight));
    const Exit end = server.finish(patience_ms, options.signal);
    times.push_back(1e6 * end.seconds);
    by_itself = by_itself && end.by_itself;
    code = std::max(code, end.code);
    if (!end.by_itself) break;  // further rounds would give the same result
  }
  const double p50 = percentile(times, 0.5);
  std::printf("{\"count\":%zu,\"by_itself\":%s,\"code\":%d,\"p50_us\":%.1f,\"max_us\":%.1f}\n", times.size(),
              by_itself ? "true" : "false", code, p50, *std::max_element(times.begin(), times.end()));
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bench::Options options = bench::parse(argc, argv);
  alarm(300);  // a server that no longer answers ends the measurement
  if (options.mode == "start") return bench::start(options);
  if (options.mode == "latency") return bench::latency(options);
  if (options.mode == "flood") return bench::flood(options);
  if (options.mode == "memory") return bench::memory(options);
  if (options.mode == "exit") return bench::leave(options);
  bench::fail("unknown mode " + options.mode + "; tests/bench/load.cc lists them");
}
