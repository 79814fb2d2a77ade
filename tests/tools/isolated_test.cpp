// SPDX-License-Identifier: MIT
// `--isolated`, `--texture`, `--rig`, `--max-memory` and `--max-seconds`: files from strangers.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace isolated_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

Outcome run_isolated(Arguments arguments, const Arguments& environment = {}) {
  arguments.insert(arguments.begin() + 1, "--isolated");
  return run_pchr(arguments, environment);
}

/// A character of the assets as JSON, with its images in another folder.
struct Apart {
  fs::path folder = fresh_folder("tools/isolated_apart");
  std::string json = (folder / "character" / "kiri.json").string();
  Arguments textures;  ///< As options.

  Apart() {
    fs::create_directories(folder / "character");
    REQUIRE(run_pchr({"unpack", asset("kiri.pchr").string(), "-o", (folder / "images").string()}).exit_code == 0);
    fs::rename(folder / "images" / "kiri.json", json);
    for (const auto& entry : fs::directory_iterator(folder / "images")) {
      textures.insert(textures.end(), {"--texture", entry.path().string()});
    }
    REQUIRE_FALSE(textures.empty());
  }
};

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
  return text;
}

/// Returns messages without the first line, which says what is in force.
std::string without_first_line(const std::string& text) {
  return text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
}

}  // namespace

TEST_CASE("an isolated render is the same as another one with the same files", "[tools][isolated]") {
  const Apart apart;
  const std::string plain = (apart.folder / "plain.png").string(), isolated = (apart.folder / "isolated.png").string();
  const Arguments size{"--size", "64x64"};
  const Outcome rendered = run_pchr(joined({"render", apart.json, "-o", plain}, joined(apart.textures, size)));
  INFO(rendered.err);
  REQUIRE(rendered.exit_code == 0);
  // Variables that change what Mesa draws, or name files.
  const Outcome outcome =
      run_isolated(joined({"render", apart.json, "-o", isolated}, joined(apart.textures, size)),
                   {"MESA_GL_VERSION_OVERRIDE=2.1", "GALLIUM_DRIVER=softpipe", "HOME=/nonexistent"});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.err, contains("pchr: isolated: "));
  const bool same = read_file(isolated) == read_file(plain);
  CHECK(same);
  fs::remove_all(apart.folder / "images");
  CHECK(run_isolated(joined({"render", apart.json, "-o", isolated}, apart.textures)).exit_code == 4);
}

TEST_CASE("isolated subcommands read nothing next to the character", "[tools][isolated]") {
  const fs::path folder = fresh_folder("tools/isolated_neighbors");
  for (const char* name : {"kiri.pchr", "kiri.rig.json", "koi/koi.psk", "koi/koi.psa", "koi/koi.png",
                           "konpei/konpei.chp", "konpei/konpei.png"}) {
    fs::copy(asset(name), folder);
  }
  const auto in = [&](const char* name) { return (folder / name).string(); };
  CHECK_THAT(run_pchr({"inspect", in("kiri.pchr")}).out, contains("markers"));
  CHECK(run_isolated({"inspect", in("kiri.pchr")}).out.find("markers") == std::string::npos);
  CHECK(run_isolated({"inspect", in("kiri.pchr"), "--rig", in("kiri.rig.json")}).out ==
        run_pchr({"inspect", in("kiri.pchr")}).out);
  CHECK_THAT(run_isolated({"inspect", in("koi.psk")}).out, contains("\n0 clips\n"));
  CHECK(run_isolated({"inspect", in("koi.psk"), "--animation", in("koi.psa"), "--texture", in("koi.png")}).out ==
        run_pchr({"inspect", in("koi.psk")}).out);
  const Outcome chp = run_isolated({"validate", in("konpei.chp")});
  CHECK_THAT(chp.out, contains("--isolated reads no other files"));

  REQUIRE(run_pchr({"unpack", in("kiri.pchr"), "-o", in("unpacked")}).exit_code == 0);
  const Outcome json = run_isolated({"inspect", in("unpacked/kiri.json")});
  CHECK(json.exit_code == 1);
  CHECK_THAT(json.err, contains("it is not named, and --isolated reads no other files"));
}

