// Unusual names, and kinds of files.
#include "tests/engine/git/scenarios.h"

namespace snapgen::core {

std::vector<Scenario> path_scenarios() {
  return {
      {"names with white space and quotes", By::own,
       "new; put ' lead' 1; put 'trail ' 1; put 'a\"b' 1; put 'a\\b' 1; put -dash 1; put \"a'b\" 1; save; "
       "put ' lead' 2; put 'a\"b' 2; put 'a\\b' 2; put -dash 22; put 'new one' 1"},
      {"names with newline and tab", By::own,
       "new; n=$(printf 'a\\nb'); t=$(printf 'a\\tb'); put \"$n\" 1; put \"$t\" 1; save; put \"$n\" 22; put "
       "\"$t/x\" 1 "
       "2>/dev/null || true; put \"$n.new\" 1"},
      {"names that are not UTF-8", By::own,
       "new; put \"$(printf 'caf\\351')\" 1; put \"$(printf '\\377\\376')\" 1; save; put \"$(printf "
       "'caf\\351')\" 22; "
       "put \"$(printf 'new\\200')\" 1"},
      {"names in composed and in decomposed Unicode form", By::own,
       "new; put \"$(printf '\\303\\251')\" 1; put \"$(printf 'e\\314\\201')\" 1; save; "
       "put \"$(printf '\\303\\251')\" 22"},
      {"names that differ only in case", By::own,
       "new; put A 1; put a 1; put d/X 1; put D/x 1; save; put a 22"},
      {"names that look like .git or a parent", By::own,
       "new; put 'a..b' 1; put 'file~' 1; put 'dot.' 1; put '.gitx' 1; put 'x.git/HEAD' 1; put '...' 1; "
       "save; "
       "put 'a..b' 22; put 'y.git' 1; put '.gitmodulesx' 1"},
      {"the order of names around a slash", By::own,
       "new; put foo-bar 1; put foo.c 1; put foo/x 1; put foo0 1; put foo/bar/y 1; put 'foo!' 1; save; "
       "for f in foo-bar foo.c foo/x foo0 foo/bar/y 'foo!'; do put \"$f\" 22; done"},
      {"the order of untracked names around a slash", By::own,
       "new; put a 1; save; put foo-bar 1; put foo.c 1; put foo/x 1; put foo0 1; put 'foo!' 1"},
      {"a path of two thousand bytes", By::own,
       "new; p=$(printf 'd%.0s' $(seq 100)); l=$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p/$p; "
       "put \"$l/f\" 1; save; put \"$l/f\" 22; put \"$l/g\" 1"},
      {"a component of 255 bytes", By::own,
       "new; p=$(printf 'd%.0s' $(seq 255)); put \"$p\" 1; put \"$p-\" 1 2>/dev/null || true; save; put "
       "\"$p\" 22"},
      {"a folder three hundred levels deep", By::own,
       "new; p=x; for i in $(seq 300); do p=$p/d; done; put $p/f 1; save; put $p/f 22; put $p/e/g 1"},
      {"hard links", By::own, "new; put a 1; ln a b; save; printf 2 >> a"},
      {"a sparse file", By::own, "new; put a 1; save; truncate -s 5G big"},
      {"a tracked file that grew beyond four gigabytes", By::own,
       "new; put a 1; save; truncate -s 4294967298 a"},
      {"symlinks of every kind", By::own,
       "new; put f 1; put d/x 1; ln -s f to-file; ln -s d to-dir; ln -s none dangling; ln -s /etc/hosts "
       "absolute; "
       "ln -s ../home out; ln -s loop loop; save; rm to-dir; ln -s d/x to-dir; put n 1"},
      {"a repository reached through a symlink", By::own,
       "mv ../repo ../real; ln -s real ../repo; cd ../real; new; put a 1; save; put a 22"},
  };
}

std::vector<Scenario> rename_scenarios() {
  return {
      {"an exact rename", By::own, "new; put a 'one two three'; put z 1; save; git mv a b"},
      {"an exact rename into a folder", By::own,
       "new; put a 'one two three'; put z 1; save; mkdir d; git mv a d/a"},
      {"an exact rename that was edited afterwards", By::own,
       "new; put a 'one two three'; put z 1; save; git mv a b; put b 'one two four'"},
      {"an exact rename that was deleted afterwards", By::own,
       "new; put a 'one two three'; save; git mv a b; rm b"},
      {"a rename at half similarity", By::own,
       "new; seq 1 20 > a; save; git mv a b; { seq 1 12; seq 101 108; } > b; git add b"},
      {"a rename below half similarity", By::own,
       "new; seq 1 20 > a; save; git mv a b; { seq 1 6; seq 101 114; } > b; git add b"},
      {"two files swapped", By::own,
       "new; seq 1 20 > a; seq 21 40 > b; save; git mv a t; git mv b a; git mv t b"},
      {"two identical sources", By::own, "new; seq 1 20 > a; cp a b; save; git mv a x; git rm -q b"},
      {"two identical targets", By::own, "new; seq 1 20 > a; save; cp a x; cp a y; git rm -q a; git add x y"},
      {"identical sources and targets with matching names", By::own,
       "new; seq 1 20 > s; put p/one \"$(cat s)\"; put p/two \"$(cat s)\"; put p/three \"$(cat s)\"; save; "
       "git mv p/two two; git mv p/one q-one; git mv p/three three"},
      {"empty files renamed", By::own, "new; : > a; : > b; put z 1; save; git mv a x; git mv b y"},
      {"a symlink renamed", By::own, "new; ln -s t a; put z 1; save; git mv a b"},
      {"a file and a symlink of the same bytes", By::own,
       "new; put a t; save; git rm -q a; ln -s t b; git add b"},
      {"renames with the same base name in other folders", By::own,
       "new; for i in 1 2 3 4; do put a/f$i \"$(seq $i 30)\"; done; save; git mv a b; for i in 1 2 3; do "
       "echo x >> b/f$i; "
       "done; git add -A"},
      {"a renamed folder", By::own,
       "new; for i in 1 2 3 4 5 6; do put a/d$i/f \"file number $i\"; done; save; git mv a b"},
      {"an executable bit changed by a rename", By::own,
       "new; put a 'one two'; save; git mv a b; chmod +x b; git add b"},
      {"status.renames off", By::own,
       "new; git config status.renames false; put a 'one two'; save; git mv a b"},
      {"diff.renames off", By::own, "new; git config diff.renames false; put a 'one two'; save; git mv a b"},
      {"status.renames on overrides diff.renames off", By::own,
       "new; git config diff.renames false; git config status.renames true; put a 'one two'; save; git mv a "
       "b"},
      {"diff.renames of the repository overrides that of the user", By::own,
       "new; git config --global diff.renames false; git config diff.renames true; put a 'one two'; save; "
       "git mv a b"},
      {"copies", By::git,
       "new; git config status.renames copies; seq 1 20 > a; save; echo x >> a; seq 1 20 > b; git add ."},
      {"copies without any new file", By::own,
       "new; git config status.renames copies; put a 1; save; put a 22"},
      {"renames over the limit", By::own,
       "new; git config status.renameLimit 3; for i in 1 2 3 4 5; do seq $i 40 > a$i; done; save; mkdir d; "
       "for i in 1 2 3 4 5; do git mv a$i d/b$i; echo x$i >> d/b$i; done; git add -A"},
      {"exact renames over the limit", By::own,
       "new; git config diff.renameLimit 3; for i in 1 2 3 4 5; do seq $i 40 > a$i; done; save; mkdir d; "
       "for i in 1 2 3 4 5; do git mv a$i d/b$i; done"},
      {"a worktree rename through intent to add", By::git, "new; seq 1 20 > a; save; mv a b; git add -N b"},
      {"an intent to add beside an unrelated deletion", By::git,
       "new; seq 1 20 > a; put c 1; save; rm a; seq 100 140 > b; git add -N b"},
      {"a dozen renames with edits among a dozen candidates", By::own,
       "new; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdir -p a; seq $i $((i+60)) > a/f$i; done; save; mkdir "
       "b; "
       "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do git mv a/f$i b/g$i; seq 500 $((500+2*i)) >> b/g$i; done; git "
       "add -A"},
      {"a staged addition and an unrelated staged deletion", By::own,
       "new; seq 1 100 > a; put z 1; save; git rm -q a; seq 1000 1100 > b; git add b"},
      {"a rename that the last line without a line break decides", By::any,
       "new; { seq 1 10; printf 'a long last line without any line break'; } > a; save; git mv a b; "
       "{ seq 101 110; printf 'a long last line without any line break'; } > b; git add b"},
      {"renames of files with long lines", By::own,
       "new; for i in 1 2 3; do for j in $(seq 30); do printf 'word%s-%s ' $i $j; done > a$i; echo >> a$i; "
       "done; save; "
       "for i in 1 2 3; do git mv a$i b$i; echo tail$i >> b$i; done; git add -A"},
      {"a rename of CRLF files under a diff attribute", By::any,
       "new; printf '*.x -diff\\n' > .gitattributes; seq 1 50 | sed 's/$/\\r/' > a.x; save; git mv a.x b.x; "
       "echo more >> b.x; git add b.x"},
      {"binary files renamed with changes", By::own,
       "new; head -c 3000 /dev/zero | tr '\\0' '\\1' > a; printf '\\0' >> a; seq 1 300 >> a; save; git mv a "
       "b; "
       "printf more >> b; git add b"},
      {"files with CRLF renamed to LF", By::own,
       "new; seq 1 50 | sed 's/$/\\r/' > a; save; git rm -q a; seq 1 50 > b; git add b"},
  };
}

}  // namespace snapgen::core
