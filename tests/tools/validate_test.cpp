// SPDX-License-Identifier: MIT
// `pchr validate`.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <pchr/diagnostic.hpp>
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <simdjson.h>

#include <filesystem>
#include <span>
#include <string>

namespace validate_test {
namespace {

using namespace pchr::test;
using simdjson::dom::element;

std::string clean_file() { return character_file("validate_clean.pchr", sliding_quad()); }

std::string warned_file() {
  pchr::CharacterData data = sliding_quad();
  data.reserved_flags = 1;
  data.vertices[1].weights[0] = 0.9F;
  return character_file("validate_warned.pchr", data);
}

std::string broken_file() {
  pchr::CharacterData data = sliding_quad();
  data.indices[1] = 9;
  return character_file("validate_broken.pchr", data);
}

TEST_CASE("validate of a valid file reports no diagnostics and exits 0", "[tools][validate]") {
  const Outcome outcome = run_pchr({"validate", clean_file()});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "1 file, 0 errors, 0 warnings\n");
  CHECK(outcome.err.empty());
}

TEST_CASE("validate tells how the bind pose was guessed, but not as a warning", "[tools][validate]") {
  const std::string file = asset("corners.pchr").string();
  const Outcome one = run_pchr({"validate", file}), many = run_pchr({"validate", file, file});
  const std::string line = file +
                           ": the bind pose was guessed: frame 0 of clip sway, with a score of 0.731; next is "
                           "the identity with 1.509\n";
  CHECK(one.out.starts_with(line));
  CHECK_THAT(one.out, contains("\n1 file, 0 errors, 17 warnings\n"));
  CHECK(many.out.starts_with(line + line));
  CHECK(run_pchr({"validate", "--quiet", file}).out.empty());
  CHECK_FALSE(run_pchr({"validate", "--json", file}).out.contains("guessed"));
}

TEST_CASE("validate reports the diagnostics of the reader and of the checks for each file", "[tools][validate]") {
  const std::string warned = warned_file(), broken = broken_file();
  const Outcome outcome = run_pchr({"validate", warned, broken});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out,
             contains(warned + ": warning W201: flags is 1, but version 1 requires 0 (byte 10)\n  hint: "));
  CHECK_THAT(outcome.out,
             contains(warned + ": warning W401: meshes[0] \"quad\", vertices[1] has weights that sum to 0.9 instead "
                               "of 1 within 0.001\n  hint: "));
  CHECK_THAT(outcome.out,
             contains(broken + ": error E116: meshes[0] \"quad\", indices[1] is 9, but the mesh has 4 vertices "));
  CHECK_THAT(outcome.out, contains("\n2 files, 1 error, 2 warnings\n"));
}

TEST_CASE("each kind of diagnostic is reported with its hint once", "[tools][validate]") {
  const std::string out = run_pchr({"validate", warned_file(), warned_file()}).out;
  const std::string hint = "\n  hint: " + std::string(pchr::hint(pchr::DiagnosticId::weight_sum)) + "\n";
  CHECK(out.find(hint) != std::string::npos);
  CHECK(out.find(hint) == out.rfind(hint));
}

TEST_CASE("byte offsets are decimal", "[tools][validate]") {
  CHECK_THAT(run_pchr({"validate", warned_file()}).out, contains("requires 0 (byte 10)\n"));
  CHECK_THAT(run_pchr({"inspect", broken_file()}).err, contains("(byte ") && !contains("0x"));
}

TEST_CASE("warnings fail only with --strict", "[tools][validate]") {
  CHECK(run_pchr({"validate", warned_file()}).exit_code == 0);
  CHECK(run_pchr({"validate", "--strict", warned_file()}).exit_code == 1);
  CHECK(run_pchr({"validate", "--strict", clean_file()}).exit_code == 0);
}

TEST_CASE("option --quiet prints errors only", "[tools][validate]") {
  CHECK(run_pchr({"validate", "--quiet", warned_file()}).out.empty());
  const Outcome outcome = run_pchr({"validate", "--quiet", warned_file(), broken_file()});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.starts_with(broken_file() + ": error E116"));
  CHECK(outcome.out.find("W201") == std::string::npos);
}

TEST_CASE("validate decodes every image without --no-images", "[tools][validate]") {
  pchr::CharacterData data = sliding_quad();
  data.images[0].encoding = pchr::ImageEncoding::png;
  data.images[0].bytes = png_start({.width = 4, .height = 4});
  png_chunk(data.images[0].bytes, "IDAT", std::as_bytes(std::span("these bytes are not compressed pixels")));
  png_chunk(data.images[0].bytes, "IEND", {});
  data.images.push_back(data.images[0]);
  data.images[1].name = "second";
  data.meshes.push_back(data.meshes[0]);
  data.meshes[1].name = "elsewhere";
  data.meshes[1].image = pchr::ImageId{1};
  const std::string file = character_file("validate_undecodable.pchr", data);
  const Outcome outcome = run_pchr({"validate", file});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.out, contains("E124") && contains("images[0] \"plain\", data") &&
                              contains("images[1] \"second\", data") && contains("1 file, 2 errors"));
  CHECK(run_pchr({"validate", "--no-images", file}).exit_code == 0);
}

