// SPDX-License-Identifier: MIT
// Numbers about the file and the picture.
#include "animations.hpp"
#include "panels/panels.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <pchr/finding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {
namespace {

std::string bind_pose(const Character& character) {
  const BindPoseSource source = character.bind_pose_source();
  if (!source.clip) return "as drawn";
  return fmt::format("{}, frame {}", character.clips()[*source.clip].name, source.frame);
}

void character_facts(const Document& document) {
  const Character& character = document.character();
  fact("Format", character.data().format);
  fact("Bones", fmt::format("{}", character.bones().size()));
  fact("Meshes", fmt::format("{}", character.meshes().size()));
  fact("Vertices", fmt::format("{}", character.vertices().size()));
  fact("Triangles", fmt::format("{}", character.indices().size() / 3));
  fact("Images", fmt::format("{}", character.data().images.size()));
  fact("Clips", fmt::format("{}", character.clips().size()));
  fact("Bind pose", bind_pose(character));
}

/// The warning of that kind whose detail begins with the name of a file.
const Finding* warning_about(const Character& character, FindingId id, const std::string& file_name) {
  const std::string quoted = fmt::format("\"{}\"", file_name);
  const auto warnings = character.warnings();
  const auto found = std::ranges::find_if(
      warnings, [&](const Finding& finding) { return finding.id == id && finding.detail.starts_with(quoted); });
  return found != warnings.end() ? &*found : nullptr;
}

/// The .psa files beside the mesh that are not attached. Returns the one that is to be.
std::optional<std::filesystem::path> candidates(const Character& character) {
  std::vector<const AnimationFile*> files;
  for (const AnimationFile& file : character.data().animation_files) {
    if (!file.attached) files.push_back(&file);
  }
  std::optional<std::filesystem::path> chosen;
  if (files.empty()) return chosen;
  note(fmt::format("{} more may fit:", files.size()));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(files.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const AnimationFile& file = *files[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      if (ImGui::SmallButton("Attach")) chosen = file.path;
      tooltip(fmt::format("{}\nThe mesh has {} of its {} bones", shown_path(file.path), file.matched_bones, file.bones)
                  .c_str());
      ImGui::PopID();
      ImGui::SameLine();
      ImGui::TextUnformatted(shown_path(std::filesystem::path(file.path).filename()).c_str());
    }
  }
  return chosen;
}

/// The .psa files of an Unreal mesh, and what of each does not fit it. Returns the one that is to be attached.
std::optional<std::filesystem::path> animation_facts(const Document& document) {
  constexpr FindingId kKinds[] = {FindingId::psa_other_skeleton, FindingId::psa_other_name,
                                  FindingId::psa_bones_unmatched};
  heading("Animations");
  const auto animations = attached_animations(document);
  for (const std::filesystem::path& path : animations) {
    const std::string name = shown_path(path.filename());
    ImGui::TextUnformatted(name.c_str());
    tooltip(shown_path(path).c_str());
    for (const FindingId kind : kKinds) {
      if (const Finding* finding = warning_about(document.character(), kind, name)) note(printable(finding->detail));
    }
  }
  for (const Finding& finding : document.character().warnings()) {
    if (finding.id == FindingId::psa_unusable) note(printable(finding.detail));
  }
  auto chosen = candidates(document.character());
  note(animations.empty() ? "None. Drop a .psa file on the window to attach it." : "Drop a .psa file to attach more.");
  return chosen;
}

/// The texture of each of its materials.
void texture_facts(Session& session) {
  const Character& character = session.document->character();
  heading("Textures");
  for (const Mesh& mesh : character.meshes()) {
    const auto warnings = character.warnings();
    const auto missing = std::ranges::find_if(warnings, [&](const Finding& finding) {
      return finding.id == FindingId::psk_texture_missing && finding.name == mesh.name;
    });
    const bool found = missing == warnings.end();
    fact(printable(mesh.name).c_str(), found ? character.images()[mesh.image].name : "not found");
    if (!found) tooltip(printable(missing->detail).c_str());
  }
  if (ImGui::SmallButton("Choose folder...")) open_browser(session.browser, session.files, BrowseFor::textures);
  tooltip("Look for textures in another folder, too; it can also be dropped on the window");
}

/// What the character takes outside the graphics processor.
std::uint64_t bytes_of(const Character& character) {
  const std::uint64_t bones = character.bones().size();
  std::uint64_t bytes = character.vertices().size_bytes() + character.indices().size_bytes();
  for (const Image& image : character.images()) bytes += image.bytes.size();
  for (const Clip& clip : character.clips()) {
    const std::uint64_t samples = clip.frame_count * bones;
    constexpr std::uint64_t kSampleBytes = 5 * sizeof(float) + sizeof(std::uint8_t) + sizeof(std::int32_t);
    bytes += samples * kSampleBytes + clip.samples.opacity.size() * sizeof(float);
  }
  return bytes;
}

void picture_facts(const Performance& performance, const Model& model, bool moving) {
  fact("Draw calls", fmt::format("{}", performance.drawn.draw_calls));
  fact("Triangles", fmt::format("{}", performance.drawn.triangles));
  fact("Sent to draw", memory_text(performance.drawn.uploaded_bytes));
  tooltip("Palettes and instances that this picture uploaded");
  fact("Memory", memory_text(bytes_of(model.character())));
  tooltip("Vertices, clips and image files of the character");
  fact("Graphics memory", memory_text(model.gpu_bytes()));
  tooltip("Textures with mipmaps, and buffers");
  fact("CPU time", fmt::format("{:.2f} ms", performance.cpu_milliseconds));
  tooltip(
      fmt::format("To build and submit the picture, {:.2f} ms of it for the panels", performance.interface_milliseconds)
          .c_str());
  if (performance.gpu_milliseconds) fact("GPU time", fmt::format("{:.2f} ms", *performance.gpu_milliseconds));
  fact("Pictures per s", moving ? fmt::format("{:.0f}", performance.pictures_per_second) : "\u2013");
}

void separate(float scale) { ImGui::Dummy({0.0F, 8.0F * scale}); }

}  // namespace

void facts(Session& session, const Layout& layout) {
  ImGui::BeginChild("facts", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * layout.scale, 4.0F * layout.scale});
  if (session.document) {
    if (shows_spatial(session)) {
      const auto attached = animation_facts(*session.document);
      separate(layout.scale);
      texture_facts(session);
      if (attached) open_with_animations(session, {*attached});
      separate(layout.scale);
    }
    heading(session.document->name());
    character_facts(*session.document);
    separate(layout.scale);
    heading("Picture");
    picture_facts(session.performance, session.document->model, playing(session));
  } else {
    note("Nothing is open.");
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
