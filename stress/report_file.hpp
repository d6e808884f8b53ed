// The file a run's report goes to.
#pragma once

#include <fstream>
#include <string>

namespace ratchet_stress {

// A report is there as a whole or not at all: it is written beside its place, into FILE.part, and
// moved there at the end. So a run that is killed leaves an earlier report as it was, and FILE.part
// as the sign that it did not end.
class report_file {
 public:
  // Empty: no report is wanted.
  explicit report_file(std::string file);
  report_file(const report_file&) = delete;
  report_file& operator=(const report_file&) = delete;
  // Takes FILE.part away where the run gave up by itself.
  ~report_file();

  // Before the run. False: `problem` says why.
  [[nodiscard]] bool open();
  // After it.
  [[nodiscard]] bool write(const std::string& text);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  // What an earlier run left behind; empty: nothing.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  bool fail();

  std::string file_;
  std::string part_;  // the same as `file_` where that is no regular file: a pipe, a device, a link
  std::ofstream out_;
  std::string problem_;
  std::string note_;
};

}  // namespace ratchet_stress
