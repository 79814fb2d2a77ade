// SPDX-License-Identifier: MIT
// mutate_tool PCHR MUTATIONS SEED FILE...: every file, in each form it can be saved in, is damaged MUTATIONS times,
// and each damaged copy goes through every verb of the `pchr` program. It may end with 0 or 1 and nothing else,
// within seconds and a bounded memory. TMPDIR in memory makes it several times faster.
#include "support/png.hpp"

#include <pchr/load.hpp>
#include <pchr/save.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr rlim_t kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{1} << 30;
constexpr rlim_t kRenderMemory = rlim_t{4} << 30;  // a software renderer reserves far more than it uses
constexpr int kRenderShare = 9;                    // one damaged copy in so many is drawn, since drawing is slow
constexpr int kWholeShare = 10;                    // one in so many is of the file with all its pixels and clips

#ifdef PCHR_ADDRESS_SANITIZER
constexpr bool kLimitMemory = false;  // the sanitizer reserves terabytes of addresses
#else
constexpr bool kLimitMemory = true;
#endif

using Words = std::vector<std::string>;

struct Verb {
  const char* name;
  std::vector<Words> variants;  ///< What may stand after the file; one of them is drawn for each damaged copy.
};

/// Each verb; what they write goes to the folder out.
const std::vector<Verb> kVerbs = {
    {"inspect", {{"--json"}, {"--bones"}, {"--bind", "identity"}}},
    {"validate", {{}, {"--json"}, {"--sarif"}, {"--strict"}}},
    {"pose", {{}, {"--bind", "identity"}}},
    {"pack", {{"-o", "out/packed.pchr", "--force", "--lossy"}, {"-o", "out/packed.pchr", "--force", "--rgba"}}},
    {"unpack", {{"-o", "out", "--force", "--lossy"}, {"-o", "out", "--force", "--lossy", "--spelling", "pachario"}}},
    {"convert",
     {{"--to", "packed", "-o", "out/converted.pchr", "--force", "--lossy"},
      {"--to", "packed", "-o", "out/converted.pchr", "--force", "--lossy", "--spelling", "v1"},
      {"--to", "json", "-o", "out/converted.json", "--force", "--lossy"},
      {"--to", "v1", "-o", "out/converted.pchr", "--force", "--lossy"}}},
    {"render",
     {{"--size", "32x32", "-o", "out/picture.png"},
      {"--size", "16x16", "--contact-sheet", "2", "-o", "out/sheet.png"}}},
};

struct Outcome {
  int code = 0;              ///< The exit code, or 128 + the signal that ended it.
  double seconds = 0;        ///< Of the clock on the wall.
  std::size_t peak_kib = 0;  ///< The most memory that was resident, and no less than this program has.
};

