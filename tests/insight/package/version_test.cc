// Versions and ranges of npm, PyPI, Cargo and Go.
#include <algorithm>
#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "tools/insight/package/ecosystem.h"

namespace snapgen::core {
namespace {

struct RangeCase {
  Ecosystem ecosystem;
  const char* range;
  const char* inside;   // versions within the range, separated by spaces
  const char* outside;  // versions outside the range
};

constexpr std::array range_cases = {
    RangeCase{Ecosystem::npm, "1.2.3", "1.2.3 1.2.3+build", "1.2.4 1.2.2 2.2.3"},
    RangeCase{Ecosystem::npm, "=v1.2.3", "1.2.3", "1.2.4"},
    RangeCase{Ecosystem::npm, "^1.2.3", "1.2.3 1.9.0", "1.2.2 2.0.0 0.9.0"},
    RangeCase{Ecosystem::npm, "^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2 1.0.0"},
    RangeCase{Ecosystem::npm, "^0.0.3", "0.0.3", "0.0.4 0.1.0"},
    RangeCase{Ecosystem::npm, "^0.0", "0.0.0 0.0.9", "0.1.0"},
    RangeCase{Ecosystem::npm, "^0", "0.9.9", "1.0.0"},
    RangeCase{Ecosystem::npm, "~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"},
    RangeCase{Ecosystem::npm, "~1", "1.0.0 1.9.9", "2.0.0"},
    RangeCase{Ecosystem::npm, "1.x", "1.0.0 1.9.9", "2.0.0 0.9.9"},
    RangeCase{Ecosystem::npm, "1.2", "1.2.0 1.2.9", "1.3.0"},
    RangeCase{Ecosystem::npm, "*", "0.0.0 99.1.2", ""},
    RangeCase{Ecosystem::npm, "", "0.0.0 99.1.2", ""},
    RangeCase{Ecosystem::npm, ">= 1.2.3 <2", "1.2.3 1.99.0", "2.0.0 1.2.2"},
    RangeCase{Ecosystem::npm, ">1.2", "1.3.0", "1.2.9"},
    RangeCase{Ecosystem::npm, "<=1.2", "1.2.9", "1.3.0"},
    RangeCase{Ecosystem::npm, "1.0.0 - 2.1", "1.0.0 2.1.9", "2.2.0 0.9.9"},
    RangeCase{Ecosystem::npm, "^1.0.0 || ^3.0.0", "1.5.0 3.5.0", "2.0.0"},
    RangeCase{Ecosystem::npm, "1.2.3-beta.2", "1.2.3-beta.2", "1.2.3"},
    RangeCase{Ecosystem::npm, ">=1.2.3-beta", "1.2.3 1.3.0", "1.2.2"},
    RangeCase{Ecosystem::cargo, "1.2.3", "1.2.3 1.9.0", "2.0.0 1.2.2"},
    RangeCase{Ecosystem::cargo, "0.3", "0.3.0 0.3.9", "0.4.0"},
    RangeCase{Ecosystem::cargo, "=1.2.3", "1.2.3", "1.2.4"},
    RangeCase{Ecosystem::cargo, "~1.2", "1.2.0 1.2.9", "1.3.0"},
    RangeCase{Ecosystem::cargo, "1.*", "1.0.0 1.9.0", "2.0.0"},
    RangeCase{Ecosystem::cargo, "*", "0.0.1", ""},
    RangeCase{Ecosystem::cargo, ">=1.2, <1.5", "1.2.0 1.4.9", "1.5.0 1.1.9"},
    RangeCase{Ecosystem::go, "v1.2.3", "v1.2.3", "v1.2.2 v0.9.0"},
    RangeCase{Ecosystem::pypi, "==1.2", "1.2 1.2.0 1.2.0.0", "1.2.1 1.2.post1"},
    RangeCase{Ecosystem::pypi, "==1.2.*", "1.2 1.2.9", "1.3"},
    RangeCase{Ecosystem::pypi, "!=1.5,>=1", "1.4 2", "1.5 0.9"},
    RangeCase{Ecosystem::pypi, "~=1.4.2", "1.4.2 1.4.9", "1.5 1.4.1"},
    RangeCase{Ecosystem::pypi, "~=1.4", "1.4 1.9", "2.0"},
    RangeCase{Ecosystem::pypi, ">= 2.0, < 3", "2.0 2.9.1", "3.0 1.9"},
    RangeCase{Ecosystem::pypi, ">=1!0.5", "1!0.5 1!2", "9.0"},
    RangeCase{Ecosystem::pypi, ">=1.0rc1", "1.0rc1 1.0rc2 1.0", "1.0b9 1.0.dev1"},
    RangeCase{Ecosystem::pypi, "", "0 2026.1", ""},
    RangeCase{Ecosystem::pypi, "^1.2", "1.2 1.9", "2.0 1.1"},
    RangeCase{Ecosystem::pypi, "^0.2.3", "0.2.9", "0.3"},
    RangeCase{Ecosystem::pypi, "~1.2.3", "1.2.9", "1.3"},
    RangeCase{Ecosystem::pypi, "1.2.*", "1.2.7", "1.3"},
    RangeCase{Ecosystem::pypi, "1.2.3", "1.2.3", "1.2.4"},
    RangeCase{Ecosystem::pypi, ">=1.0 <2.0", "1.5", "2.1"},
    RangeCase{Ecosystem::pypi, "^1.0 || ^3.0", "1.5 3.5", "2.0"},
};

void expect_fit(const RangeCase& one, std::string_view versions, Fit expected) {
  while (!versions.empty()) {
    const std::size_t end = std::min(versions.find(' '), versions.size());
    const std::string_view version = versions.substr(0, end);
    EXPECT_EQ(fits(one.ecosystem, version, one.range), expected)
        << title_of(one.ecosystem) << " " << version << " in \"" << one.range << "\"";
    versions.remove_prefix(std::min(end + 1, versions.size()));
  }
}

TEST(Ranges, ContainTheVersionsThatTheEcosystemDefines) {
  for (const RangeCase& one : range_cases) {
    EXPECT_TRUE(is_range(one.ecosystem, one.range)) << one.range;
    expect_fit(one, one.inside, Fit::yes);
    expect_fit(one, one.outside, Fit::no);
  }
}

TEST(Ranges, OverlapIfAReleaseIsInBoth) {
  struct Case {
    Ecosystem ecosystem;
    std::string_view a, b;
    Fit expected;
  };
  for (const Case& one : std::vector<Case>{
           {Ecosystem::npm, "1.x", "^2", Fit::no},
           {Ecosystem::npm, "1.x", "^1.4.2", Fit::yes},
           {Ecosystem::npm, "~4.17.20", ">=4.17.25 <5", Fit::yes},
           {Ecosystem::npm, "<2", ">=2", Fit::no},
           {Ecosystem::npm, "<=2", ">=2.5", Fit::yes},
           {Ecosystem::npm, "^1 || ^3", "2 || 3.1.0", Fit::yes},
           {Ecosystem::npm, ">1.0.0 <1.0.1", "*", Fit::no},
           {Ecosystem::npm, "^1.0.0-rc.1", "2", Fit::unknown},
           {Ecosystem::cargo, "1", "2", Fit::no},
           {Ecosystem::cargo, "0.3", "0.3.7", Fit::yes},
           {Ecosystem::pypi, "==2.0.1", ">=3", Fit::no},
           {Ecosystem::pypi, "~=1.4", ">=1.9,<2", Fit::yes},
           {Ecosystem::pypi, ">1.2", "<1.2.1", Fit::yes},
           {Ecosystem::pypi, "==1.2.*", "!=1.2.*", Fit::no},
           {Ecosystem::pypi, "!=1.2.*", ">=1.2", Fit::yes},
           {Ecosystem::go, "v1.2.0", "v2.0.0", Fit::unknown},
       })
    for (const auto& [a, b] : {std::pair(one.a, one.b), std::pair(one.b, one.a)})
      EXPECT_EQ(ranges_overlap(one.ecosystem, a, b), one.expected)
          << title_of(one.ecosystem) << " " << a << " and " << b;
}

TEST(Ranges, ContainAPreReleaseOnlyIfABoundNamesOneOfTheSameVersion) {
  EXPECT_EQ(fits(Ecosystem::npm, "1.3.0-beta.1", "^1.2.0"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::npm, "1.2.0-rc.1", "^1.2.0"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::npm, "1.2.0-rc.2", "^1.2.0-rc.1"), Fit::yes);
  EXPECT_EQ(fits(Ecosystem::npm, "1.2.0-beta", "^1.2.0-rc.1"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::cargo, "1.0.100-beta", "1.0"), Fit::no);
}

TEST(Ranges, ExcludePreReleasesAndPostReleasesOfAnExclusiveBoundInPython) {
  // PEP 440, "Exclusive ordered comparison".
  EXPECT_EQ(fits(Ecosystem::pypi, "2.0rc1", "<2.0"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::pypi, "2.0.0.dev1", "<2"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::pypi, "3.0rc1", "<2"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::pypi, "2.0a1", "<2.0rc1"), Fit::yes);
  EXPECT_EQ(fits(Ecosystem::pypi, "1.9rc1", "<2"), Fit::yes);
  EXPECT_EQ(fits(Ecosystem::pypi, "1.7.post1", ">1.7"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::pypi, "1.7+local", ">1.7"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::pypi, "1.7.post2", ">1.7.post1"), Fit::yes);
  EXPECT_EQ(fits(Ecosystem::pypi, "1.8.post1", ">1.7"), Fit::yes);
}

TEST(Ranges, OfAnAliasAreThoseOfTheOtherPackage) {
  EXPECT_EQ(fits(Ecosystem::npm, "1.0.0", "npm:other@1"), Fit::yes);
  EXPECT_EQ(fits(Ecosystem::npm, "1.0.0", "npm:@scope/other@^2"), Fit::no);
  EXPECT_EQ(fits(Ecosystem::npm, "1.0.0", "npm:@scope/other"), Fit::yes);
}

TEST(Ranges, AreUndecidedWhereFurtherRulesApply) {
  EXPECT_EQ(fits(Ecosystem::go, "v1.3.0", "v1.2.0"), Fit::unknown)
      << "another module may require the version";
  EXPECT_EQ(fits(Ecosystem::npm, "1.0.0", "workspace:^1"), Fit::unknown);
  EXPECT_EQ(fits(Ecosystem::cargo, "banana", "1"), Fit::unknown);
}

TEST(Ranges, AreValidOrNotByEcosystem) {
  for (const char* text : {"banana", "1.2.3.4", "^", "1.2.", ">=1 banana", "1..2", "-1"}) {
    EXPECT_FALSE(is_range(Ecosystem::npm, text)) << text;
    EXPECT_FALSE(is_range(Ecosystem::cargo, text)) << text;
    EXPECT_FALSE(is_range(Ecosystem::go, text)) << text;
  }
  for (const char* text : {"banana", "=>2", "==", "~=1", ">=1,,<2", "1.0 - 2.0", "==1.0 banana", "|"})
    EXPECT_FALSE(is_range(Ecosystem::pypi, text)) << text;
  EXPECT_TRUE(is_range(Ecosystem::npm, "latest"));
  EXPECT_FALSE(is_range(Ecosystem::cargo, "latest"));
  EXPECT_FALSE(is_range(Ecosystem::cargo, ""));
  EXPECT_TRUE(is_range(Ecosystem::go, "latest"));
  EXPECT_TRUE(is_range(Ecosystem::go, "v1.2"));
  EXPECT_FALSE(is_range(Ecosystem::go, "1.2.3"));
}

TEST(Versions, AreValidOrNotByEcosystem) {
  for (const char* text : {"1.2.3", "1.2.3-beta.1", "1.2.3+build.5"})
    EXPECT_TRUE(is_version(Ecosystem::npm, text)) << text;
  for (const char* text : {"1.2", "v1.2.3", "1.2.x", "", "1.2.3-"})
    EXPECT_FALSE(is_version(Ecosystem::npm, text)) << text;
  for (const char* text : {"v1.2.3", "v0.0.0-20260101000000-0123456789ab", "v2.0.0+incompatible"})
    EXPECT_TRUE(is_version(Ecosystem::go, text)) << text;
  for (const char* text : {"1.2.3", "v1.2", "master"}) EXPECT_FALSE(is_version(Ecosystem::go, text)) << text;
  for (const char* text : {"1", "1.2.3.4", "1.0a1", "1.0.Beta2", "1.0-rc.1", "1.0.post1", "1.0-1", "1.0.dev3",
                           "v1.0", "2!1.0", "1.0+local.1"})
    EXPECT_TRUE(is_version(Ecosystem::pypi, text)) << text;
  for (const char* text : {"", "banana", "1.0.x", "1.0+", "1..0", "==1.0"})
    EXPECT_FALSE(is_version(Ecosystem::pypi, text)) << text;
}

TEST(Versions, AreOrderedAsTheEcosystemOrdersThem) {
  const std::array python = {"1.0.dev1", "1.0a1.dev1", "1.0a1", "1.0b1", "1.0rc1",
                             "1.0",      "1.0.post1",  "1.0.1", "1.10",  "1!0.1"};
  for (std::size_t i = 1; i < python.size(); ++i) {
    EXPECT_TRUE(is_earlier(Ecosystem::pypi, python[i - 1], python[i])) << python[i];
    EXPECT_FALSE(is_earlier(Ecosystem::pypi, python[i], python[i - 1])) << python[i];
  }
  const std::array semver = {"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta.2", "1.0.0-beta.11",
                             "1.0.0",       "1.2.0",         "1.10.0"};
  for (std::size_t i = 1; i < semver.size(); ++i)
    EXPECT_TRUE(is_earlier(Ecosystem::npm, semver[i - 1], semver[i])) << semver[i];
  EXPECT_TRUE(is_earlier(Ecosystem::go, "v1.9.0", "v1.10.0"));
  EXPECT_FALSE(is_earlier(Ecosystem::npm, "banana", "1.0.0"));
}

TEST(Versions, ALongRangeIsNotCompared) {
  std::string range = "<0.0.0";
  while (range.size() < 1 << 20) range += "||<0.0.0";
  EXPECT_EQ(ranges_overlap(Ecosystem::npm, ">=0.0.0", range), Fit::unknown);
  EXPECT_EQ(fits(Ecosystem::npm, "1.0.0", range), Fit::unknown);
  std::ranges::replace(range, '|', ',');
  EXPECT_EQ(ranges_overlap(Ecosystem::pypi, ">=0", range), Fit::unknown);
}

TEST(Names, AreComparedAsTheEcosystemComparesThem) {
  EXPECT_EQ(comparable_name(Ecosystem::pypi, "Zope._-Interface"), "zope-interface");
  EXPECT_EQ(comparable_name(Ecosystem::cargo, "Serde_JSON"), "serde-json");
  EXPECT_EQ(comparable_name(Ecosystem::npm, "left_pad"), "left_pad");
  EXPECT_TRUE(is_valid_name(Ecosystem::npm, "@scope/name"));
  EXPECT_FALSE(is_valid_name(Ecosystem::npm, "github.com/a/b"));
  EXPECT_TRUE(is_valid_name(Ecosystem::go, "github.com/a/b"));
  EXPECT_FALSE(is_valid_name(Ecosystem::go, "left-pad"));
  EXPECT_FALSE(is_valid_name(Ecosystem::pypi, "@scope/name"));
  EXPECT_FALSE(is_valid_name(Ecosystem::cargo, "a.b"));
}

}  // namespace
}  // namespace snapgen::core