TEST_CASE("the images that other files name are replaced by --texture", "[tools][isolated]") {
  const Apart apart;
  CHECK(run_pchr({"inspect", apart.json}).exit_code == 1);
  const Outcome outcome = run_pchr(joined({"inspect", apart.json}, apart.textures));
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("isolated workers convert, pack sheets and validate as others do", "[tools][isolated]") {
  const fs::path folder = fresh_folder("tools/isolated_batch"), out = folder / "out", isolated = folder / "isolated";
  fs::create_directories(out);
  fs::create_directories(isolated);
  const Arguments inputs{asset("quad.pchr").string(), asset("corners.pchr").string(), asset("hotaru.px").string()};
  for (const Arguments& command : {Arguments{"convert", "-o", "{file}.json"}, Arguments{"convert", "-o", "{file}.pchr"},
                                   Arguments{"sheet", "--scale", "0.2", "-o", "{file}.png"},
                                   Arguments{"sheet", "--scale", "0.2", "-o", "cast.png"}, Arguments{"validate"},
                                   Arguments{"inspect"}, Arguments{"pose"}}) {
    Arguments plain = command, alone = command;
    if (command.size() > 1) {
      plain.back() = (out / command.back()).string();
      alone.back() = (isolated / command.back()).string();
    }
    const Outcome expected = run_pchr(joined(plain, inputs)), outcome = run_isolated(joined(alone, inputs));
    INFO(command.front() << '\n' << outcome.err);
    CHECK(outcome.exit_code == expected.exit_code);
    CHECK(replaced(outcome.out, isolated.string(), out.string()) == expected.out);
    CHECK(without_first_line(outcome.err) == expected.err);
  }
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    INFO(entry.path());
    const bool same = read_file(entry.path()) == read_file(isolated / fs::relative(entry.path(), out));
    CHECK(same);
  }
  CHECK(files > 6);
  const auto count = [](const fs::path& in) { return std::distance(fs::recursive_directory_iterator(in), {}); };
  CHECK(count(isolated) == count(out));
}

TEST_CASE("the manifest of isolated outputs is the same as another one", "[tools][isolated]") {
  const fs::path folder = fresh_folder("tools/isolated_manifest"), out = folder / "out";
  const std::string quad = asset("quad.pchr").string(), manifest = (folder / "manifest.json").string();
  const Arguments render{"render",     quad,     "--all-clips", "-o",   (out / "{file}_{clip}_{frame}.png").string(),
                         "--manifest", manifest, "--size",      "16x16"};
  REQUIRE(run_pchr(render).exit_code == 0);
  const std::string expected = read_text(manifest);
  CHECK_THAT(expected, contains("\"sha256\": \""));
  fs::remove_all(out);
  const Outcome outcome = run_isolated(render);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(read_text(manifest) == expected);
}

