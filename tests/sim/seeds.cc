#include "tests/sim/seeds.h"

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace snapgen::sim {
namespace {

std::uint64_t seeds = 10'000;
std::optional<std::uint64_t> only_seed;
volatile std::uint64_t current_seed = 0;
char current_test[200];

void say_how_to_replay() {
  char line[400];
  int size = std::snprintf(line, sizeof line, "replay it with: sim_test --gtest_filter=%s --seed=%llu\n",
                           current_test, static_cast<unsigned long long>(current_seed));
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line, static_cast<std::size_t>(size));
}

void crashed(int signal) {
  say_how_to_replay();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::optional<std::uint64_t> number_after(std::string_view option, std::string_view argument) {
  if (!argument.starts_with(option)) return std::nullopt;
  argument.remove_prefix(option.size());
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), number);
  if (error != std::errc() || end != argument.data() + argument.size()) return std::nullopt;
  return number;
}

}  // namespace

std::uint64_t for_each_seed(void (*simulate)(std::uint64_t seed)) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::snprintf(current_test, sizeof current_test, "%s.%s", test.test_suite_name(), test.name());
  std::uint64_t first = only_seed.value_or(0);
  std::uint64_t end = only_seed ? first + 1 : seeds;
  for (std::uint64_t seed = first; seed < end; ++seed) {
    current_seed = seed;
    simulate(seed);
    if (testing::Test::HasFailure()) {
      say_how_to_replay();
      return seed - first + 1;
    }
  }
  return end - first;
}

}  // namespace snapgen::sim

// A sanitizer's finding ends in the same handler as an assert.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): their names, not ours.
extern "C" const char* __asan_default_options() { return "abort_on_error=1:handle_abort=0"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:halt_on_error=1"; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

int main(int count, char** arguments) {
  using namespace snapgen::sim;
  testing::InitGoogleTest(&count, arguments);
  for (int i = 1; i < count; ++i) {
    if (auto number = number_after("--seeds=", arguments[i])) {
      seeds = *number;
    } else if (auto seed = number_after("--seed=", arguments[i])) {
      only_seed = seed;
    } else {
      std::fprintf(stderr, "usage: %s [--seeds=N | --seed=N] [--gtest_...]\n", arguments[0]);
      return 2;
    }
  }
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS}) std::signal(signal, crashed);
  return RUN_ALL_TESTS();
}