Outcome run(Words words, bool renders) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const rlimit seconds{kSeconds, kSeconds}, memory{renders ? kRenderMemory : kMemory, RLIM_INFINITY}, no_core{0, 0};
  const auto start = std::chrono::steady_clock::now();
  // Copying the pages of this process would take longer than most runs do.
  const pid_t child = vfork();
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &no_core);
    if (kLimitMemory) setrlimit(RLIMIT_AS, &memory);
    alarm(3 * kSeconds);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
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

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : random_() % end; }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  /// Most damage is slight, so that it is found late or never and the verbs do all their work.
  Bytes mutate(Bytes bytes) {
    const std::uint64_t kind = below(8);
    if (kind < 5 && !bytes.empty()) {
      for (std::uint64_t left = 1 + below(2); left > 0; --left) change_value(bytes);
    } else {
      for (std::uint64_t left = kind == 5 ? 1 + below(4) : 1; left > 0 && !bytes.empty(); --left) mutate_once(bytes);
    }
    return bytes;
  }

 private:
  /// Changes one value and the length of nothing: a number's digit in text, a bit, byte or float elsewhere.
  void change_value(Bytes& bytes) {
    std::size_t at = below(bytes.size());
    const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto soon = here + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size() - at, 64));
    const auto is_text = [](std::byte byte) { return byte >= std::byte{' '} && byte <= std::byte{'~'}; };
    const auto is_digit = [](std::byte byte) { return byte >= std::byte{'0'} && byte <= std::byte{'9'}; };
    if (const auto digit = std::find_if(here, soon, is_digit); digit != soon && std::all_of(here, digit, is_text)) {
      *digit = static_cast<std::byte>('0' + below(10));
      return;
    }
    const float floats[] = {0.0F, -1.0F, 0.5F, 1e9F, -1e38F, 1e-40F, HUGE_VALF};
    switch (below(4)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[at]) + (below(2) == 0 ? 1U : 255U));
        break;
      case 2:
        tweak<std::uint16_t>(bytes, at);
        break;
      default: {
        at = std::min(at, bytes.size() - std::min(bytes.size(), sizeof(float)));
        std::memcpy(&bytes[at], &floats[below(std::size(floats))], std::min(bytes.size() - at, sizeof(float)));
      }
    }
  }

  /// Half of all places are near the start or the end, where the structure is; the images fill the rest.
  std::size_t place(const Bytes& bytes) {
    if (below(2) == 0) return below(bytes.size());
    const double share = static_cast<double>(below(1U << 30)) / (1U << 30);
    const auto near = static_cast<std::size_t>(std::pow(static_cast<double>(bytes.size()), share)) - 1;
    return below(2) == 0 ? near : bytes.size() - 1 - near;
  }

  void mutate_once(Bytes& bytes) {
    const std::size_t at = place(bytes);
    const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, std::size_t{1} << below(12)));
    const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = here + static_cast<std::ptrdiff_t>(std::min(length, bytes.size() - at));
    switch (below(8)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::byte>(below(256));
        break;
      case 2:
        tweak<std::uint16_t>(bytes, at);
        break;
      case 3:
        tweak<std::uint32_t>(bytes, at);
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        bytes.erase(here, end);
        break;
      case 6: {
        const Bytes copy(here, end);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place(bytes)), copy.begin(), copy.end());
        break;
      }
      default: {
        const Bytes copy(here, end);
        const std::size_t to = place(bytes);
        std::copy_n(copy.begin(), std::min(copy.size(), bytes.size() - to),
                    bytes.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
  }

  /// Changes what may be a length or an index.
  template <typename T>
  void tweak(Bytes& bytes, std::size_t at) {
    if (bytes.size() - at < sizeof(T)) return;
    T value;
    std::memcpy(&value, &bytes[at], sizeof(T));
    const T values[] = {0,
                        static_cast<T>(-1),
                        static_cast<T>(value + 1),
                        static_cast<T>(value - 1),
                        static_cast<T>(value * 2),
                        static_cast<T>(T(1) << (8 * sizeof(T) - 1)),
                        static_cast<T>(bytes.size()),
                        static_cast<T>(bytes.size() - at)};
    value = values[below(std::size(values))];
    std::memcpy(&bytes[at], &value, sizeof(T));
  }

  std::mt19937_64 random_;
};

void write(const fs::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Sample {
  std::string name;  ///< Of the file, with the extension of its form.
  Bytes whole;
  Bytes light;  ///< With tiny images and two clips, so that damage hits what is read and not what is inflated.
};

/// `character` with images of 2 x 2 pixels and its first two clips.
pchr::Character lightened(const pchr::Character& character) {
  const std::uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 64, 9, 9, 9, 0};
  pchr::CharacterData data = character.data();
  for (pchr::Image& image : data.images) {
    image = {"small " + image.name, 2, 2, pchr::ImageEncoding::png, pchr::test::png_of(2, 2, pixels)};
  }
  data.clips.resize(std::min<std::size_t>(data.clips.size(), 2));
  return pchr::Character::build(std::move(data)).value();
}

/// The character of `file` in every form; the images of the JSON ones are written to the current folder.
std::vector<Sample> all_forms(const fs::path& file) {
  const auto character = pchr::load(file);
  if (!character) {
    std::fprintf(stderr, "%s\n", describe(character.error(), file.string()).c_str());
    std::exit(2);
  }
  std::vector<Sample> samples;
  for (const auto form : {pchr::Form::v1, pchr::Form::json, pchr::Form::packed}) {
    pchr::SaveOptions options;
    options.lossy = true;
    auto whole = pchr::save(*character, form, file.stem().string(), options);
    auto light = pchr::save(lightened(*character), form, file.stem().string(), options);
    if (!whole || !light) continue;
    for (const auto* saved : {&*whole, &*light}) {
      for (const pchr::SavedFile& image : saved->images) write(image.name, image.bytes);
    }
    const std::string prefix = form == pchr::Form::packed ? "packed_" : "";
    samples.push_back({prefix + whole->file.name, std::move(whole->file.bytes), std::move(light->file.bytes)});
  }
  return samples;
}