TEST_CASE("isolated processes do nothing twice", "[tools][isolated]") {
  const Apart apart;
  const fs::path out = apart.folder / "out";
  const std::string cache = (apart.folder / "cache").string(), output = (out / "{file}.pchr").string();
  const auto is_done = [&](const std::string& in) {
    const Outcome outcome =
        run_isolated(joined({"convert", apart.json, "-o", output, "--force", "--if-changed", "--cache", in,
                             "--manifest", (apart.folder / "manifest.json").string()},
                            apart.textures));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const std::string manifest = read_text(apart.folder / "manifest.json");
    CHECK_THAT(manifest, contains("\"sha256\": \""));
    return manifest.find("\"unchanged\"") != std::string::npos;
  };
  CHECK_FALSE(is_done(cache));
  CHECK(is_done(cache));
  // A file that is not named makes no difference.
  write_file(fs::path(apart.json).replace_extension(".rig.json"), {});
  CHECK(is_done(cache));
  const auto append = [](const fs::path& path, char character) {
    Bytes bytes = read_file(path);
    bytes.push_back(static_cast<std::byte>(character));
    write_file(path, bytes);
  };
  append(out / "kiri.pchr", ' ');
  CHECK_FALSE(is_done(cache));
  CHECK(is_done(cache));
  append(apart.json, ' ');
  CHECK_FALSE(is_done(cache));
  CHECK(is_done(cache));

  const auto problem_with = [&](Arguments options) {
    const Outcome outcome =
        run_isolated(joined({"convert", apart.json, "-o", output, "--force", "--if-changed"}, options));
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK_THAT(problem_with({}), contains("need --cache"));
  CHECK_THAT(problem_with({"--cache", (out / "cache").string()}), contains("outside the folder of the outputs"));
}

TEST_CASE("isolated subcommands read neither standard input nor pipes", "[tools][isolated][posix]") {
  const fs::path folder = fresh_folder("tools/isolated_pipe");
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(run_program("/usr/bin/mkfifo", {pipe}).exit_code == 0);
  const Outcome outcome = run_isolated({"inspect", pipe});
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(outcome.err, contains("not a regular file"));
  CHECK(run_isolated({"inspect", "-"}).exit_code == 2);
  CHECK(run_isolated({"inspect", "/dev/zero"}).exit_code == 4);
  CHECK(run_isolated({"inspect", asset("quad.pchr").string(), "--texture", pipe}).exit_code == 4);
}

TEST_CASE("an input that takes too long ends alone", "[tools][isolated][posix]") {
  const fs::path folder = fresh_folder("tools/isolated_time");
  const std::string pipe = (folder / "pipe").string(), quad = asset("quad.pchr").string();
  REQUIRE(run_program("/usr/bin/mkfifo", {pipe}).exit_code == 0);
  // Nobody writes to the pipe.
  const Outcome outcome = run_pchr({"inspect", quad, pipe, quad, "--max-seconds", "5", "--keep-going"});
  CHECK(outcome.exit_code == 6);
  CHECK_THAT(outcome.err, contains("pipe: it takes longer than the 5 seconds that --max-seconds allows"));
  const std::string once = run_pchr({"inspect", quad}).out;
  CHECK(outcome.out == once + '\n' + once);
  CHECK(run_pchr({"inspect", pipe, "--max-seconds", "1"}).exit_code == 1);
}

TEST_CASE("an input that writes too much ends alone and leaves nothing", "[tools][isolated]") {
  const fs::path folder = fresh_folder("tools/isolated_output");
  const std::string kiri = asset("kiri.pchr").string();
  for (const char* name : {"kiri.rgba", "kiri_{frame}.png"}) {
    for (const bool isolated : {false, true}) {
      Arguments arguments{"render",
                          kiri,
                          "--clip",
                          "walk",
                          "--size",
                          "512x512",
                          "--max-output-mb",
                          "1",
                          "-o",
                          (folder / name).string()};
      const Outcome outcome = isolated ? run_isolated(arguments) : run_pchr(arguments);
      CHECK(outcome.exit_code == 1);
      CHECK_THAT(outcome.err, contains("kiri.pchr: it writes more than the 1 MiB that --max-output-mb allows"));
      CHECK(fs::is_empty(folder));
    }
  }
}

TEST_CASE("isolated differences are the same as others", "[tools][isolated]") {
  const fs::path folder = fresh_folder("tools/isolated_diff"), before = folder / "before", after = folder / "after";
  fs::create_directories(before);
  fs::create_directories(after);
  for (const char* name : {"quad.pchr", "corners.pchr"}) fs::copy(asset(name), before);
  fs::copy(asset("quad.pchr"), after);
  fs::copy(asset("quad.pchr"), after / "corners.pchr");
  for (const fs::path& side : {before, after}) write_file(side / "other.json", {});
  const Arguments files{"diff", (before / "corners.pchr").string(), (after / "corners.pchr").string()};
  for (const Arguments& arguments : {files, joined(files, {"--json"}),
                                     Arguments{"diff", (before / "quad.pchr").string(), (after / "quad.pchr").string()},
                                     Arguments{"diff", before.string(), after.string()},
                                     Arguments{"diff", before.string(), after.string(), "--json", "--no-pixels"}}) {
    const Outcome expected = run_pchr(arguments), outcome = run_isolated(arguments);
    INFO(outcome.err);
    CHECK(outcome.exit_code == expected.exit_code);
    CHECK(outcome.out == expected.out);
    CHECK_THAT(outcome.err, contains("pchr: isolated: "));
  }
  const std::string image = (folder / "plain.png").string(), isolated = (folder / "isolated.png").string();
  REQUIRE(run_pchr(joined(files, {"-o", image})).exit_code == 5);
  REQUIRE(run_isolated(joined(files, {"-o", isolated})).exit_code == 5);
  const bool same = read_file(isolated) == read_file(image);
  CHECK(same);
  CHECK(run_isolated({"diff", "-", asset("quad.pchr").string()}).exit_code == 2);
}

TEST_CASE("a comparison that takes too long ends", "[tools][isolated][posix]") {
  const fs::path folder = fresh_folder("tools/isolated_diff_time");
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(run_program("/usr/bin/mkfifo", {pipe}).exit_code == 0);
  const Outcome outcome = run_pchr({"diff", pipe, asset("quad.pchr").string(), "--max-seconds", "1"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.err, contains("pipe: it takes longer than the 1 second that --max-seconds allows"));
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("an input that needs too much memory ends alone", "[tools][isolated][posix]") {
  const fs::path folder = fresh_folder("tools/isolated_memory");
  const std::string large = (folder / "large.pchr").string(), quad = asset("quad.pchr").string();
  write_file(large, {});
  fs::resize_file(large, 300 << 20);
  const Outcome outcome = run_pchr({"inspect", quad, large, quad, "--max-memory", "200", "--keep-going"});
  CHECK(outcome.exit_code == 6);
  CHECK_THAT(outcome.err, contains("large.pchr: it needs more than the 200 MiB of memory that --max-memory allows"));
  const std::string once = run_pchr({"inspect", quad}).out;
  CHECK(outcome.out == once + '\n' + once);
  CHECK(run_pchr({"inspect", large, "--max-memory", "200"}).exit_code == 1);
}
#endif

TEST_CASE("damaged files fail in the same way in isolation", "[tools][isolated]") {
  Arguments files;
  for (const auto& entry : fs::directory_iterator(PCHR_DIAGNOSTICS_DIR)) {
    const std::string name = entry.path().filename().string();
    // Files that others belong to say so in isolation.
    if (entry.path().extension() == ".pchr") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  REQUIRE(files.size() > 20);
  const Outcome expected = run_pchr(joined({"validate"}, files)), outcome = run_isolated(joined({"validate"}, files));
  CHECK(outcome.out == expected.out);
  CHECK(outcome.exit_code == expected.exit_code);
}

}  // namespace isolated_test
