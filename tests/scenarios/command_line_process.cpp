// ratchet-stress as a user meets it: exit status and messages.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

struct ended {
  int status = -1;
  std::string out;
  std::string err;
  [[nodiscard]] bool says(const std::string& text) const {
    return out.find(text) != std::string::npos || err.find(text) != std::string::npos;
  }
};

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = read(from, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(from);
  return text;
}

struct treatment {
  int signal = 0;  // sent after `after_ms`, or when `sign` is there
  int after_ms = 0;
  std::string sign = "";
  rlim_t file_bytes_max = RLIM_INFINITY;  // the process ends where it writes more into a file
};

ended stress(std::vector<std::string> arguments, treatment how = {}) {
  int out[2];
  int err[2];
  EXPECT_EQ(pipe(out), 0);
  EXPECT_EQ(pipe(err), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], 1);
    dup2(err[1], 2);
    for (const int end : {out[0], out[1], err[0], err[1]}) close(end);
    const rlimit most{how.file_bytes_max, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &most);
    arguments.insert(arguments.begin(), RATCHET_STRESS_PROGRAM);
    std::vector<char*> words;
    for (std::string& one : arguments) words.push_back(one.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  std::jthread interrupter;
  if (how.signal != 0)
    interrupter = std::jthread([=](const std::stop_token& ended_by_itself) {
      while (!how.sign.empty() && !std::filesystem::exists(how.sign)) {
        if (ended_by_itself.stop_requested()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(how.after_ms));
      if (!ended_by_itself.stop_requested()) kill(child, how.signal);
    });
  ended made;
  made.out = read_all(out[0]);
  made.err = read_all(err[0]);
  interrupter = std::jthread();
  int status = 0;
  waitpid(child, &status, 0);
  made.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return made;
}

TEST(command_line, list_names_scenarios_and_twins) {
  const auto run = stress({"list"});
  EXPECT_EQ(run.status, 0);
  for (const char* name : {"counter", "rate-limiter", "wallet", "register", "twin:lost-update"})
    EXPECT_TRUE(run.says(name)) << name;
}

TEST(command_line, help_and_version) {
  EXPECT_EQ(stress({"--help"}).status, 0);
  EXPECT_TRUE(stress({"run", "--help"}).says("--overlap"));
  EXPECT_TRUE(stress({"--version"}).out.starts_with("ratchet-stress "));
}

TEST(command_line, bad_usage_names_the_option_what_was_found_and_what_it_takes) {
  struct bad {
    std::vector<std::string> arguments;
    std::vector<const char*> says;
  };
  for (const auto& [arguments, says] : std::vector<bad>{
           {{}, {"no command", "run, list"}},
           {{"walk"}, {"command", "'walk'", "run, list"}},
           {{"run", "cuonter"}, {"scenario", "'cuonter'", "counter, rate-limiter"}},
           {{"list", "counter"}, {"'counter'", "no arguments"}},
           {{"run", "--callers", "0"}, {"--callers", "'0'", "from 1 to 100000"}},
           {{"run", "--callers", "ten"}, {"--callers", "'ten'", "whole number"}},
           {{"run", "--callers=7x"}, {"--callers", "'7x'"}},
           {{"run", "--callers"}, {"--callers", "no value"}},
           {{"run", "--limit", "-4"}, {"--limit", "'-4'"}},
           {{"run", "--rounds", ""}, {"--rounds", "empty"}},
           {{"run", "--threads", "1e3"}, {"--threads", "'1e3'"}},
           {{"run", "--overlap", "1.5"}, {"--overlap", "'1.5'", "from 0 to 1"}},
           {{"run", "--overlap", "nan"}, {"--overlap", "'nan'"}},
           {{"run", "--store", "etcd"}, {"--store", "'etcd'", "mutex"}},
           {{"run", "--seed", "18446744073709551616"}, {"--seed", "18446744073709551615"}},
           {{"run", "--canary", "x"}, {"--canary", "'x'", "twin:lost-update"}},
           {{"run", "--fast"}, {"'--fast'", "not known"}},
           {{"run", "--quiet=1"}, {"'--quiet=1'", "not known"}}}) {
    const auto run = stress(arguments);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(run.out, "");
    for (const char* part : says)
      EXPECT_NE(run.err.find(part), std::string::npos) << part << " in: " << run.err;
  }
}

TEST(command_line, a_right_run_exits_0_and_prints_how_to_replay_it) {
  const auto run = stress({"run", "--callers", "40", "--rounds", "2", "--seed", "12"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(run.says("--callers 40 --rounds 2 --overlap 0.5 --seed 12")) << run.out;
  EXPECT_TRUE(run.says("conflicts/commit"));
  for (const char* name : {"counter", "rate-limiter", "wallet"}) EXPECT_TRUE(run.says(name));
  EXPECT_EQ(run.err, "");  // no terminal, no progress
}

TEST(command_line, a_twin_exits_1_with_the_violation_named) {
  const auto run = stress({"run", "twin:lost-update", "--callers", "16", "--rounds", "1"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.says("violation wrong-increment")) << run.out;
}

TEST(command_line, a_blind_harness_exits_1) {
  const auto run = stress({"run", "wallet", "--callers", "16", "--canary", "counter"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.says("the harness is blind")) << run.err;
}

TEST(command_line, callers_that_do_not_meet_make_the_run_void) {
  const auto run = stress({"run", "wallet", "--callers", "200", "--threads", "1", "--rounds", "2"});
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_TRUE(run.says("void")) << run.out;
}

TEST(command_line, without_a_record_it_says_so) {
  const auto run = stress({"run", "wallet", "--callers", "40", "--rounds", "2", "--no-record"});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(run.says("counts only, history not checked"));
}

TEST(command_line, an_interrupt_ends_with_what_was_measured) {
  const std::string file = ::testing::TempDir() + "ratchet_interrupted.json";
  const auto run =
      stress({"run", "counter", "--callers", "100", "--rounds", "1000000", "--json", file},
             {.signal = SIGINT, .after_ms = 1'500});
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_TRUE(run.says("interrupted"));
  std::ifstream in(file);
  const auto report = nlohmann::json::parse(in);
  EXPECT_TRUE(report["interrupted"].get<bool>());
  EXPECT_FALSE(report["results"][0]["passes"][0]["rounds"].empty());
}

TEST(command_line, json_holds_the_raw_counts) {
  const std::string file = ::testing::TempDir() + "ratchet_report.json";
  const auto run = stress({"run", "rate-limiter", "--callers", "40", "--limit", "7", "--rounds",
                           "3", "--seed", "18446744073709551615", "--json", file});
  EXPECT_EQ(run.status, 0) << run.out;
  std::ifstream in(file);
  const auto report = nlohmann::json::parse(in);
  EXPECT_EQ(report["schema"], 1);
  EXPECT_EQ(report["seed"], "18446744073709551615");
  for (const char* key : {"machine", "compiler", "flags", "commit", "arguments", "replay"})
    EXPECT_TRUE(report.contains(key)) << key;
  const auto& rounds = report["results"][0]["passes"][0]["rounds"];
  ASSERT_EQ(rounds.size(), 3u);
  for (const auto& round : rounds) {
    EXPECT_EQ(round["done"], 7);
    EXPECT_EQ(round["refused"], 33);
    EXPECT_EQ(round["commits"], 7);
    EXPECT_EQ(round["final"]["value"], 7);
  }
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A report is whole or not there; who comes next is told.
class killed_runs : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(part);
    std::ofstream(file) << earlier;
  }
  void TearDown() override {
    std::filesystem::remove(part);
    std::filesystem::remove(file);
  }
  void expect_a_sign_and_nothing_lost() {
    EXPECT_EQ(text_of(file), earlier);
    EXPECT_TRUE(std::filesystem::exists(part));
    const auto next = stress(quick);
    EXPECT_EQ(next.status, 0) << next.out << next.err;
    EXPECT_NE(next.err.find(part + "' is left from a run that did not end"), std::string::npos)
        << next.err;
    EXPECT_EQ(nlohmann::json::parse(text_of(file))["results"][0]["scenario"], "wallet");
    EXPECT_FALSE(std::filesystem::exists(part));
    EXPECT_EQ(stress(quick).err, "");
  }

  const std::string file = ::testing::TempDir() + "ratchet_killed_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() +
                           ".json";
  const std::string part = file + ".part";
  const std::string earlier = "an earlier report";
  const std::vector<std::string> quick = {"run",      "wallet", "--callers", "8",
                                          "--rounds", "1",      "--json",    file};
};

TEST_F(killed_runs, a_run_killed_before_its_end_leaves_the_earlier_report_and_a_sign) {
  for (const int after_ms : {0, 30, 200}) {
    std::filesystem::remove(part);
    std::ofstream(file) << earlier;
    const auto run =
        stress({"run", "counter", "--callers", "100", "--rounds", "1000000", "--json", file},
               {.signal = SIGKILL, .after_ms = after_ms, .sign = part});
    EXPECT_EQ(run.status, 128 + SIGKILL) << run.err;
    expect_a_sign_and_nothing_lost();
  }
}

TEST_F(killed_runs, a_run_killed_within_its_report_leaves_the_earlier_one_and_a_sign) {
  const auto run = stress(quick, {.file_bytes_max = 100});
  EXPECT_EQ(run.status, 128 + SIGXFSZ) << run.err;
  expect_a_sign_and_nothing_lost();
}

TEST_F(killed_runs, a_run_that_gives_up_by_itself_leaves_the_earlier_report_and_no_sign) {
  const auto run =
      stress({"run", "wallet", "--callers", "16", "--canary", "counter", "--json", file});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(text_of(file), earlier);
  EXPECT_FALSE(std::filesystem::exists(part));
}

TEST(command_line, a_report_may_go_to_what_is_no_file) {
  const auto run =
      stress({"run", "wallet", "--callers", "8", "--rounds", "1", "--json", "/dev/stdout"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.says("\"schema\""));
}

TEST(command_line, a_file_that_cannot_be_written_is_an_error) {
  const auto run = stress(
      {"run", "wallet", "--callers", "8", "--rounds", "1", "--json", "/nonexistent/report.json"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.says("/nonexistent/report.json"));
}

}  // namespace
