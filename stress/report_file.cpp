#include "report_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ratchet_stress {

report_file::report_file(std::string file) : file_(std::move(file)) {
  std::error_code unknown;
  // A link (/dev/stdout is one) stays a link.
  const auto there = std::filesystem::symlink_status(file_, unknown);
  const bool is_other = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
  part_ = is_other ? file_ : file_ + ".part";
}

report_file::~report_file() {
  if (!out_.is_open() || part_ == file_) return;
  out_.close();
  std::error_code unknown;
  std::filesystem::remove(part_, unknown);
}

bool report_file::open() {
  if (file_.empty()) return true;
  std::error_code unknown;
  if (part_ != file_ && std::filesystem::exists(part_, unknown))
    note_ = "'" + part_ + "' is left from a run that did not end; it is replaced";
  errno = 0;
  out_.open(part_, std::ios::trunc);
  return out_ ? true : fail();
}

bool report_file::write(const std::string& text) {
  if (file_.empty()) return true;
  errno = 0;
  out_ << text << std::flush;
  if (!out_) return fail();
  if (part_ != file_ && std::rename(part_.c_str(), file_.c_str()) != 0) return fail();
  out_.close();
  return true;
}

bool report_file::fail() {
  problem_ = "could not write --json '" + file_ + "': " + std::strerror(errno);
  return false;
}

}  // namespace ratchet_stress
