// SPDX-License-Identifier: Apache-2.0
// Packs that a team shares: pinned by their hash, and what a new version of one changes. Nothing is fetched: a folder,
// a rule file or an archive is how a pack travels.
//
//     auto before = kdiag::read_pack("rules/house");
//     auto after = kdiag::read_pack("house-1.1.0.tar.gz");
//     auto difference = kdiag::compare_packs(*before, *after);
//     std::cout << kdiag::to_text(*difference);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

// --- Locks ----------------------------------------------------------------------------------------------------------

/// What a project was agreed on. Paths of packs are relative to the folder of the lock.
struct PackLock {
  std::string file;
  std::vector<PackEntry> packs;
};

/// The packs and rule files of the user among loaded rules, in the order in which they were read.
KDIAG_API const std::vector<PackEntry>& packs_of(const RuleSet& rules);

/// A lock of these, beside the project file: `kdiag.lock` of `kdiag.yaml`.
KDIAG_API PackLock lock_of(std::string_view project_file, const std::vector<PackEntry>& packs);
/// As the file holds it: JSON, a line for each pack.
KDIAG_API std::string to_json(const PackLock& lock);
/// Errors: K100 it cannot be read, K790 it is no lock. K690 soon after `cancel` was set.
KDIAG_API Result<PackLock> load_lock(std::string_view path, const std::atomic<bool>* cancel = nullptr);

/// What differs between a lock and the packs that were loaded: K791 for each that has another hash or version, is
/// pinned and was not loaded, or is not pinned; the latter unless `more` are allowed, as `--rules` adds them.
KDIAG_API Diagnostics lock_mistakes(const PackLock& lock, const std::vector<PackEntry>& packs, bool more = false);

// --- Versions -------------------------------------------------------------------------------------------------------

/// The files of a pack, by their paths inside it; of a rule file its own name.
struct PackFiles {
  std::string name;  ///< of the folder, file or archive
  std::vector<std::pair<std::string, std::string>> files;
};

/// A folder with a pack.yaml, an archive (zip, tar) of one, or one rule file. Errors: K100 it cannot be read, K792 it
/// holds no pack, what is no file, or names that lead out of it; those of damaged archives. K690 soon after `cancel`.
KDIAG_API Result<PackFiles> read_pack(std::string_view path, const std::atomic<bool>* cancel = nullptr);

/// A rule that two versions have both and not alike, or that one of them has.
struct RuleDifference {
  enum class Kind : std::uint8_t { added, removed, changed };
  std::string rule;
  Kind kind = Kind::changed;
  std::vector<std::string> changes;  ///< "most: 1 -> 2", "when"; of an added rule what it is about
};

/// A test that the rules of the later version do not pass.
struct BrokenTest {
  std::string rule, test;
  bool earlier = false;              ///< it is one of the earlier version
  std::vector<std::string> reasons;  ///< "expected fired, got clear"
};

struct PackDifference {
  PackEntry before, after;
  std::vector<RuleDifference> rules;             ///< by id
  std::vector<std::string> definitions;          ///< names of defines and ladders that are not alike
  std::size_t earlier_tests = 0, own_tests = 0;  ///< that were run with the later version
  std::vector<BrokenTest> broken;
};

/// Name, version and hash of a pack. Errors: those of its rules; K411 it is for another kdiag.
KDIAG_API Result<PackEntry> entry_of(const PackFiles& files, const RuleOptions& options = {});

/// What the later version changes: rules, parameters, and how the tests of both end with its rules. Errors: those of
/// the rules of either; K411 the later version is for another kdiag.
KDIAG_API Result<PackDifference> compare_packs(const PackFiles& before, const PackFiles& after,
                                               const RuleOptions& options = {});
KDIAG_API std::string to_text(const PackDifference& difference);

}  // namespace kdiag