TEST_CASE("an unreadable file does not stop validate from checking the others", "[tools][validate]") {
  const Outcome outcome = run_pchr({"validate", "no-such-file.pchr", clean_file()});
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(outcome.out, contains("no-such-file.pchr: error E100") && contains("2 files, 1 error, 0 warnings\n"));
}

TEST_CASE("validate checks the rig next to a file", "[tools][validate]") {
  const std::string file = character_file("validate_rigged.pchr", sliding_quad());
  const auto outcome_with = [&](const std::string& text) {
    write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
    return run_pchr({"validate", file});
  };
  CHECK(outcome_with("{}").exit_code == 0);
  const Outcome wrong = outcome_with("{\n  \"springs\": [{\"bones\": [\"tail\"]}]\n}");
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.out,
             contains(pchr::rig_path(file) + ": error E125: springs[0].bones[0] is \"tail\"") && contains("line 2"));
}

TEST_CASE("validate lists all errors of the state machines next to a file", "[tools][validate]") {
  const std::string file = character_file("validate_states.pchr", sliding_quad());
  const std::string text = R"({"states": {"layers": [
  {"name": "body", "states": [{"name": "a", "clip": "walk"}, {"name": "b"}],
   "transitions": [{"from": "a", "to": "b"},
                   {"from": "b", "to": "a"}]}]}})";
  write_file(pchr::rig_path(file), std::as_bytes(std::span(text)));
  const Outcome outcome = run_pchr({"validate", file});
  CHECK(outcome.exit_code == 1);
  const std::string rig = pchr::rig_path(file);
  CHECK_THAT(
      outcome.out,
      contains(rig + ": error E136: states.layers[0].states[0].clip is \"walk\", but the character has no such " +
               "clip (line 2, column 53)") &&
          contains(rig + ": error E139: states.layers[0].transitions[1] leads back to \"a\" without time " +
                   "passing: a > b > a (line 4, column 20)") &&
          contains("2 errors"));
}

TEST_CASE("validate checks the markers next to a file and reports them under their own name", "[tools][validate]") {
  const std::string file = character_file("validate_marked.pchr", sliding_quad());
  const std::string markers = pchr::markers_path(file);
  const auto outcome_with = [&](const std::string& text) {
    write_file(markers, std::as_bytes(std::span(text)));
    return run_pchr({"validate", file});
  };
  const Outcome fine = outcome_with(R"({"markers": [{"clip": "slide", "frame": 3, "name": "x"}]})");
  CHECK(fine.exit_code == 0);
  CHECK(fine.out == "1 file, 0 errors, 0 warnings\n");
  const Outcome late = outcome_with(R"({"markers": [{"clip": "slide", "frame": 4, "name": "x"}]})");
  CHECK(late.exit_code == 1);
  CHECK_THAT(late.out, contains(markers + ": error E125: ") && contains("\"slide\" has 4 frames") &&
                           contains("2 files, 1 error, 0 warnings\n"));
  const Outcome unknown = outcome_with(R"({"markers": [{"clip": "slid", "frame": 0, "name": "x"}]})");
  CHECK(unknown.exit_code == 1);
  CHECK_THAT(unknown.out, contains(markers + ": error E125: ") && contains("slid"));
  CHECK_THAT(outcome_with("{").out, contains(markers + ": error E107: "));
  CHECK(run_pchr({"validate", "--json", file}).exit_code == 1);
  std::filesystem::remove(markers);
}

TEST_CASE("validate --json prints all fields of every diagnostic", "[tools][validate]") {
  const std::string warned = warned_file(), broken = broken_file();
  const Outcome outcome = run_pchr({"validate", "--json", warned, broken});
  CHECK(outcome.exit_code == 1);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);
  CHECK(std::uint64_t(document["errors"]) == 1);
  CHECK(std::uint64_t(document["warnings"]) == 2);
  CHECK(std::string_view(document.at_pointer("/files/0/file")) == warned);
  CHECK(std::uint64_t(document.at_pointer("/files/0/warnings")) == 2);
  CHECK(std::uint64_t(document.at_pointer("/files/0/diagnostics/0/offset")) == 10);
  CHECK(element(document.at_pointer("/files/0/diagnostics/0/line")).is_null());
  CHECK(std::string_view(document.at_pointer("/files/0/diagnostics/1/id")) == "W401");
  CHECK(std::string_view(document.at_pointer("/files/0/diagnostics/1/severity")) == "warning");
  CHECK(std::string_view(document.at_pointer("/files/0/diagnostics/1/path")) == "meshes[0].vertices[1]");
  CHECK(std::string_view(document.at_pointer("/files/0/diagnostics/1/name")) == "quad");
  CHECK(element(document.at_pointer("/files/0/diagnostics/1/offset")).is_null());
  CHECK(std::string_view(document.at_pointer("/files/1/diagnostics/0/id")) == "E116");
  CHECK(std::string_view(document.at_pointer("/files/1/diagnostics/0/message")) == "a vertex index is out of range");
  CHECK(std::string_view(document.at_pointer("/files/1/diagnostics/0/detail")) == "is 9, but the mesh has 4 vertices");
}

