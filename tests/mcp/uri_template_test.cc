#include "runtime/mcp/uri_template.h"

#include <gtest/gtest.h>

namespace snapgen::mcp {
namespace {

using Found = std::optional<UriVariables>;

constexpr std::string_view file_template = "snapgen://snapshots/{snapshot_id}/files/{+path}";

TEST(UriTemplate, FindsTheVariables) {
  EXPECT_EQ(match_uri("a://b", "a://b"), Found(UriVariables()));
  EXPECT_EQ(match_uri(file_template, "snapgen://snapshots/snap_12/files/src/a.ts"),
            Found({{"snapshot_id", "snap_12"}, {"path", "src/a.ts"}}));
  EXPECT_EQ(match_uri(file_template, "snapgen://snapshots/sha256%3Aab/files/%2fx%20y%C3%A9"),
            Found({{"snapshot_id", "sha256:ab"}, {"path", "/x y\xc3\xa9"}}));
  EXPECT_EQ(match_uri("test://{id}/data", "test://7/data"), Found(UriVariables{{"id", "7"}}));
}

TEST(UriTemplate, RejectsInvalidTemplates) {
  for (const std::string_view uri :
       {"", "snapgen://snapshots", "snapgen://snapshots/", "snapgen://snapshots/snap_12",
        "snapgen://snapshots/snap_12/files/", "snapgen://snapshots//files/a",
        "snapgen://snapshots/a/b/files/c", "SNAPGEN://snapshots/a/files/c", "snapgen://snapshots/a/files/%",
        "snapgen://snapshots/a/files/%4", "snapgen://snapshots/a/files/%zz",
        "snapgen://snapshots/a/files/b%00c"})
    EXPECT_FALSE(match_uri(file_template, uri)) << uri;
  EXPECT_FALSE(match_uri("test://{id}/data", "test://7/data/more"));
  EXPECT_FALSE(match_uri("a://b", "a://bc"));
}

TEST(UriTemplate, ExpandsToAUriThatItReadsBack) {
  EXPECT_EQ(expand_uri(file_template, {{"snapshot_id", "snap_12"}, {"path", "src/a b.ts"}}),
            "snapgen://snapshots/snap_12/files/src/a%20b.ts");
  EXPECT_EQ(expand_uri("a://{x}/{+y}", {}), "a:///");
  for (int byte = 1; byte < 256; ++byte) {
    const std::string value = "a" + std::string(1, static_cast<char>(byte)) + "b";
    const UriVariables variables = {{"snapshot_id", value}, {"path", "x/" + value}};
    EXPECT_EQ(match_uri(file_template, expand_uri(file_template, variables)), Found(variables)) << byte;
  }
}

}  // namespace
}  // namespace snapgen::mcp
