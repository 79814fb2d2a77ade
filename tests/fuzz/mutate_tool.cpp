// SPDX-License-Identifier: MIT
// mutate_tool PCHR MUTATIONS SEED FILE...: every file, in each form it can be saved in, is damaged MUTATIONS times,
// and each damaged copy goes through every verb of the `pchr` program. It may end with 0 or 1 and nothing else,
// within seconds and a bounded memory.
#include <pchr/load.hpp>
#include <pchr/save.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr rlim_t kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{1} << 30;
constexpr rlim_t kRenderMemory = rlim_t{4} << 30;  // a software renderer reserves far more than it uses
constexpr int kRenderShare = 25;                   // one damaged copy in so many is drawn, since drawing is slow

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;  // the sanitizer reserves terabytes of addresses
#else
constexpr bool kLimitMemory = true;
#endif

struct Verb {
  const char* name;
  std::vector<std::string> arguments;  ///< After the file.
};

/// Each verb; what they write goes to the current folder.
const std::vector<Verb> kVerbs = {
    {"inspect", {"--json"}},
    {"validate", {}},
    {"pose", {}},
    {"pack", {"-o", "packed.pchr", "--force", "--lossy"}},
    {"unpack", {"-o", "unpacked", "--force", "--lossy"}},
    {"convert", {"--to", "packed", "-o", "converted.pchr", "--force", "--lossy"}},
    {"render", {"--size", "32x32", "-o", "picture.png"}},
};

/// The exit code, or 128 + the signal that ended it.
int run(const std::string& tool, const Verb& verb, const std::string& file) {
  std::vector<std::string> words{tool, verb.name, file};
  words.insert(words.end(), verb.arguments.begin(), verb.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const bool renders = std::strcmp(verb.name, "render") == 0;
    const rlimit seconds{kSeconds, kSeconds}, memory{renders ? kRenderMemory : kMemory, RLIM_INFINITY}, no_core{0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &no_core);
    if (kLimitMemory) setrlimit(RLIMIT_AS, &memory);
    alarm(3 * kSeconds);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    execv(tool.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::abort();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : random_() % end; }

  Bytes mutate(Bytes bytes) {
    for (std::uint64_t left = below(2) == 0 ? 1 : 1 + below(4); left > 0 && !bytes.empty(); --left) mutate_once(bytes);
    return bytes;
  }

 private:
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
  Bytes bytes;
};

/// The character of `file` in every form; the images of the JSON one are written to the current folder.
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
    auto saved = pchr::save(*character, form, file.stem().string(), options);
    if (!saved) continue;
    for (const pchr::SavedFile& image : saved->images) write(image.name, image.bytes);
    const std::string prefix = form == pchr::Form::packed ? "packed_" : "";
    samples.push_back({prefix + saved->file.name, std::move(saved->file.bytes)});
  }
  return samples;
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
      std::map<int, std::uint64_t> codes;
      for (std::uint64_t i = 0; i < mutations; ++i) {
        const Bytes bytes = mutator.mutate(sample.bytes);
        const std::string input = "input" + fs::path(sample.name).extension().string();
        write(input, bytes);
        for (const Verb& verb : kVerbs) {
          if (std::strcmp(verb.name, "render") == 0 && i % kRenderShare != 0) continue;
          const int code = run(tool, verb, input);
          ++codes[code];
          if (code == 0 || code == 1) continue;
          const fs::path witness = kept / ("mutant-" + std::to_string(i) + "-" + verb.name + "-" + sample.name);
          write(witness, bytes);
          std::printf("pchr %s ended with %d: %s\n", verb.name, code, witness.c_str());
          ++failures;
        }
      }
      std::printf("%-24s %llu mutations:", sample.name.c_str(), static_cast<unsigned long long>(mutations));
      for (const auto& [code, count] : codes) {
        std::printf(" %llu x exit %d", static_cast<unsigned long long>(count), code);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  fs::current_path(kept);
  fs::remove_all(folder);
  return failures == 0 ? 0 : 1;
}
