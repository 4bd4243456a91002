#include "tools/app/run_checks.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "runtime/async/child.h"
#include "tools/engine/files/durable.h"
#include "tools/insight/check/programs.h"

namespace snapgen::tools {
namespace {

using core::ProgramResult;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t output_bytes_max = 16 << 20;
constexpr std::size_t error_output_bytes_max = 4 << 20;
constexpr std::size_t tail_bytes_max = 1 << 20;
constexpr std::int64_t report_bytes_max = 64 << 20;

// The state of a check while its commands run. Used on the loop's thread, except by jobs that only read it.
struct Run {
  mcp::Call& call;
  const core::CheckPlan& plan;
  const core::EarlierFindings& earlier;
  core::ReportFolder folder;
  SteadyClock::time_point end;
  std::size_t next = 0;  // The index of the first command of the next chain.
  std::size_t done = 0;
  std::vector<std::string> running;  // Names of the running programs.
  core::CheckReport report;
};

// The file attributes that distinguish a new report from an old one.
struct Stamp {
  bool there = false;
  std::int64_t seconds = 0, nanoseconds = 0, size = 0;
  std::uint64_t inode = 0;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
  struct stat status;
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return {};
  return {.there = true,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec,
          .size = status.st_size,
          .inode = status.st_ino};
}

std::string command_folder(const Run& run, const core::CheckCommand& command) {
  return command.folder.empty() ? run.plan.root : run.plan.root + "/" + command.folder;
}

// Returns the path of the command's report; empty if the report is its output.
std::string report_file(const Run& run, const core::CheckCommand& command, std::size_t index) {
  if (!command.report_path.empty())
    return command.report_path.starts_with('/') ? command.report_path
                                                : command_folder(run, command) + "/" + command.report_path;
  return core::writes_report(command) ? run.folder.path() + "/" + std::to_string(index) : std::string();
}

ChildCommand child_of(const Run& run, const core::CheckCommand& command, const std::string& report) {
  ChildCommand child{.argv = command.argv,
                     .environment = run.plan.environment,
                     .folder = command_folder(run, command),
                     .input = {},
                     .output_bytes_max = output_bytes_max,
                     .error_output_bytes_max = error_output_bytes_max,
                     .tail_bytes_max = tail_bytes_max};
  for (std::string& each : child.argv)
    if (const std::size_t at = each.find(core::report_placeholder); at != std::string::npos)
      each.replace(at, core::report_placeholder.size(), report);
  std::string& program = child.argv[0];
  if (program.find('/') != std::string::npos && !program.starts_with('/'))
    program = child.folder + "/" + program;
  // The rest of the time is at least 1 ms, because a deadline of 0 would mean none.
  const auto left = std::chrono::duration_cast<Millis>(run.end - SteadyClock::now());
  child.deadline = std::max(left, Millis(1));
  return child;
}

// Returns the beginning and the end of an output, without the lines that were cut between them.
std::string without_middle(std::string head, std::string_view tail) {
  if (tail.empty()) return head;
  head.resize(head.rfind('\n') + 1);
  const std::size_t end = tail.find('\n');
  return head.append(end == std::string_view::npos ? tail : tail.substr(end + 1));
}

ProgramResult check_outcome(ChildResult&& finished) {
  ProgramResult outcome{.end = ProgramResult::End::exited,
                        .exit_code = finished.exit_code,
                        .signal = finished.signal,
                        .reason = {},
                        .output = {},
                        .errors = {},
                        .report = {},
                        .was_cut = !finished.has_all_output()};
  if (finished.ending == ChildEnding::signaled) outcome.end = ProgramResult::End::signaled;
  if (finished.ending == ChildEnding::timed_out || finished.ending == ChildEnding::output_limit)
    outcome.end = ProgramResult::End::late;
  outcome.output = without_middle(std::move(finished.output), finished.output_tail);
  outcome.errors = without_middle(std::move(finished.error_output), finished.error_output_tail);
  return outcome;
}

std::string verdict(const core::CheckReport& report) {
  switch (report.overall()) {
    case core::CheckMark::skipped: return "skipped";
    case core::CheckMark::pass: return "passed";
    case core::CheckMark::fail: break;
  }
  return "failed, " + std::to_string(report.error_count) + (report.error_count == 1 ? " error" : " errors");
}

void finished(Run& run, const core::CheckCommand& command, core::CheckReport report) {
  std::erase(run.running, command.name);
  run.call.progress(static_cast<double>(++run.done), static_cast<double>(run.plan.commands.size()),
                    command.name + ": " + verdict(report));
  run.report.add(std::move(report));
}

// Runs one command and adds its report. Errors: cancelled.
Task<core::CheckMark> run_one(Run& run, std::size_t index) {
  const core::CheckCommand& command = run.plan.commands[index];
  const std::string report = report_file(run, command, index);
  const Stamp before = stamp_of(report);
  const ChildCommand child = child_of(run, command, report);
  std::stop_token stop = run.call.stop();
  run.running.push_back(command.name);
  Result<ChildResult> ended = co_await RunChild(run.call.loop(), stop, child);
  if (!ended && ended.error().code == ErrorCode::cancelled) co_return ended.error();
  ProgramResult outcome;
  if (ended)
    outcome = check_outcome(*std::move(ended));
  else
    outcome.reason = command.name + " cannot run: " + core::without_full_stop(ended.error().message);
  auto judge = [&]() -> Result<core::CheckReport> {
    const Stamp after = stamp_of(report);
    if (after.there && !(after == before) && after.size <= report_bytes_max) {
      Result<std::string> text =
          core::read_whole_file(report, report_bytes_max, core::SymlinkPolicy::followed);
      if (text) outcome.report = *std::move(text);
    }
    core::CheckReport judged = core::report_of_outcome(command, outcome, run.plan.root);
    run.earlier.compare(command, judged);
    return judged;
  };
  Result<core::CheckReport> judged = co_await run.call.offload(judge);
  if (!judged && judged.error().code == ErrorCode::cancelled) co_return judged.error();
  if (!judged) {
    outcome = ProgramResult();
    outcome.reason = "what " + command.name +
                     " printed cannot be read: " + core::without_full_stop(judged.error().message);
    finished(run, command, core::report_of_outcome(command, outcome, run.plan.root));
    co_return core::CheckMark::fail;
  }
  const core::CheckMark mark = judged->mark(command.subsystem);
  finished(run, command, *std::move(judged));
  co_return mark;
}

// Takes one chain after another and runs it, until none is left. Errors: cancelled.
Task<Unit> run_chains(Run& run) {
  const std::vector<core::CheckCommand>& all = run.plan.commands;
  while (run.next < all.size()) {
    std::size_t index = run.next;
    const int chain = all[index].chain_number;
    while (run.next < all.size() && all[run.next].chain_number == chain) ++run.next;
    const std::size_t end = run.next;
    const core::CheckCommand* broken = nullptr;
    for (; index < end; ++index) {
      if (broken) {
        ProgramResult outcome;
        outcome.reason = all[index].name + " did not run, because " + broken->name + " failed";
        core::CheckReport report = core::report_of_outcome(all[index], outcome, run.plan.root);
        report.block(all[index].subsystem);
        finished(run, all[index], std::move(report));
        continue;
      }
      Task<core::CheckMark> running = run_one(run, index);
      Result<core::CheckMark> mark = co_await std::move(running);
      if (!mark) co_return mark.error();
      if (*mark == core::CheckMark::fail && all[index].subsystem == core::Subsystem::build)
        broken = &all[index];
    }
  }
  co_return Unit{};
}

// Reports progress regularly: some clients abandon a call that is silent for a minute.
Task<Unit> report_progress(Run& run, std::stop_token stop) {
  constexpr Millis first(1000), then(10'000);
  double beats = 0;
  for (;;) {
    const Millis pause = beats == 0 ? first : then;
    Result<Unit> slept = co_await Sleep(run.call.loop(), stop, pause);
    if (!slept) co_return Unit{};
    std::string names;
    for (const std::string& each : run.running) names += (names.empty() ? "running: " : ", ") + each;
    // The progress grows with each report, and remains below the value that it has when the next program
    // ends.
    const double part = 1 - 1 / (2 + beats++);
    run.call.progress(static_cast<double>(run.done) + part, static_cast<double>(run.plan.commands.size()),
                      names);
  }
}

}  // namespace

Task<core::CheckReport> run_checks(mcp::Call& call, const core::CheckPlan& plan,
                                   const core::EarlierFindings& earlier) {
  Run run{.call = call,
          .plan = plan,
          .earlier = earlier,
          .folder = {},
          .end = SteadyClock::now() + Millis(plan.deadline_ms),
          .next = 0,
          .done = 0,
          .running = {},
          .report = {}};
  run.report.skipped = plan.skipped;
  for (const core::SkippedCheck& each : plan.skipped)
    if (each.is_withheld) run.report.block(each.subsystem);
  TaskScope teller(call.loop(), call.stop());
  if (!plan.commands.empty()) teller.spawn(report_progress(run, teller.stop()));
  TaskScope workers(call.loop(), call.stop());
  for (int i = 0; i < plan.parallel_chains; ++i) workers.spawn(run_chains(run));
  co_await workers.join();
  teller.cancel();
  co_await teller.join();
  if (call.stop().stop_requested()) co_return cancelled_error();
  co_return std::move(run.report);
}

}  // namespace snapgen::tools
