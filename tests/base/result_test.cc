#include "runtime/base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

TEST(Result, holds_a_value_or_an_error) {
  const Result<int> value = 3;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 3);

  const Result<int> error = Error(ErrorCode::not_found, "no such lease", "{}", "open: ENOENT");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::not_found);
  EXPECT_EQ(error.error().message, "no such lease");
  EXPECT_EQ(error.error().cause, "open: ENOENT");
}

TEST(Result, gives_away_a_value_that_can_only_be_moved) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  ASSERT_TRUE(made);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 7);
}

TEST(ErrorCode, has_the_spelling_that_clients_see) {
  EXPECT_EQ(text(ErrorCode::not_found), "NOT_FOUND");
  EXPECT_EQ(text(ErrorCode::invalid_argument), "INVALID_ARGUMENT");
  EXPECT_EQ(text(ErrorCode::repo_changed), "REPO_CHANGED");
  EXPECT_EQ(text(ErrorCode::permission_denied), "PERMISSION_DENIED");
  EXPECT_EQ(text(ErrorCode::too_large), "TOO_LARGE");
  EXPECT_EQ(text(ErrorCode::internal), "INTERNAL");
  EXPECT_EQ(text(ErrorCode::stale_lease), "STALE_LEASE");
  EXPECT_EQ(text(ErrorCode::cancelled), "CANCELLED");
  EXPECT_EQ(text(ErrorCode::unavailable), "UNAVAILABLE");
}

}  // namespace
}  // namespace snapgen
