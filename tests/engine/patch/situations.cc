#include "tests/engine/patch/situations.h"

namespace snapgen::core {

const char* const situation_tree = R"sh(
new
seq 1 20 > f
printf 'a\r\nb\r\nc\r\n' > crlf
printf 'x\ny' > nonl
: > empty
printf 'a\n\nb\n' > blank
printf '#!/bin/sh\n' > run; chmod +x run
ln -s f link
mkdir d; echo inside > d/x
ln -s d dlink
head -c 3000 /dev/urandom > bin
printf 'same\nrest\nsame\nrest\n' > twice
save
)sh";

std::vector<Situation> situations() {
  using enum Verdict;
  using R = RejectReason;
  return {
      // Patches that git diff prints.
      {"Modification", applied, {}, "sed -i s/10/TEN/ f; git diff"},
      {"SeveralHunksInSeveralFiles",
       applied,
       {},
       "sed -i 's/^2$/II/; s/19/XIX/' f; echo more >> d/x; git diff"},
      {"Creation", applied, {}, "echo new > n; git add -N n; git diff"},
      {"CreationOfAnEmptyFile", applied, {}, ": > n; git add n; git diff --cached"},
      {"CreationInANewFolder", applied, {}, "mkdir -p p/q; echo new > p/q/n; git add p; git diff --cached"},
      {"Deletion", applied, {}, "rm f; git diff"},
      {"DeletionOfAnEmptyFile", applied, {}, "rm empty; git diff"},
      {"DeletionOfTheLastFileInAFolder", applied, {}, "rm d/x; git diff"},
      {"Rename", applied, {}, "git mv f g; git diff --cached -M"},
      {"RenameWithEdit", applied, {}, "git mv f g; sed -i s/10/TEN/ g; git add g; git diff --cached -M"},
      {"RenameIntoANewFolder", applied, {}, "mkdir p; git mv d/x p/x; git diff --cached -M"},
      {"RenameOfASymlink", applied, {}, "git mv link l; git diff --cached -M"},
      {"SwapOfTwoFiles",
       applied,
       {},
       "mv f t; mv twice f; mv t twice; printf 'diff --git a/f b/twice\\nsimilarity index 100%%\\nrename "
       "from f\\n"
       "rename to twice\\ndiff --git a/twice b/f\\nsimilarity index 100%%\\nrename from twice\\nrename to "
       "f\\n'"},
      {"Copy", applied, {}, "cp f g; git add g; git diff --cached -C -C"},
      {"CopyWithEditWhileTheSourceChanges",
       applied,
       {},
       "cp f g; sed -i s/10/TEN/ g; sed -i s/11/XI/ f; git add -A; git diff --cached -C"},
      {"ChangeOfMode", applied, {}, "chmod +x f; git diff"},
      {"ChangeOfModeAndContent", applied, {}, "chmod -x run; echo true >> run; git diff"},
      {"RenameWithChangeOfMode", applied, {}, "git mv f g; chmod +x g; git add g; git diff --cached -M"},
      {"FileBecomesSymlink", applied, {}, "rm f; ln -s d/x f; git diff"},
      {"SymlinkBecomesFile", applied, {}, "rm link; echo file > link; git diff"},
      {"SymlinkGetsAnotherTarget", applied, {}, "ln -sf d/x link; git diff"},
      {"FileBecomesFolder", applied, {}, "rm f; mkdir f; echo in > f/in; git add -A; git diff --cached"},
      {"FolderBecomesFile", applied, {}, "rm -r d; echo flat > d; git add -A; git diff --cached"},
      {"SymlinkBecomesFolder",
       applied,
       {},
       "rm dlink; mkdir dlink; echo in > dlink/in; git add -A; git diff --cached"},
      {"NewlineAtTheEndIsAdded", applied, {}, "echo >> nonl; git diff"},
      {"NewlineAtTheEndIsRemoved", applied, {}, "printf '%s' \"$(cat f)\" > f; git diff"},
      {"NoNewlineOnEitherSide", applied, {}, "printf 'x\\nz' > nonl; git diff"},
      {"CarriageReturns", applied, {}, "sed -i 's/^b/B/' crlf; git diff"},
      {"CarriageReturnsAreRemoved", applied, {}, "sed -i 's/\\r//' crlf; git diff"},
      {"QuotedName",
       applied,
       {},
       "printf x > \"$(printf 'q\"\\\\t\\t\\303\\251')\"; git add -A; git diff --cached"},
      {"NameWithSpaces", applied, {}, "echo x > 'a b c'; git add -A; git diff --cached"},
      {"BinaryLiteral", applied, {}, "head -c 100 /dev/urandom > bin; git diff --binary"},
      {"BinaryDelta", applied, {}, "echo tail >> bin; git diff --binary"},
      {"BinaryCreation",
       applied,
       {},
       "head -c 100 /dev/urandom > new; git add new; git diff --cached --binary"},
      {"BinaryDeletion", applied, {}, "rm bin; git diff --binary"},
      {"BinaryRenameWithEdit",
       applied,
       {},
       "git mv bin b2; echo tail >> b2; git add b2; git diff --cached --binary -M"},
      {"OneLineOfContext", applied, {}, "sed -i s/10/TEN/ f; git diff -U1"},
      {"NoContextButTheWholeFile", applied, {}, "seq 30 40 > d/x; git diff -U0"},
      {"NoContextAtTheEndOfTheFile", applied, {}, "sed -i s/20/XX/ f; git diff -U0"},
      {"NoContextBeforeTheChange",
       applied,
       {},
       "printf -- '--- a/f\\n+++ b/f\\n@@ -10,2 +10,2 @@\\n-10\\n+TEN\\n 11\\n'"},
      {"BlankContextLinesWithoutTheirSpace",
       applied,
       {},
       "printf -- '--- a/blank\\n+++ b/blank\\n@@ -1,3 +1,3 @@\\n-a\\n+A\\n\\n b\\n'"},
      // Patches with headers that have no `diff --git` line.
      {"PlainHeadersWithTimestamps",
       applied,
       {},
       "printf -- '--- a/f\\t2024-01-01 10:00:00.0 +0100\\n+++ b/f\\t2024-01-02 10:00:00.0 +0100\\n"
       "@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n'"},
      {"PlainHeadersOfTwoFiles",
       applied,
       {},
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n--- a/d/x\\n+++ b/d/x\\n@@ "
       "-1 +1 @@\\n-inside\\n+IN\\n'"},
      {"PlainCreation", applied, {}, "printf -- '--- /dev/null\\n+++ b/p/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"PlainCreationByAnEpochStamp",
       applied,
       {},
       "printf -- '--- a/n\\t1970-01-01 00:00:00.000000000 +0000\\n+++ b/n\\t2024-01-01 00:00:00.0 "
       "+0000\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"PlainCreationWithoutAnEpochStamp",
       applied,
       {},
       "printf -- '--- a/n\\n+++ b/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"PlainDeletion", applied, {}, "printf -- '--- a/d/x\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-inside\\n'"},
      {"PlainPatchOfAnEmptyFile",
       applied,
       {},
       "printf -- '--- a/empty\\n+++ b/empty\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"OutputOfDiffMinusR",
       applied,
       {},
       "mkdir -p ../o/a ../o/b; cp f ../o/a; sed s/10/TEN/ f > ../o/b/f; cd ../o; diff -ru a b || true; cd "
       "../repo; rm -r ../o"},
      {"ProseAroundThePatch",
       applied,
       {},
       "echo 'Here is the patch:'; sed -i s/10/TEN/ f; git diff; echo 'That is all.'"},

      // Patches that git and snapgen reject.
      {"OtherContext", rejected, R::context_mismatch,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n twelve\\n'"},
      {"OneBadFileAmongMany", rejected, R::context_mismatch,
       "echo more >> d/x; git diff; printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n "
       "twelve\\n'"},
      {"ModificationOfAMissingFile", rejected, R::missing,
       "printf -- '--- a/none\\n+++ b/none\\n@@ -1,2 +1,2 @@\\n a\\n-b\\n+c\\n'"},
      {"DeletionOfAMissingFile", rejected, R::missing,
       "printf -- '--- a/none\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-b\\n'"},
      {"CreationOverAFile", rejected, R::exists,
       "printf -- '--- /dev/null\\n+++ b/f\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"CreationOverAFolder", rejected, R::exists,
       "printf -- '--- /dev/null\\n+++ b/d\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"CreationBelowAFile", rejected, R::exists,
       "printf -- '--- /dev/null\\n+++ b/f/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"DeletionWithOtherContent", rejected, R::context_mismatch,
       "printf -- '--- a/d/x\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-outside\\n'"},
      {"DeletionOfAFileWithMoreLines", rejected, R::context_mismatch,
       "printf -- '--- a/f\\n+++ /dev/null\\n@@ -1,2 +0,0 @@\\n-1\\n-2\\n'"},
      {"DeletionWithoutHunks", rejected, R::context_mismatch,
       "printf 'diff --git a/f b/f\\ndeleted file mode 100644\\nindex 0ff3bbb..0000000\\n'"},
      {"RenameOntoAFile", rejected, R::exists,
       "printf 'diff --git a/f b/d/x\\nsimilarity index 100%%\\nrename from f\\nrename to d/x\\n'"},
      {"RenameOfAMissingFile", rejected, R::missing,
       "printf 'diff --git a/none b/n\\nsimilarity index 100%%\\nrename from none\\nrename to n\\n'"},
      {"OverlappingHunks", rejected, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -2,3 +2,3 @@\\n 2\\n-3\\n+III\\n 4\\n@@ -4,3 +4,3 @@\\n "
       "4\\n-5\\n+V\\n 6\\n'",
       ByContent::rejected, R::context_mismatch},
      {"TooFewLines", rejected, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,4 +9,4 @@\\n 9\\n-10\\n+TEN\\n 11\\n'", ByContent::applied},
      {"NothingChanges", rejected, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,2 +9,2 @@\\n 9\\n 10\\n'"},
      {"DotDot", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/../n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"DotDotWithin", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/d/../n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"GitFolder", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/.git/hooks/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"GitFolderInCapitals", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/.GIT/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"GitFolderBelow", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/d/.git/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"CreationBeyondASymlink", rejected, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ b/dlink/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"ModificationBeyondASymlink", rejected, R::forbidden_path,
       "printf -- '--- a/dlink/x\\n+++ b/dlink/x\\n@@ -1 +1 @@\\n-inside\\n+IN\\n'"},
      {"DeletionBeyondASymlink", rejected, R::forbidden_path,
       "printf -- '--- a/dlink/x\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-inside\\n'"},
      {"LinesWithoutCarriageReturns", rejected, R::context_mismatch,
       "printf -- '--- a/crlf\\n+++ b/crlf\\n@@ -1,3 +1,3 @@\\n a\\n-b\\n+B\\n c\\n'", ByContent::applied},
      {"LinesWithCarriageReturns", rejected, R::context_mismatch,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\r\\n-10\\r\\n+TEN\\r\\n 11\\r\\n'"},
      {"MarkerIsMissing", rejected, R::eof_newline,
       "printf -- '--- a/nonl\\n+++ b/nonl\\n@@ -1,2 +1,2 @@\\n x\\n-y\\n+z\\n'"},
      {"MarkerIsWrong", rejected, R::eof_newline,
       "printf -- '--- a/d/x\\n+++ b/d/x\\n@@ -1 +1 @@\\n-inside\\n\\\\ No newline at end of file\\n+y\\n'"},
      {"MarkerInTheMiddle", rejected, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n\\\\ No newline at end of file\\n-10\\n+TEN\\n "
       "11\\n'"},
      {"BinaryFilesDiffer", rejected, R::binary, "echo tail >> bin; git diff"},
      {"BinaryDataForAnotherFile", rejected, R::context_mismatch,
       "echo tail >> bin; git diff --binary | sed 's/^index ........../index 0123456789/'"},
      {"BinaryDataThatIsDamaged", rejected, R::binary,
       "echo tail >> bin; git diff --binary | awk '/^delta/ {print; getline; $0 = substr($0, 1, 8) \"00\" "
       "substr($0, 11)} 1'"},
      {"BinaryDataWithoutFullNames", rejected, R::malformed,
       "echo tail >> bin; git diff --binary | sed 's/^index .*/index 0123456..1234567 100644/'"},
      {"SymlinkPatchOnAFile", rejected, R::wrong_kind, "ln -sf d/x link; git diff | sed 's,/link,/nonl,g'"},
      {"FilePatchOnASymlink", rejected, R::wrong_kind,
       "printf 'diff --git a/link b/link\\nindex 123..234 100644\\n--- a/link\\n+++ b/link\\n@@ -1 +1 "
       "@@\\n-f\\n"
       "\\\\ No newline at end of file\\n+g\\n\\\\ No newline at end of file\\n'"},
      {"FileAndSymlinkInOneChangeOfMode", rejected, R::malformed,
       "printf 'diff --git a/f b/f\\nold mode 100644\\nnew mode 120000\\n'"},
      {"EmptyPatch", rejected, R::malformed, "true"},
      {"Prose", rejected, R::malformed, "echo 'Please change line 10 of f.'"},

      // Patches that snapgen rejects and git apply accepts.
      {"MatchingLinesAtAnotherLine", stricter, R::context_mismatch,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -6,3 +6,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n'", ByContent::applied},
      {"HunksOutOfOrder", stricter, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n@@ -2,3 +2,3 @@\\n "
       "2\\n-3\\n+III\\n 4\\n'",
       ByContent::applied},
      {"OneFileTwice", stricter, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n--- a/f\\n+++ b/f\\n@@ -9,3 "
       "+9,3 @@\\n 9\\n-TEN\\n+X\\n 11\\n'",
       ByContent::rejected, R::context_mismatch},
      {"MoreLinesThanCounted", stricter, R::malformed,
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n 12\\n'",
       ByContent::applied},
      {"AbsoluteName", stricter, R::forbidden_path,
       "printf -- '--- /dev/null\\n+++ /abs/n\\n@@ -0,0 +1 @@\\n+new\\n'"},
      {"SecondPartOfATypeChangeOnly", stricter, R::malformed,
       "printf 'diff --git a/d/x b/d/x\\n--- a/d/x\\n+++ b/d/x\\n@@ -1 +1 @@\\n-inside\\n+IN\\n"
       "diff --git a/d/x b/d/x\\ndeleted file mode 100644\\n--- a/d/x\\n+++ /dev/null\\n@@ -1 +0,0 "
       "@@\\n-IN\\n'"},

      {"NamesThatDiffer", stricter, R::malformed,
       "printf 'diff --git a/f b/f\\n--- a/f\\n+++ b/g\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11\\n'"},

      // Patches that git apply rejects and snapgen accepts. git apply always removes one component from a
      // name, requires that every part changes something and every line has a newline, and expects context
      // after each change unless called
      // with --unidiff-zero.
      {"NoNewlineAtTheEndOfThePatch",
       laxer,
       {},
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+TEN\\n 11'"},
      {"NoContextInTheMiddle", laxer, {}, "sed -i s/10/TEN/ f; git diff -U0"},
      {"NoContextAfterTheChange",
       laxer,
       {},
       "printf -- '--- a/f\\n+++ b/f\\n@@ -9,2 +9,2 @@\\n 9\\n-10\\n+TEN\\n'"},
      {"HeaderWithoutChangeBesideAChange",
       laxer,
       {},
       "printf 'diff --git a/d/x b/d/x\\n'; sed -i s/10/TEN/ f; git diff"},
      {"NamesWithoutPrefix", laxer, {}, "sed -i s/10/TEN/ f; git diff --no-prefix"},
  };
}

}  // namespace snapgen::core