/// Words that name a moment of a clip of `file`, or none where that cannot be said on a command line.
Words some_moment(const fs::path& file, Mutator& mutator) {
  const auto character = pchr::load(file);
  if (!character || character->clips().empty()) return {};
  const std::string& name = character->clips()[mutator.below(character->clips().size())].name;
  const auto is_plain = [](char letter) { return letter == '_' || (letter >= 'a' && letter <= 'z'); };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_plain)) return {};
  const pchr::Clip& clip = character->clips()[*character->find_clip(name)];
  if (clip.frame_count > 0 && mutator.below(2) == 0) {
    return {"--clip", name, "--frame", std::to_string(mutator.below(clip.frame_count))};
  }
  const std::vector<std::string> seconds = {"0", "0.51", "1e9", "-0.7", "123456.789"};
  Words words{"--clip", name, "--time=" + mutator.one_of(seconds)};
  if (mutator.below(2) == 0) words.emplace_back("--smooth");
  return words;
}

/// What the runs of one sample came to.
struct Summary {
  std::map<int, std::uint64_t> codes;
  std::uint64_t loaded = 0;
  std::map<std::string, Outcome> worst;  ///< Of each verb: the longest time, the most memory.

  void add(const Outcome& outcome, const char* verb) {
    ++codes[outcome.code];
    worst[verb].seconds = std::max(worst[verb].seconds, outcome.seconds);
    worst[verb].peak_kib = std::max(worst[verb].peak_kib, outcome.peak_kib);
  }
};

void print(const Sample& sample, std::uint64_t mutations, const Summary& summary) {
  std::printf("%-20s %llu mutations, %llu load:", sample.name.c_str(), static_cast<unsigned long long>(mutations),
              static_cast<unsigned long long>(summary.loaded));
  for (const auto& [code, count] : summary.codes) {
    std::printf(" %llu x exit %d,", static_cast<unsigned long long>(count), code);
  }
  std::printf(" at most:");
  for (const auto& [verb, worst] : summary.worst) {
    std::printf(" %s %.2f s %.0f MB,", verb.c_str(), worst.seconds, static_cast<double>(worst.peak_kib) / 1e3);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: mutate_tool PCHR MUTATIONS SEED FILE...\n", stderr);
    return 2;
  }
  const std::string tool = fs::absolute(argv[1]).string();
  const std::uint64_t mutations = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  std::vector<fs::path> files;
  for (int i = 4; i < argc; ++i) files.push_back(fs::absolute(argv[i]));
  const fs::path kept = fs::current_path();
  std::string folder = (fs::temp_directory_path() / "pchr-mutate-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 2;
  fs::current_path(folder);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));

  int failures = 0;
  for (const fs::path& file : files) {
    for (const Sample& sample : all_forms(file)) {
      Mutator mutator(seed);
      Summary summary;
      for (std::uint64_t i = 0; i < mutations; ++i) {
        const Bytes bytes = mutator.mutate(i % kWholeShare == 0 ? sample.whole : sample.light);
        const std::string input = "input" + fs::path(sample.name).extension().string();
        write(input, bytes);
        fs::create_directory("out");
        for (const Verb& verb : kVerbs) {
          const bool poses = std::strcmp(verb.name, "pose") == 0;
          const bool renders = std::strcmp(verb.name, "render") == 0;
          if (renders && i % kRenderShare != 0) continue;
          Words words{tool, verb.name, input};
          const Words& variant = mutator.one_of(verb.variants);
          words.insert(words.end(), variant.begin(), variant.end());
          if (poses) {
            const Words moment = some_moment(input, mutator);
            words.insert(words.end(), moment.begin(), moment.end());
          }
          const Outcome outcome = run(words, renders);
          summary.add(outcome, verb.name);
          if (std::strcmp(verb.name, "inspect") == 0 && outcome.code == 0) ++summary.loaded;
          if (outcome.code == 0 || outcome.code == 1) continue;
          const fs::path witness = kept / ("mutant-" + std::to_string(i) + "-" + verb.name + "-" + sample.name);
          write(witness, bytes);
          std::printf("exit %d: pchr", outcome.code);
          for (std::size_t word = 1; word < words.size(); ++word) std::printf(" %s", words[word].c_str());
          std::printf("\n  the input: %s\n", witness.c_str());
          ++failures;
        }
        fs::remove_all("out");
      }
      print(sample, mutations, summary);
    }
  }
  fs::current_path(kept);
  fs::remove_all(folder);
  return failures == 0 ? 0 : 1;
}
