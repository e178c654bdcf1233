// SPDX-License-Identifier: Apache-2.0
// One row per kind of file that is not read, with the command that makes a readable one of it.
#include "adapters/io/refusal.hpp"

#include <kdiag/refusal_ids.hpp>

#include "adapters/io/byte_source.hpp"

namespace kdiag::adapters {
namespace {

using namespace std::string_view_literals;

struct Refused {
  std::size_t offset;
  std::string_view magic;
  std::string_view id;
  std::string_view title;
  std::string_view help;
};

constexpr std::string_view unpack = "kdiag opens archives, but none inside another: unpack the outer one.";
constexpr std::string_view unpickle =
    "Only if you trust its author, as a pickle can run code: python3 -c 'import json,pickle,sys; "
    "json.dump(pickle.load(open(sys.argv[1],\"rb\")),sys.stdout,default=str)' FILE > FILE.json";

constexpr std::string_view record_device =
    "Run the program under a profiler of the device, as `nsys profile`, `rocprofv3` or torch.profiler: `kdiag formats` "
    "lists the commands.";

constexpr Refused refused[] = {
    {0, "version https://git-lfs.github.com/spec/"sv, refusal_id::git_lfs_pointer,
     "this is a Git LFS pointer, not the file itself", "Run `git lfs pull` in its repository."},
    {0, "NVIDIA Tegra Profiler Report"sv, refusal_id::nsys_report,
     "this is a binary Nsight Systems report, which only nsys can read",
     "Run `nsys export -t sqlite FILE.nsys-rep` and pass the .sqlite file."},
    {0, "NVR\0"sv, refusal_id::ncu_report, "this is a binary Nsight Compute report, which only ncu can read",
     "Run `ncu --import FILE.ncu-rep --csv --page raw > FILE.csv` and pass the .csv file."},
    {0,
     "\x7F"
     "ELF"sv,
     refusal_id::no_accelerator_recording, "this is a program or library, not a recording of one", record_device},
    {0, "PERFILE2"sv, refusal_id::no_accelerator_recording,
     "this is a recording of perf, which knows the host's processors alone", record_device},
    {0, "2ELIFREP"sv, refusal_id::no_accelerator_recording,
     "this is a recording of perf, which knows the host's processors alone", record_device},
    {0, "PK\x03\x04"sv, refusal_id::container, "this is a zip archive where one trace is needed", unpack},
    {0, "PK\x05\x06"sv, refusal_id::container, "this is an empty zip archive", "Copy the archive again."},
    {257, "ustar"sv, refusal_id::container, "this is a tar archive where one trace is needed", unpack},
    {0, "BZh"sv, refusal_id::container, "this is compressed with bzip2, which kdiag does not unwrap",
     "Run `bunzip2 FILE` and pass the result."},
    {0, "PAR1"sv, refusal_id::container, "this is a Parquet file, which kdiag does not read",
     "Convert it: python3 -c 'import pandas,sys; pandas.read_parquet(sys.argv[1]).to_csv(sys.stdout)' FILE > FILE.csv"},
    {0, "\x80\x02"sv, refusal_id::container, "this is a Python pickle, which kdiag does not execute", unpickle},
    {0, "\x80\x03"sv, refusal_id::container, "this is a Python pickle, which kdiag does not execute", unpickle},
    {0, "\x80\x04"sv, refusal_id::container, "this is a Python pickle, which kdiag does not execute", unpickle},
    {0, "\x80\x05"sv, refusal_id::container, "this is a Python pickle, which kdiag does not execute", unpickle},
};

bool is_ascii(char c) { return c == '\t' || c == '\r' || c == '\n' || (c >= ' ' && c < 0x7F); }

/// Whether every other byte is 0 and those between are ASCII: UTF-16 that has lost its byte-order mark.
bool is_bare_utf16(std::string_view start, std::size_t zeros) {
  constexpr std::size_t enough = 16;  // judgement
  if (start.size() < enough) return false;
  for (std::size_t i = 0; i < enough; ++i)
    if (i % 2 == zeros ? start[i] != 0 : !is_ascii(start[i])) return false;
  return true;
}

}  // namespace

std::optional<Diagnostic> refusal(std::string_view start) {
  for (const bool big_endian : {false, true})
    if (is_bare_utf16(start, big_endian ? 0 : 1))
      return input_error(
          refusal_id::utf16, "this text is UTF-16 without a byte-order mark; kdiag reads UTF-16 with one, and UTF-8",
          std::string("Run `iconv -f ") + (big_endian ? "UTF-16BE" : "UTF-16LE") + " -t UTF-8 FILE > FILE.utf8`.");
  for (const Refused& row : refused)
    if (start.size() >= row.offset && start.substr(row.offset).starts_with(row.magic))
      return input_error(row.id, std::string(row.title), std::string(row.help));
  return std::nullopt;
}

}  // namespace kdiag::adapters
