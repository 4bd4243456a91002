// Compares every generated reader of this server, the fixture and the golden schemas with the interpreting
// validator, on random values. Both must accept the same values, and writing a value must give a text that
// reads back as the same value.
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "tests/readers/judges.h"
#include "tests/readers/table.h"
#include "tests/soak/soak.h"

namespace snapgen::readers {
namespace {

TEST(Readers, AgreeWithTheInterpreterOnRandomValues) {
  const Judges judges;
  ASSERT_EQ(judges.count(), table().size());
  const char* wanted = std::getenv("SNAPGEN_SEED");
  const auto seed = static_cast<std::uint32_t>(wanted ? std::strtoul(wanted, nullptr, 10) : 1);
  std::cout << "SNAPGEN_SEED=" << seed << "\n";
  std::size_t fitting = 0, asked = 0, unfitted = 0;
  for (std::size_t i = 0; i < table().size(); ++i) {
    const GeneratedReader& reader = table()[i];
    std::mt19937 random(seed + static_cast<std::uint32_t>(i));
    const Values::Below below = [&](std::uint32_t count) {
      return static_cast<std::uint32_t>(random() % count);
    };
    std::size_t of_this = 0;
    const std::size_t rounds = is_soak() ? 150 : 50;
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::string text = judges.value(i, below);
      const std::vector<json::Violation> said = judges.violations(i, text);
      const ReadText read = reader.read(text);
      ASSERT_EQ(read.fits, said.empty())
          << reader.type << " (" << reader.file << "#" << reader.pointer << "): " << text
          << "\nthe reader: " << read.complaint
          << "\nthe interpreter: " << (said.empty() ? "" : said[0].pointer + ": " + said[0].message);
      ASSERT_TRUE(read.reads_again) << reader.type << ": " << text << " is written as " << read.written;
      ++asked;
      of_this += read.fits ? 1 : 0;
    }
    fitting += of_this;
    // For some patterns no example is known.
    if (of_this == 0) std::cout << "no value fitted " << reader.type << "\n";
    unfitted += of_this == 0 ? 1 : 0;
  }
  std::cout << table().size() << " readers, " << asked << " values, " << fitting << " of them fit\n";
  EXPECT_LT(unfitted, table().size() / 50);
  EXPECT_GT(fitting, asked / 4);
  EXPECT_LT(fitting, asked * 19 / 20);
}

}  // namespace
}  // namespace snapgen::readers
