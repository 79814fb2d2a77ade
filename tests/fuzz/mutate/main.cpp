// SPDX-License-Identifier: MIT
// mutate_tool PCHR MUTATIONS SEED FILE: damages files of every supported format, each MUTATIONS times next to intact
// ones, and runs every subcommand of `pchr` on them. Each run must end within seconds and limited memory with an exit
// code documented for bad files, print only safe text and valid JSON, change none of its input files, and leave no
// temporary files. What it writes must load again, with the rig and the markers next to it. TMPDIR in memory makes it
// several times faster.
#include "support/load.hpp"

#include "checks.hpp"
#include "mutator.hpp"
#include "scenes.hpp"

#include <pchr/load.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::mutate {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr rlim_t kSeconds = 10;   // CPU time
constexpr unsigned kHangs = 600;  // seconds of wall-clock time, for a busy machine
constexpr rlim_t kMemory = rlim_t{1} << 30;
constexpr rlim_t kRenderMemory = rlim_t{4} << 30;  // a software renderer reserves far more than it uses
constexpr std::uint64_t kDrawnShare = 9;           // draws one damaged copy in this many, because drawing is slow

#ifdef PCHR_ADDRESS_SANITIZER
constexpr bool kLimitMemory = false;  // sanitizers reserve terabytes of address space
#else
constexpr bool kLimitMemory = true;
#endif

enum class Prints { text, json };
enum class Writes { nothing, out, next_to_input };  ///< To the folder `out`, or next to its input files.

/// Command line of a subcommand. FILE stands for the character, INTACT for an undamaged copy, PNG for a PNG file next
/// to the character.
struct Call {
  const char* subcommand;
  Words words;
  Prints prints = Prints::text;
  Writes writes = Writes::nothing;
  bool draws = false;
  bool needs_moment = false;  ///< Appends options that select a time in a clip.
};

const std::vector<Call> kCalls = {
    {"inspect", {"FILE"}},
    {"inspect", {"FILE", "--bones"}},
    {"inspect", {"FILE", "--bind", "identity"}},
    {"inspect", {"FILE", "--json"}, Prints::json},
    {"validate", {"FILE"}},
    {"validate", {"FILE", "--strict"}},
    {"validate", {"FILE", "INTACT"}},
    {"validate", {"FILE", "--json"}, Prints::json},
    {"validate", {"FILE", "--sarif"}, Prints::json},
    {"pose", {"FILE"}, Prints::json, Writes::nothing, false, true},
    {"pose", {"FILE", "--bind", "identity"}, Prints::json, Writes::nothing, false, true},
    {"pack", {"FILE", "-o", "out/packed.pchr", "--force", "--lossy"}, Prints::text, Writes::out},
    {"pack", {"FILE", "-o", "out/packed.pchr", "--force", "--rgba"}, Prints::text, Writes::out},
    {"unpack", {"FILE", "-o", "out", "--force", "--lossy"}, Prints::text, Writes::out},
    {"unpack", {"FILE", "-o", "out", "--force", "--lossy", "--json-dialect", "pachario"}, Prints::text, Writes::out},
    {"unpack", {"FILE", "-o", "in", "--force", "--lossy"}, Prints::text, Writes::next_to_input},
    {"convert", {"FILE", "--to", "packed", "-o", "out/a.pchr", "--force", "--lossy"}, Prints::text, Writes::out},
    {"convert", {"FILE", "--to", "json", "-o", "out/a.json", "--force", "--lossy"}, Prints::text, Writes::out},
    {"convert", {"FILE", "--to", "v1", "-o", "out/a.pchr", "--force", "--lossy"}, Prints::text, Writes::out},
    {"convert", {"FILE", "--to", "glb", "-o", "out/a.glb", "--force", "--lossy"}, Prints::text, Writes::out},
    {"convert", {"FILE", "--to", "json", "-o", "in/a.json", "--force", "--lossy"}, Prints::text, Writes::next_to_input},
    {"convert", {"FILE", "--to", "v1", "-o", "FILE", "--force", "--lossy"}, Prints::text, Writes::next_to_input},
    {"render", {"FILE", "--size", "32x32", "-o", "out/image.png"}, Prints::text, Writes::out, true},
    {"render", {"FILE", "--size", "8x8", "--contact-sheet", "2", "-o", "out/a.png"}, Prints::text, Writes::out, true},
    {"render", {"FILE", "--size", "8x8", "--reference", "INTACT_IMAGE"}, Prints::text, Writes::nothing, true},
    {"render", {"FILE", "--size", "8x8", "-o", "PNG"}, Prints::text, Writes::next_to_input, true},
    {"sheet", {"FILE", "--fps", "2", "--scale", "0.5", "-o", "out/sheet.png"}, Prints::text, Writes::out, true},
    {"sheet", {"FILE", "--fps", "2", "-o", "PNG"}, Prints::text, Writes::next_to_input, true},
    {"diff", {"FILE", "INTACT", "--no-pixels"}},
    {"diff", {"INTACT", "FILE", "--no-pixels", "--json"}, Prints::json},
    {"diff", {"FILE", "INTACT", "--frames", "2"}, Prints::text, Writes::nothing, true},
};

