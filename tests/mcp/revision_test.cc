#include "runtime/mcp/revision.h"

#include <gtest/gtest.h>

#include "runtime/mcp/router.h"

namespace snapgen::mcp {
namespace {

TEST(Revision, EachRevisionIsFoundByItsName) {
  for (const Revision revision : {Revision::v2024_11_05, Revision::v2025_03_26, Revision::v2025_06_18,
                                  Revision::v2025_11_25, Revision::v2026_07_28})
    EXPECT_EQ(revision_named(text(revision)), revision);
  EXPECT_FALSE(revision_named("2025-11-24"));
  EXPECT_FALSE(revision_named(""));
}

TEST(Revision, ALegacyRevisionIsNegotiated) {
  EXPECT_EQ(negotiated_revision("2024-11-05"), Revision::v2024_11_05);
  EXPECT_EQ(negotiated_revision("2025-06-18"), Revision::v2025_06_18);
  EXPECT_EQ(negotiated_revision("2026-07-28"), Revision::v2025_11_25);
  EXPECT_EQ(negotiated_revision("tomorrow"), Revision::v2025_11_25);
}

TEST(Router, FindsMethodsOfTheirEraOnly) {
  EXPECT_EQ(method_named("tools/call", true), Method::call_tool);
  EXPECT_EQ(method_named("tools/call", false), Method::call_tool);
  EXPECT_EQ(method_named("ping", false), Method::ping);
  EXPECT_EQ(method_named("ping", true), Method::unknown);
  EXPECT_EQ(method_named("server/discover", true), Method::discover);
  EXPECT_EQ(method_named("server/discover", false), Method::unknown);
  EXPECT_EQ(method_named("Tools/Call", true), Method::unknown);
}

}  // namespace
}  // namespace snapgen::mcp
