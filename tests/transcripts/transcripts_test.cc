// Plays every transcript of tests/transcripts/cases, in memory with several divisions of the bytes, and over
// stdio.
//
// If SNAPGEN_MESSAGES is set, the server's messages are written into that folder, one file for each
// transcript, for tests/mcp/validate_messages.mjs.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "runtime/json/writer.h"
#include "tests/transcripts/player.h"

namespace snapgen::transcripts {

std::ostream& operator<<(std::ostream& out, const Transcript& transcript) { return out << transcript.name; }

namespace {

std::vector<Transcript> transcripts() {
  std::vector<Transcript> out;
  for (const auto& entry : std::filesystem::directory_iterator(SNAPGEN_TRANSCRIPTS))
    if (entry.path().extension() == ".txt") out.push_back(read_transcript(entry.path()));
  std::ranges::sort(out, {}, &Transcript::name);
  return out;
}

std::string named(const testing::TestParamInfo<Transcript>& info) { return info.param.name; }

void expect_no_problems(const Played& played) {
  for (const std::string& problem : played.problems) ADD_FAILURE() << problem;
}

void keep(const Transcript& transcript, const Played& played) {
  const char* folder = std::getenv("SNAPGEN_MESSAGES");
  if (!folder) return;
  std::filesystem::create_directories(folder);
  std::ofstream file(std::filesystem::path(folder) / (transcript.name + ".jsonl"));
  for (const Said& said : played.said)
    file << "{\"message\":" << said.message << ",\"method\":" << json::quoted(said.method)
         << ",\"revision\":" << json::quoted(said.revision) << "}\n";
}

class Transcripts : public testing::TestWithParam<Transcript> {};

TEST_P(Transcripts, PassInMemory) {
  const Played played = play_in_memory(GetParam(), 0);
  expect_no_problems(played);
  keep(GetParam(), played);
}

TEST_P(Transcripts, PassInMemoryByteByByte) { expect_no_problems(play_in_memory(GetParam(), 1)); }

TEST_P(Transcripts, PassInMemoryWhenInputIsCutAtRandom) {
  for (unsigned seed = 2; seed != 22; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_no_problems(play_in_memory(GetParam(), seed));
    if (HasFailure()) return;
  }
}

// WebSocket has no lines, and a text that is not UTF-8 ends the connection.
bool is_about_lines(const Transcript& transcript) {
  return transcript.name == "line_ends" || transcript.name == "malformed";
}

TEST_P(Transcripts, PassInFrames) {
  if (is_about_lines(GetParam())) return;
  expect_no_problems(play_in_frames(GetParam(), 0));
}

TEST_P(Transcripts, PassInFramesByteByByte) {
  if (is_about_lines(GetParam())) return;
  expect_no_problems(play_in_frames(GetParam(), 1));
}

TEST_P(Transcripts, PassInFramesCutAtRandom) {
  if (is_about_lines(GetParam())) return;
  for (unsigned seed = 2; seed != 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_no_problems(play_in_frames(GetParam(), seed));
    if (HasFailure()) return;
  }
}

// Another program that uses lines may replace the server, such as one that connects to the server over
// another transport.
TEST_P(Transcripts, PassOverStdio) {
  const char* other = std::getenv("SNAPGEN_WIRE_SERVER");
  expect_no_problems(play_over_stdio(GetParam(), other ? other : SNAPGEN_FIXTURE_SERVER));
}

INSTANTIATE_TEST_SUITE_P(Wire, Transcripts, testing::ValuesIn(transcripts()), named);

}  // namespace
}  // namespace snapgen::transcripts