struct Outcome {
  int code = 0;              ///< Exit code, or 128 + the signal.
  double seconds = 0;        ///< Wall-clock time.
  std::size_t peak_kib = 0;  ///< Peak resident memory, at least that of this program.
};

Outcome run(Words words, bool draws) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const rlimit seconds{kSeconds, kSeconds}, memory{draws ? kRenderMemory : kMemory, RLIM_INFINITY}, no_core{0, 0};
  const auto start = std::chrono::steady_clock::now();
  // Copying the pages of this process would take longer than most runs.
  const pid_t child = vfork();
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &no_core);
    if (kLimitMemory) setrlimit(RLIMIT_AS, &memory);
    alarm(kHangs);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(open("stdout", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), STDOUT_FILENO);
    dup2(open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) std::abort();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), passed.count(),
          static_cast<std::size_t>(usage.ru_maxrss)};
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void write(const fs::path& folder, const Scene& scene) {
  fs::remove_all(folder);
  fs::create_directory(folder);
  for (const SceneFile& file : scene.files) write(folder / file.name, file.bytes);
}

/// Returns options that select a time in a clip of `file`, or none if the name cannot be passed on a command line.
Words some_moment(const fs::path& file, Mutator& mutator) {
  const auto character = load_character(file);
  if (!character || character->clips().empty()) return {};
  const std::string& name = character->clips()[mutator.below(character->clips().size())].name;
  const auto is_plain = [](char letter) { return letter == '_' || (letter >= 'a' && letter <= 'z'); };
  if (name.empty() || !std::ranges::all_of(name, is_plain)) return {};
  const Clip& clip = character->clips()[character->find_clip(name)];
  if (clip.frame_count > 0 && mutator.below(2) == 0) {
    return {"--clip", name, "--frame", std::to_string(mutator.below(clip.frame_count))};
  }
  const Words seconds = {"0", "0.51", "1e9", "-0.7", "123456.789"};
  Words words{"--clip", name, "--time=" + mutator.one_of(seconds)};
  if (mutator.below(2) == 0) words.emplace_back("--smooth");
  return words;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Results of one scene's runs.
struct Summary {
  std::map<int, std::uint64_t> codes;
  std::uint64_t runs = 0, damaged = 0, loaded = 0;
  Outcome worst;  ///< Longest time and largest memory.

  void add(const Outcome& outcome) {
    ++runs;
    ++codes[outcome.code];
    worst.seconds = std::max(worst.seconds, outcome.seconds);
    worst.peak_kib = std::max(worst.peak_kib, outcome.peak_kib);
  }
};

class Stage {
 public:
  Stage(std::string tool, fs::path kept) : tool_(std::move(tool)), kept_(std::move(kept)) {}

  /// Runs every call on the intact files of a scene, then on damaged copies.
  void play(const Scene& scene, std::uint64_t mutations, std::uint64_t seed) {
    scene_ = &scene;
    summary_ = {};
    Mutator mutator(seed);
    write("in", scene);
    write("intact", scene);
    write("intact_image.png", Bytes());
    static_cast<void>(
        run({tool_, "render", "intact/" + scene.files[0].name, "--size", "8x8", "-o", "intact_image.png"}, true));
    for (const Call& call : kCalls) try_call(call, mutator, "intact");
    for (const SceneFile& file : scene.files) {
      for (std::uint64_t i = 0; i < (mutations + scene.share - 1) / scene.share; ++i) {
        write("in/" + file.name, mutator.mutate(file.bytes));
        ++summary_.damaged;
        call_each_subcommand(mutator, file.name + "-" + std::to_string(i), i % kDrawnShare == 0);
      }
      write("in/" + file.name, file.bytes);
    }
    print();
  }
  [[nodiscard]] int failures() const noexcept { return failures_; }
  [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }

 private:
  /// Runs one random command line of each subcommand.
  void call_each_subcommand(Mutator& mutator, const std::string& what, bool draws) {
    for (auto first = kCalls.begin(); first != kCalls.end();) {
      const std::string_view name = first->subcommand;
      const auto last = std::find_if(first, kCalls.end(), [&](const Call& call) { return call.subcommand != name; });
      std::vector<const Call*> choices;
      for (; first != last; ++first) {
        // The inputs of a damaged character are unknown, so it must not write next to any file.
        if (first->writes != Writes::next_to_input && (draws || !first->draws)) choices.push_back(&*first);
      }
      if (!choices.empty()) try_call(*mutator.one_of(choices), mutator, what);
    }
  }

  [[nodiscard]] std::string png_beside() const {
    for (const SceneFile& file : scene_->files) {
      if (file.name.ends_with(".png")) return "in/" + file.name;
    }
    return "in/new.png";
  }

  [[nodiscard]] Words words_of(const Call& call, Mutator& mutator) const {
    const std::string& file = scene_->files[0].name;
    Words words{tool_, call.subcommand};
    for (const std::string& word : call.words) {
      words.push_back(word == "FILE"           ? "in/" + file
                      : word == "INTACT"       ? "intact/" + file
                      : word == "INTACT_IMAGE" ? "intact_image.png"
                      : word == "PNG"          ? png_beside()
                                               : word);
    }
    if (call.needs_moment) {
      for (std::string& word : some_moment("in/" + file, mutator)) words.push_back(std::move(word));
    }
    return words;
  }

  void try_call(const Call& call, Mutator& mutator, const std::string& what) {
    const Words words = words_of(call, mutator);
    fs::create_directory("out");
    const Snapshot before("in");
    const Snapshot intact("intact");
    const Outcome outcome = run(words, call.draws);
    ++runs_;
    summary_.add(outcome);
    if (std::string_view(call.subcommand) == "inspect" && outcome.code == 0) ++summary_.loaded;
    auto wrong = complaint(call, outcome);
    if (!wrong) wrong = call.writes == Writes::next_to_input ? before.damage() : before.change();
    if (!wrong) wrong = intact.change();
    if (!wrong && outcome.code == 0) wrong = unreadable();
    if (wrong) report(words, what, *wrong);
    fs::remove_all("out");
    if (call.writes == Writes::next_to_input) write("in", *scene_);
  }

  /// Returns the first thing wrong with the exit code, the text printed and the files written, if any.
  [[nodiscard]] static std::optional<std::string> complaint(const Call& call, const Outcome& outcome) {
    constexpr int kBadData = 1, kUsage = 2, kEnvironment = 3, kUnreadable = 4, kDifferent = 5;
    const bool compares =
        std::string_view(call.subcommand) == "diff" || std::ranges::count(call.words, "--reference") > 0;
    // The format does not support this character, or the output is an input.
    const bool can_fail = call.writes != Writes::nothing;
    if (outcome.code != 0 && outcome.code != kBadData && outcome.code != kUnreadable &&
        !(outcome.code == kDifferent && compares) && !(outcome.code == kUsage && can_fail) &&
        !(outcome.code == kEnvironment && call.writes == Writes::next_to_input)) {
      return "exit code " + std::to_string(outcome.code);
    }
    const std::string out = text_of("stdout");
    for (const auto& [name, text] : {std::pair{"stdout: ", out}, {"stderr: ", text_of("stderr")}}) {
      if (const auto wrong = unprintable(text)) return name + *wrong;
    }
    if (call.prints == Prints::json && (outcome.code == 0 || !out.empty())) {
      if (const auto wrong = not_json(out)) return "stdout: " + *wrong;
    }
    for (const auto& entry : fs::directory_iterator("out")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with('.')) return "out/" + name + " was left there";
      if (!name.ends_with(".json")) continue;
      if (const auto wrong = not_json(text_of(entry.path()))) return name + ": " + *wrong;
    }
    return std::nullopt;
  }

  /// Returns the first character in the folder `out` that does not load, if any.
  [[nodiscard]] std::optional<std::string> unreadable() const {
    for (const auto& entry : fs::directory_iterator("out")) {
      const std::string name = entry.path().filename().string();
      const bool is_character = name.ends_with(".pchr") || name.ends_with(".glb") || name.ends_with(".json");
      if (!is_character || name.ends_with(".rig.json") || name.ends_with(".markers.json")) continue;
      if (name.starts_with("sheet")) continue;
      const Outcome outcome = run({tool_, "inspect", "out/" + name}, false);
      if (outcome.code != 0) return "out/" + name + " does not load: " + text_of("stderr");
    }
    return std::nullopt;
  }

  /// Keeps the files and the output of a failure.
  void report(const Words& words, const std::string& what, const std::string& wrong) {
    ++failures_;
    std::string name = "mutant-" + scene_->name + "-" + what;
    std::ranges::replace(name, ' ', '_');
    std::printf("%s: pchr %s\n  the files: %s\n", wrong.c_str(), joined({words.begin() + 1, words.end()}).c_str(),
                (kept_ / name).c_str());
    if (fs::exists(kept_ / name)) return;
    fs::create_directory(kept_ / name);
    for (const char* part : {"in", "intact", "stdout", "stderr"}) {
      fs::copy(part, kept_ / name / part, fs::copy_options::recursive);
    }
  }

  void print() const {
    std::printf("%-14s %llu damaged, %llu runs, %llu load:", scene_->name.c_str(),
                static_cast<unsigned long long>(summary_.damaged), static_cast<unsigned long long>(summary_.runs),
                static_cast<unsigned long long>(summary_.loaded));
    for (const auto& [code, count] : summary_.codes) {
      std::printf(" %llu x exit %d,", static_cast<unsigned long long>(count), code);
    }
    std::printf(" at most %.2f s and %.0f MB\n", summary_.worst.seconds,
                static_cast<double>(summary_.worst.peak_kib) / 1e3);
    std::fflush(stdout);
  }

  std::string tool_;
  fs::path kept_;
  const Scene* scene_ = nullptr;
  Summary summary_;
  int failures_ = 0;
  std::uint64_t runs_ = 0;
};

int main(const Words& arguments) {
  if (arguments.size() != 4) {
    std::fputs("usage: mutate_tool PCHR MUTATIONS SEED FILE\n", stderr);
    return 2;
  }
  const std::uint64_t mutations = std::stoull(arguments[1]);
  const std::uint64_t seed = std::stoull(arguments[2]);
  const std::vector<Scene> scenes = all_scenes(arguments[3]);
  const fs::path kept = fs::current_path();
  Stage stage(fs::absolute(arguments[0]).string(), kept);
  std::string folder = (fs::temp_directory_path() / "pchr-mutate-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 2;
  fs::current_path(folder);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (const Scene& scene : scenes) stage.play(scene, mutations, seed);
  std::printf("%llu runs, %d failures\n", static_cast<unsigned long long>(stage.runs()), stage.failures());
  fs::current_path(kept);
  fs::remove_all(folder);
  return stage.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pchr::mutate

int main(int argc, char** argv) { return pchr::mutate::main({argv + 1, argv + argc}); }
