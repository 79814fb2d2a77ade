// SPDX-License-Identifier: MIT
// The problem list: messages, and the parts they refer to.
#include "document/problems.hpp"

#include "app/app.hpp"
#include "support/catch.hpp"
#include "support/scenes.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

namespace pchr::player::problems_test {
namespace {

/// Two meshes with the same name, the second with weights that do not sum to 1, and bytes after the end of the file.
Character flawed() {
  CharacterData data = test::two_bone_arm();
  data.meshes[1].name = data.meshes[0].name;
  data.vertices[data.meshes[1].first_vertex].weights[0] = 0.5F;
  test::Bytes bytes = test::write_v1(data);
  bytes.push_back({});
  return load_character(std::span<const std::byte>(bytes)).value();
}

}  // namespace

TEST_CASE("the reader's warnings come before hints", "[player][problems]") {
  const std::vector<Problem> problems = problems_of({flawed()}, "arm.pchr");
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].kind == ProblemKind::warning);
  CHECK_THAT(problems[0].message, test::contains("W202 "));
  CHECK(problems[0].place == ProblemPlace{});
  CHECK_THAT(problems[0].text, test::contains("arm.pchr: warning W202"));
  CHECK(problems[1].kind == ProblemKind::hint);
  CHECK(problems[1].place == ProblemPlace{.mesh = MeshId{1}});
  CHECK(problems[2].place == ProblemPlace{.mesh = MeshId{0}});
  CHECK(problems[3].place == ProblemPlace{.mesh = MeshId{1}});
}

TEST_CASE("hints are not counted as problems", "[player][problems]") {
  CHECK(count_problems(problems_of({flawed()}, "arm.pchr")) == 1);
  CHECK(count_problems({}) == 0);
}

TEST_CASE("a valid character has no problems", "[player][problems]") {
  CHECK(problems_of(load_character(test::asset("kiri.pchr")).value().file, "kiri.pchr").empty());
}

TEST_CASE("a path resolves to the part it names", "[player][problems]") {
  const Character arm = Character::build(test::two_bone_arm()).value();
  CHECK(place_of("meshes[1].vertices[3].boneIds[2]", arm) == ProblemPlace{.mesh = MeshId{1}});
  CHECK(place_of("bones[1]", arm) == ProblemPlace{.bone = BoneId{1}});
  CHECK(place_of("images[0].width", arm) == ProblemPlace{.image = ImageId{0}});
  CHECK(place_of("animations[1]", arm) == ProblemPlace{.clip = ClipId{1}});
  CHECK(place_of("animations[1].frames[5]", arm) == ProblemPlace{.clip = ClipId{1}, .frame = 5});
  CHECK(place_of("animations[1].frames[5][1].x", arm) ==
        ProblemPlace{.bone = BoneId{1}, .clip = ClipId{1}, .frame = 5});
}

TEST_CASE("a path out of range resolves to nothing", "[player][problems]") {
  const Character arm = Character::build(test::two_bone_arm()).value();
  for (const std::string_view path :
       {"", "meshes", "meshes[", "meshes[]", "meshes[x]", "meshes[1", "meshes[99]", "bones[99999999999]", "bones[-1]",
        "images[9]", "animations[2].frames[0]", "header[0]", "xmeshes[0]"}) {
    INFO(path);
    CHECK(place_of(path, arm) == ProblemPlace{});
  }
  CHECK(place_of("animations[1].frames[8]", arm) == ProblemPlace{.clip = ClipId{1}});
  CHECK(place_of("animations[1].frames[7][99]", arm) == ProblemPlace{.clip = ClipId{1}, .frame = 7});
}

TEST_CASE("a tab's key opens it, and closes it if it is open", "[player][problems]") {
  View view;
  toggle_tab(view, Tab::problems);
  CHECK(view.tab == Tab::problems);
  toggle_tab(view, Tab::inside);
  CHECK(view.tab == Tab::inside);
  toggle_tab(view, Tab::inside);
  CHECK(view.tab == Tab::facts);
}

}  // namespace pchr::player::problems_test