TEST_CASE("validate --sarif lists the whole catalog as rules", "[tools][validate]") {
  const std::string folder = output("tools/a folder/x").parent_path().string();
  const std::string file = folder + "/hero #1.pchr";
  std::filesystem::copy_file(broken_file(), file, std::filesystem::copy_options::overwrite_existing);
  const Outcome outcome = run_pchr({"validate", "--sarif", file, warned_file()});
  CHECK(outcome.exit_code == 1);
  simdjson::dom::parser parser;
  const element document = parser.parse(outcome.out);
  CHECK(std::string_view(document["version"]) == "2.1.0");
  const element run = document.at_pointer("/runs/0");
  CHECK(std::string_view(run.at_pointer("/tool/driver/name")) == "pchr");
  const simdjson::dom::array rules = run.at_pointer("/tool/driver/rules");
  CHECK(rules.size() == pchr::all_diagnostics().size());
  const simdjson::dom::array results = run["results"];
  CHECK(results.size() == 3);
  for (const element result : results) {
    const element rule = rules.at(std::uint64_t(result["ruleIndex"]));
    CHECK(std::string_view(rule["id"]) == std::string_view(result["ruleId"]));
    CHECK(std::string_view(rule.at_pointer("/defaultConfiguration/level")) == std::string_view(result["level"]));
  }
  const element first = results.at(0);
  CHECK(std::string_view(first["level"]) == "error");
  CHECK(std::string_view(first.at_pointer("/message/text")) ==
        "meshes[0] \"quad\", indices[1] is 9, but the mesh has 4 vertices");
  const std::string uri{std::string_view(first.at_pointer("/locations/0/physicalLocation/artifactLocation/uri"))};
  CHECK(uri.starts_with("file:///"));
  CHECK(uri.ends_with("/a%20folder/hero%20%231.pchr"));
  CHECK(std::uint64_t(first.at_pointer("/locations/0/physicalLocation/region/byteOffset")) > 0);
  CHECK(std::string_view(first.at_pointer("/locations/0/logicalLocations/0/fullyQualifiedName")) ==
        "meshes[0].indices[1]");
}

TEST_CASE("docs/errors.md is the output of validate --list", "[tools][validate]") {
  const Outcome outcome = run_pchr({"validate", "--list"});
  CHECK(outcome.exit_code == 0);
  const std::filesystem::path page = PCHR_DOCS_DIR "/errors.md";
  if (updating_goldens()) write_file(page, std::as_bytes(std::span(outcome.out)));
  CHECK(outcome.out == read_text(page));
  for (const pchr::DiagnosticId id : pchr::all_diagnostics()) {
    CHECK_THAT(outcome.out, contains("| " + std::string(pchr::code(id)) + " | "));
  }
}

TEST_CASE("validate without a file, or with two formats, is wrong usage", "[tools][validate]") {
  CHECK(run_pchr({"validate"}).exit_code == 2);
  CHECK(run_pchr({"validate", "--json", "--sarif", clean_file()}).exit_code == 2);
  CHECK(run_pchr({"validate", "--json", "--quiet", clean_file()}).exit_code == 2);
  CHECK(run_pchr({"validate", "--json", "--list"}).exit_code == 2);
}

TEST_CASE("names in a report cannot control a terminal", "[tools][validate]") {
  pchr::CharacterData data = sliding_quad();
  data.bones.push_back({"\x1b[2J", pchr::BoneId::none});
  data.bones.push_back({"\x1b[2J", pchr::BoneId::none});
  data.clips.clear();
  const std::string file = character_file("validate_escape.pchr", data);
  CHECK(run_pchr({"validate", file}).out.find('\x1b') == std::string::npos);
  CHECK(run_pchr({"validate", "--json", file}).out.find('\x1b') == std::string::npos);
  CHECK(run_pchr({"validate", "--sarif", file}).out.find('\x1b') == std::string::npos);
}

}  // namespace

}  // namespace validate_test
