// Kinds of repositories and their settings.
#include "tests/engine/git/scenarios.h"

namespace snapgen::core {

std::vector<Scenario> conversion_scenarios() {
  return {
      {"autocrlf with CRLF written over LF", By::own,
       "new; printf 'a\\nb\\n' > f; save; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > f"},
      {"autocrlf checked out, with a touched file", By::any,
       "new; git config core.autocrlf true; printf 'a\\nb\\n' > f; save 2>/dev/null; rm f; git checkout -q "
       "f; "
       "touch -d 2019-01-01 f"},
      {"autocrlf input, with a touched file", By::any,
       "new; git config core.autocrlf input; printf 'a\\nb\\n' > f; save; touch -d 2019-01-01 f"},
      {"autocrlf with a CRLF blob touched", By::any,
       "new; printf 'a\\r\\nb\\r\\n' > f; save; git config core.autocrlf true; touch -d 2019-01-01 f"},
      {"eol crlf by attribute, with a touched file", By::any,
       "new; printf '*.txt text eol=crlf\\n' > .gitattributes; printf 'a\\r\\nb\\r\\n' > f.txt; save "
       "2>/dev/null; "
       "touch -d 2019-01-01 f.txt"},
      {"text auto with mixed line ends, with a touched file", By::any,
       "new; printf '* text=auto\\n' > .gitattributes; printf 'a\\r\\nb\\n' > f; save 2>/dev/null; touch -d "
       "2019-01-01 f"},
      {"text attribute set after the commit, with a touched file", By::any,
       "new; printf 'a\\r\\nb\\r\\n' > f; save; printf '* text\\n' > .gitattributes; touch -d 2019-01-01 f"},
      {"a binary attribute, with a touched file", By::any,
       "new; git config core.autocrlf true; printf '*.bin binary\\n' > .gitattributes; printf 'a\\r\\nb\\n' "
       "> f.bin; save; "
       "touch -d 2019-01-01 f.bin"},
      {"a touched file with NUL bytes under text auto", By::any,
       "new; printf '* text=auto\\n' > .gitattributes; printf 'a\\r\\n\\0b\\r\\n' > f; save; touch -d "
       "2019-01-01 f"},
      {"a lone CR under text auto, with a touched file", By::any,
       "new; printf '* text=auto\\n' > .gitattributes; printf 'a\\rb\\r\\n' > f; save; touch -d 2019-01-01 "
       "f"},
      {"ident, with a touched file", By::any,
       "new; printf '*.c ident\\n' > .gitattributes; printf '$Id$\\n' > f.c; save; rm f.c; git checkout -q "
       "f.c; "
       "touch -d 2019-01-01 f.c"},
      {"ident with a foreign expansion, with a touched file", By::any,
       "new; printf '$Id: hello $\\n' > f.c; save; printf '*.c ident\\n' > .gitattributes; touch -d "
       "2019-01-01 f.c"},
      {"a clean filter, with a touched file", By::git,
       "new; git config --global filter.up.clean 'tr a-z A-Z'; printf '*.t filter=up\\n' > .gitattributes; "
       "put f.t "
       "abc; save; "
       "touch -d 2019-01-01 f.t"},
      {"a clean filter without changed files", By::own,
       "new; git config --global filter.up.clean 'tr a-z A-Z'; printf '*.t filter=up\\n' > .gitattributes; "
       "put f.t "
       "abc; put g 1; "
       "age; save; touch -d 2021-01-01 .git/index"},
      {"an unconfigured filter, with a touched file", By::any,
       "new; printf '*.t filter=lfs\\n' > .gitattributes; put f.t abc; save; touch -d 2019-01-01 f.t"},
      {"a working tree encoding, with a touched file", By::git,
       "new; printf '*.t text working-tree-encoding=UTF-16LE\\n' > .gitattributes; printf 'a\\0b\\0' > f.t; "
       "save; "
       "touch -d 2019-01-01 f.t"},
      {"attributes in a folder, with a touched file", By::any,
       "new; printf 'a\\r\\n' > f; mkdir d; printf 'a\\r\\n' > d/f; save; printf 'f text\\n' > "
       "d/.gitattributes; "
       "touch -d 2019-01-01 f d/f"},
      {"attributes in info, with a touched file", By::any,
       "new; printf 'a\\r\\n' > f; printf 'a\\r\\n' > g; save; mkdir -p .git/info; printf 'f text\\n' > "
       ".git/info/attributes; "
       "touch -d 2019-01-01 f g"},
      {"attributes of the user, with a touched file", By::any,
       "new; printf 'a\\r\\n' > f; printf 'a\\r\\n' > g; save; mkdir -p ../home/.config/git; "
       "printf 'f text\\n' > ../home/.config/git/attributes; touch -d 2019-01-01 f g"},
      {"an attribute macro, with a touched file", By::any,
       "new; printf 'a\\r\\n' > f; save; printf '[attr]plain text\\nf plain\\n' > .gitattributes; touch -d "
       "2019-01-01 f"},
      {"an attribute unset again, with a touched file", By::any,
       "new; printf 'a\\r\\n' > f; save; printf '* text\\nf -text\\n' > .gitattributes; touch -d 2019-01-01 "
       "f"},
      {"attributes that are only in the index", By::any,
       "new; printf 'a\\r\\n' > f; save; printf 'f text\\n' > .gitattributes; git add .gitattributes; rm "
       ".gitattributes; "
       "touch -d 2019-01-01 f"},
      {"a touched file larger than a buffer", By::own, "new; seq 1 300000 > f; save; touch -d 2019-01-01 f"},
  };
}

std::vector<Scenario> repository_scenarios() {
  return {
      {"the repository of the known fingerprint", By::own,
       "new; put src/main.rs 'fn main() {}'; put README.md '# Toy Repo'; git add .; git commit -qm 'Initial "
       "commit'"},
      {"a detached HEAD", By::own, "new; put a 1; save; put a 2; save; git checkout -q HEAD~1; put b 1"},
      {"HEAD at a branch that does not exist", By::own,
       "new; put a 1; save; git symbolic-ref HEAD refs/heads/none"},
      {"branches that are only in packed-refs", By::own,
       "new; put a 1; save; git branch side; git pack-refs --all; put a 22"},
      {"a branch with slashes", By::own, "new; put a 1; save; git checkout -qb feature/x/y; put a 22"},
      {"a branch packed and then moved", By::own, "new; put a 1; save; git pack-refs --all; put a 2; save"},
      {"objects in packs", By::own,
       "new; put a 1; put d/b 2; save; put a 2; save; git gc -q; put d/b 3; git add .; put a 55"},
      {"objects in an alternate", By::own,
       "mkdir ../base; (cd ../base; new; put a 1; put d/b 1; save); git clone -q -s ../base .; put d/b 22; "
       "put d/c 1; "
       "git add d/b"},
      {"an index of version 4", By::own,
       "new; git config index.version 4; for i in 1 2 3; do put folder/sub$i/file$i $i; done; save; "
       "put folder/sub2/file2 22; put folder/sub3/new 1; git add folder/sub3/new"},
      {"an index of version 3", By::own, "new; put a 1; put b 1; save; put c 1; git add -N c; put a 22"},
      {"an index of version 4 with intent to add", By::own,
       "new; git config index.version 4; put a 1; put b 1; save; put c 1; git add -N c; put a 22"},
      {"an index without a checksum", By::own,
       "new; git config index.skipHash true; put a 1; save; put a 22"},
      {"feature.manyFiles", By::own,
       "new; git config feature.manyFiles true; put a 1; put d/b 1; save; put a 22; put c 1"},
      {"index.threads with offset tables", By::own,
       "new; git config index.threads 4; for i in $(seq 50); do put d/f$i $i; done; save; put d/f7 xx"},
      {"an existing index.lock", By::own, "new; put a 1; save; : > .git/index.lock; put a 22"},
      {"no index file", By::own, "new; put a 1; save; rm .git/index"},
      {"a truncated index", By::none, "new; put a 1; put b 1; save; truncate -s 100 .git/index"},
      {"an index of another version", By::any,
       "new; put a 1; save; printf '\\011' | dd of=.git/index bs=1 seek=7 conv=notrunc 2>/dev/null"},
      {"an empty index file", By::any, "new; put a 1; save; : > .git/index"},
      {"a split index", By::own,
       "new; git config core.splitIndex true; for i in 1 2 3 4 5 6 7 8 9; do put f$i $i; done; save; put f3 "
       "33; "
       "git add f3; put f4 44; put u 1"},
      {"a split index with deletions, additions and conflicts", By::own,
       "new; git config core.splitIndex true; git config splitIndex.maxPercentChange 90; for i in 1 2 3 4 5 "
       "6 7 8 9; do "
       "put d/f$i $i; done; save; git update-index --split-index; git rm -q --cached d/f2 d/f3 d/f9; put a "
       "1; put z 1; put d/f5a 1; "
       "git add a z d/f5a; put d/f7 77; git add d/f7; git update-index --chmod=+x d/f1; o=$(git hash-object "
       "-w a); "
       "printf '100644 %s 2\\td/f3\\n' $o | git update-index --index-info"},
      {"a split index of version 4", By::own,
       "new; git config index.version 4; git config core.splitIndex true; for i in 1 2 3 4 5 6 7 8 9; do put "
       "d/f$i $i; done; save; "
       "put d/f3 33; git add d/f3; git rm -q d/f4; put d/f5 55"},
      {"a split index whose shared part is missing", By::any,
       "new; git config core.splitIndex true; put a 1; save; rm -f .git/sharedindex.*"},
      {"a sparse index with a staged change inside the cone", By::own,
       "new; for d in a b c; do put $d/e/f 1; put $d/g 1; done; save; git sparse-checkout set --cone "
       "--sparse-index a; "
       "put a/e/f 22; git add a/e/f; put a/n 1; git add a/n"},
      {"a sparse index with an existing file outside the cone", By::own,
       "new; for d in a b c; do put $d/e/f 1; put $d/g 1; done; save; git sparse-checkout set --cone "
       "--sparse-index a; put b/g 22; "
       "put c/n 1"},
      {"a sparse checkout in cone mode", By::own,
       "new; for d in a b c; do put $d/f 1; put $d/g 1; done; put r 1; save; git sparse-checkout set --cone "
       "a; put a/f 22; put a/n 1"},
      {"a sparse checkout with an existing file outside the cone", By::own,
       "new; for d in a b c; do put $d/f 1; put $d/g 1; done; save; git sparse-checkout set --cone a; put "
       "b/f 22; put c/g 1"},
      {"a sparse checkout with a symlink in place of an omitted folder", By::own,
       "new; for d in a b c; do put $d/f 1; put $d/g 1; done; save; git sparse-checkout set --cone a; put "
       "../else/f 1; ln -s ../else b"},
      {"a sparse checkout with patterns", By::own,
       "new; for d in a b c; do put $d/f 1; put $d/g 1; done; save; git sparse-checkout set --no-cone '/*' "
       "'!g' 2>/dev/null; put a/f 22"},
      {"a sparse checkout without its .gitignore", By::own,
       "new; put b/.gitignore '*.o\n'; put b/f 1; put a/f 1; save; git sparse-checkout set --cone a; put "
       "b/x.o 1; put b/y 1"},
      {"a sparse index", By::own,
       "new; for d in a b c; do put $d/e/f 1; put $d/g 1; done; save; git sparse-checkout set --cone "
       "--sparse-index a; put a/g 22; "
       "put a/n 1"},
      {"a SHA-256 repository", By::any,
       "new --object-format=sha256; put a 1; put d/b 1; save; put a 22; put c 1"},
      {"a SHA-256 repository with staged changes", By::any,
       "new --object-format=sha256; put a 1; put d/b 1; save; put d/b 22; put d/c 1; git add .; put u 1"},
      {"extensions.worktreeConfig", By::own,
       "new; git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true; "
       "git config --worktree status.showUntrackedFiles no; put a 1; save; put b 1"},
      {"extensions.preciousObjects", By::own,
       "new; git config core.repositoryFormatVersion 1; git config extensions.preciousObjects true; put a 1; "
       "save; put a 22"},
      {"extensions.partialClone", By::own,
       "new; git config core.repositoryFormatVersion 1; git config extensions.partialClone origin; put a 1; "
       "save; put a 22; put b 1; "
       "git add b"},
      {"an unknown extension", By::any,
       "new; put a 1; save; git config core.repositoryFormatVersion 1; git config extensions.fromTheFuture "
       "true"},
      {"an unknown extension in format 0", By::own,
       "new; put a 1; save; git config extensions.fromTheFuture true; put a 22"},
      {"a newer repository format", By::any, "new; put a 1; save; git config core.repositoryFormatVersion 7"},
      {"a linked work tree", By::own,
       "mkdir ../main; cd ../main; new; put a 1; put d/b 1; save; git branch side; rmdir ../repo; git "
       "worktree add -q ../repo side; "
       "cd ../repo; put a 22; put u 1; put s 1; git add s"},
      {"a separate git dir", By::own,
       "git init -q -b main --separate-git-dir=../elsewhere .; put a 1; save; put a 22; put u 1"},
      {"a .git symlink", By::own,
       "new; put a 1; save; mv .git ../elsewhere; ln -s ../elsewhere .git; put a 22"},
      {"core.worktree outside of the repository", By::own,
       "new; mkdir ../tree; git config core.worktree ../../tree; cd ../tree; put a 1; git -C ../repo add -A; "
       "git -C ../repo commit -qm x; put a 22; put u 1"},
      {"a subfolder opened", By::own, "new; put a 1; put d/b 1; save; put a 22; put d/u 1"},
      {"configuration by include", By::own,
       "new; printf '[status]\\n\\tshowUntrackedFiles = no\\n' > ../extra; git config include.path "
       "../../extra; put a 1; save; put b 1"},
      {"configuration by includeIf gitdir", By::own,
       "new; printf '[status]\\n\\tshowUntrackedFiles = no\\n' > ../home/extra; "
       "printf '[includeIf \"gitdir:**/repo/.git\"]\\n\\tpath = extra\\n' > ../home/.gitconfig; put a 1; "
       "save; put b 1"},
      {"configuration by includeIf gitdir that does not match", By::own,
       "new; printf '[status]\\n\\tshowUntrackedFiles = no\\n' > ../home/extra; "
       "printf '[includeIf \"gitdir:~/work/\"]\\n\\tpath = extra\\n' > ../home/.gitconfig; put a 1; save; "
       "put b 1"},
      {"configuration by includeIf onbranch", By::any,
       "new; printf '[status]\\n\\tshowUntrackedFiles = no\\n' > ../home/extra; "
       "printf '[includeIf \"onbranch:main\"]\\n\\tpath = extra\\n' > ../home/.gitconfig; put a 1; save; put "
       "b 1"},
      {"configuration with every kind of quoting", By::own,
       "new; printf '[core] ; comment\\n  excludesFile = \"../ru\" les\\\\\\n.txt # "
       "more\\n[status]showUntrackedFiles=all\\n' "
       ">> .git/config; printf 'x*\\n' > '../ru les.txt'; put a 1; save; put x1 1; put d/y 1"},
      {"a broken configuration", By::any, "new; put a 1; save; printf '[core\\n' >> .git/config"},
      {"an invalid boolean in the configuration", By::any,
       "new; put a 1; save; git config core.fileMode maybe"},
      {"an invalid value of showUntrackedFiles", By::any,
       "new; put a 1; save; git config status.showUntrackedFiles maybe"},
      {"core.ignoreCase on a case sensitive file system", By::git,
       "new; git config core.ignoreCase true; put A 1; put d/x 1; save; mv A a; put D/x 1"},
      {"core.symlinks off", By::git,
       "new; ln -s t l; put a 1; save; git config core.symlinks false; rm l; put l t"},
      {"a replaced commit", By::any, "new; put a 1; save; put a 2; save; git replace HEAD HEAD~1"},
      {"core.useReplaceRefs off", By::own,
       "new; put a 1; save; put a 2; save; git replace HEAD HEAD~1; git config core.useReplaceRefs false"},
      {"an fsmonitor hook that reports no changes", By::own,
       "new; put a 1; save; printf '#!/bin/sh\\ntouch %s/ran\\nprintf \"token\\\\0\"\\n' \"$PWD/..\" > "
       "../hook; chmod +x ../hook; "
       "git config core.fsmonitor ../hook; git update-index --fsmonitor 2>/dev/null || true; rm -f ../ran; "
       "put a 22"},
      {"a HEAD that is a symlink", By::own,
       "new; put a 1; save; rm .git/HEAD; ln -s refs/heads/main .git/HEAD; put a 22"},
      {"HEAD whose commit is missing", By::any,
       "new; put a 1; save; echo 1234567890123456789012345678901234567890 > .git/refs/heads/main"},
      {"a damaged branch", By::any, "new; put a 1; save; echo nonsense > .git/refs/heads/main"},
      {"a tag object in a detached HEAD", By::any,
       "new; put a 1; save; git tag -a t -m t; o=$(git rev-parse t); echo $o > .git/HEAD"},
  };
}

std::vector<Scenario> submodule_scenarios() {
  static const std::string base =
      "mkdir ../sub; (cd ../sub; new; put s 1; save; put s 2; save); new; put a 1; "
      "git -c protocol.file.allow=always submodule --quiet add ../sub sub; save; ";
  static std::vector<std::string> scripts;
  scripts.clear();
  struct State {
    const char* sentence;
    By engine;
    const char* script;
  };
  const std::vector<State> states = {
      {"a clean submodule", By::own, ""},
      {"a submodule with a modified file", By::own, "put sub/s 33"},
      {"a submodule with an untracked file", By::own, "put sub/u 1"},
      {"a submodule with an ignored file", By::own, "echo u > .git/modules/sub/info/exclude; put sub/u 1"},
      {"a submodule with a staged file", By::own, "put sub/n 1; git -C sub add n"},
      {"a submodule with a new commit", By::own, "(cd sub; put s 3; save)"},
      {"a submodule with an older commit", By::own, "git -C sub checkout -q HEAD~1"},
      {"a submodule with a new commit that is staged", By::own, "(cd sub; put s 3; save); git add sub"},
      {"a submodule with ignore dirty", By::any, "git config submodule.sub.ignore dirty; put sub/s 33"},
      {"a submodule with ignore all", By::any,
       "git config submodule.sub.ignore all; (cd sub; put s 3; save)"},
      {"a submodule with ignore untracked", By::any,
       "git config submodule.sub.ignore untracked; put sub/u 1"},
      {"a submodule with ignore in .gitmodules", By::any,
       "git config -f .gitmodules submodule.sub.ignore all; git commit -qam x; put sub/s 33"},
      {"diff.ignoreSubmodules", By::any, "git config diff.ignoreSubmodules all; put sub/s 33"},
      {"a submodule that was removed from disk", By::own, "rm -r sub"},
      {"a submodule that is an empty folder", By::own, "rm -rf sub; mkdir sub"},
      {"a submodule without its .git", By::own, "rm sub/.git"},
      {"a submodule not initialised", By::own, "git submodule --quiet deinit -f sub"},
      {"a submodule replaced by a file", By::own, "rm -rf sub; put sub 1"},
      {"a submodule replaced by a symlink", By::any, "rm -rf sub; ln -s a sub"},
      {"a submodule removed from the index", By::own, "git rm -q --cached sub"},
      {"a submodule whose .git file is broken", By::any, "echo nonsense > sub/.git"},
      {"a submodule with showUntrackedFiles no", By::own,
       "git config status.showUntrackedFiles no; put sub/u 1"},
      {"a submodule with a conflict", By::any,
       "printf '100644 %s 2\\ts\\n' $(git -C sub rev-parse HEAD:s) | git -C sub update-index --index-info"},
      {"a submodule added in a nested folder", By::own,
       "git -c protocol.file.allow=always submodule --quiet add ../sub deep/er/sub; put deep/er/x 1"},
  };
  for (const State& state : states) scripts.push_back(base + state.script);
  std::vector<Scenario> out;
  for (std::size_t i = 0; i < states.size(); ++i) {
    out.push_back({.sentence = states[i].sentence, .engine = states[i].engine, .script = scripts[i].c_str()});
  }
  out.push_back({"a gitlink without .gitmodules", By::any,
                 "new; put a 1; save; mkdir n; (cd n; new; put x 1; save); git add n 2>/dev/null"});
  out.push_back({"a gitlink whose repository is dirty", By::any,
                 "new; put a 1; save; mkdir n; (cd n; new; put x 1; save); git add n 2>/dev/null; git commit "
                 "-qm n; put n/x 22"});
  out.push_back({"a file replaced by a repository", By::any,
                 "new; put n 1; save; rm n; mkdir n; (cd n; new; put x 1; save)"});
  return out;
}

}  // namespace snapgen::core
