// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/unreal_files.hpp"
#include "platform/utf8_path.hpp"
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr float kLabelWidth = 76.0F;

std::string bind_pose(const Character& character) {
  const BindPoseSource source = character.bind_pose_source();
  if (source.clip == ClipId::none) return "as authored";
  return fmt::format("{}, frame {}", character.clips()[source.clip].name, source.frame);
}

/// Chooses among automatic, as authored and the clips.
void choose_bind_clip(App& app, float width) {
  const auto clips = app.document->character().clips();
  constexpr std::array kOthers{"Automatic", "As authored"};
  const BindPose& bind = chosen_bind_pose(app);
  const auto* const pose = std::get_if<ClipBindPose>(&bind);
  std::size_t current = std::holds_alternative<IdentityBindPose>(bind) ? 1 : 0;
  if (pose != nullptr) current = kOthers.size() + index(app.document->character().find_clip(pose->clip));
  const auto label_of = [&](std::size_t i) -> const char* {
    if (i < kOthers.size()) return kOthers[i];
    const Clip& clip = clips[ClipId(i - kOthers.size())];
    return clip.frame_count > 0 ? clip.name.c_str() : nullptr;
  };
  const std::string shown = pose != nullptr ? pose->clip : kOthers[current];
  const auto chosen = combo("##bind-clip", shown.c_str(), width, kOthers.size() + clips.size(), current, label_of);
  tooltip("The pose that the vertices were made in");
  if (!chosen) return;
  if (*chosen >= kOthers.size()) return choose_bind_pose(app, ClipBindPose{label_of(*chosen)});
  run_command(app, *chosen == 0 ? "bind-automatic" : "bind-authored");
}

/// The bind pose in use, and the choice of another.
void bind_pose_facts(App& app, float scale) {
  const Character& character = app.document->character();
  if (!can_choose_bind_pose(app)) return fact("Bind pose", bind_pose(character));
  const float column = kLabelWidth * scale;
  const float width = ImGui::GetContentRegionAvail().x - column;
  row_label("Bind pose", column);
  choose_bind_clip(app, width);
  const BindPose& bind = chosen_bind_pose(app);
  if (bind == BindPose()) {
    const bool guessed = character.bind_pose_guess().has_value();
    label(fmt::format("{}: {}", guessed ? "Guessed" : "In use", bind_pose(character)));
    if (guessed) {
      const BindPoseGuess& guess = *character.bind_pose_guess();
      tooltip(fmt::format("Score {:.2f}, where less is better; the next best pose has {:.2f}", guess.score,
                          guess.runner_up_score));
    }
  } else if (const auto* const pose = std::get_if<ClipBindPose>(&bind)) {
    ClipBindPose chosen = *pose;
    const std::uint32_t frames = character.clips()[character.find_clip(pose->clip)].frame_count;
    if (frames > 1) {
      row_label("Frame", column);
      if (slider("##bind-frame", chosen.frame, 0, static_cast<int>(frames) - 1, "%d", width)) {
        choose_bind_pose(app, std::move(chosen));
      }
    }
  }
  ImGui::BeginDisabled(!is_available(app, command("bind-frame")));
  if (ImGui::SmallButton("Use the frame shown")) run_command(app, "bind-frame");
  name_item("use the frame shown");
  ImGui::EndDisabled();
  command_tooltip("bind-frame");
}

void character_facts(const Document& document) {
  const Character& character = document.character();
  fact("Format", document.imported.format);
  fact("Bones", fmt::format("{}", character.bones().size()));
  fact("Meshes", fmt::format("{}", character.meshes().size()));
  fact("Vertices", fmt::format("{}", character.vertices().size()));
  fact("Triangles", fmt::format("{}", character.indices().size() / 3));
  fact("Images", fmt::format("{}", character.data().images.size()));
  fact("Clips", fmt::format("{}", character.clips().size()));
}

/// Lists the .psa files near the mesh that are not attached. Returns the one to attach.
std::optional<std::filesystem::path> candidates(const Document& document) {
  std::vector<const AnimationFile*> files;
  for (const AnimationFile& file : document.imported.animation_files) {
    if (!file.attached) files.push_back(&file);
  }
  std::optional<std::filesystem::path> chosen;
  if (files.empty()) return chosen;
  note(fmt::format("{} other files may fit:", files.size()));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(files.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const AnimationFile& file = *files[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      if (ImGui::SmallButton("Attach")) chosen = path_from_utf8(file.path);
      tooltip(
          fmt::format("{}\n{} of its {} bones are in the mesh", printable(file.path), file.matched_bones, file.bones));
      ImGui::PopID();
      ImGui::SameLine();
      cut_text(kTextColor, shown_path(path_from_utf8(file.path).filename()), ImGui::GetContentRegionAvail().x,
               Ellipsis::middle);
    }
  }
  return chosen;
}

/// Lists the .psa files of an Unreal mesh with their warnings. Returns the one to attach.
std::optional<std::filesystem::path> animation_facts(const Document& document) {
  constexpr DiagnosticId kPsaWarnings[] = {DiagnosticId::psa_other_skeleton, DiagnosticId::psa_other_name,
                                           DiagnosticId::psa_bones_unmatched};
  heading("Animations");
  const auto animations = attached_animations(document);
  for (const std::filesystem::path& path : animations) {
    const std::string name = shown_path(path.filename());
    cut_text(kTextColor, name, ImGui::GetContentRegionAvail().x, Ellipsis::middle);
    tooltip(shown_path(path));
    for (const DiagnosticId kind : kPsaWarnings) {
      const auto warnings = document.character().warnings();
      const auto found = std::ranges::find_if(warnings, [&](const Diagnostic& diagnostic) {
        return diagnostic.id == kind && diagnostic.detail.starts_with(fmt::format("\"{}\"", name));
      });
      if (found != warnings.end()) note(printable(found->detail));
    }
  }
  for (const Diagnostic& diagnostic : document.character().warnings()) {
    if (diagnostic.id == DiagnosticId::psa_unusable) note(printable(diagnostic.detail));
  }
  auto chosen = candidates(document);
  note(animations.empty() ? "None. Drop a .psa file on the window to attach it."
                          : "Drop another .psa file to attach it.");
  return chosen;
}

/// Lists the texture of each material of an Unreal mesh.
void texture_facts(App& app) {
  const Character& character = app.document->character();
  heading("Textures");
  for (const Mesh& mesh : character.meshes()) {
    const auto warnings = character.warnings();
    const auto missing = std::ranges::find_if(warnings, [&](const Diagnostic& diagnostic) {
      return diagnostic.id == DiagnosticId::psk_texture_missing && diagnostic.name == mesh.name;
    });
    const bool found = missing == warnings.end();
    fact(printable(mesh.name), found ? character.images()[mesh.image].name : "not found");
    if (!found) tooltip(describe(*missing));
  }
  if (ImGui::SmallButton("Choose folder...")) open_browser(app.browser, app.files, BrowseFor::textures);
  tooltip("Search another folder for textures; you can also drop it on the window");
}

/// Returns the character's size in main memory.
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

void frame_facts(const Performance& performance, const Model& model, bool moving) {
  fact("Draw calls", fmt::format("{}", performance.drawn.draw_calls));
  fact("Triangles", fmt::format("{}", performance.drawn.triangles));
  fact("Uploaded", memory_text(performance.drawn.uploaded_bytes));
  tooltip("Palettes and instances uploaded for this frame");
  fact("Memory", memory_text(bytes_of(model.character())));
  tooltip("The character's vertices, clips and image files");
  fact("GPU memory", memory_text(model.gpu_bytes()));
  tooltip("Textures with mipmaps, and buffers");
  fact("CPU time", fmt::format("{:.2f} ms", performance.cpu_milliseconds));
  tooltip(fmt::format("Time to build and submit the frame, including {:.2f} ms for the panels",
                      performance.interface_milliseconds));
  if (performance.gpu_milliseconds) fact("GPU time", fmt::format("{:.2f} ms", *performance.gpu_milliseconds));
  fact("FPS", moving ? fmt::format("{:.0f}", performance.frames_per_second) : "\u2013");
}

void separate(float scale) { ImGui::Dummy({0.0F, 8.0F * scale}); }

}  // namespace

void facts(App& app, const Layout& layout) {
  if (!app.document) return note("No file is open.");
  ImGui::BeginChild("facts", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * layout.scale, 4.0F * layout.scale});
  if (app.shows_3d()) {
    const auto attached = animation_facts(*app.document);
    separate(layout.scale);
    texture_facts(app);
    if (attached) open_with_animations(app, {*attached});
    separate(layout.scale);
  }
  heading(app.document->name());
  bind_pose_facts(app, layout.scale);
  character_facts(*app.document);
  separate(layout.scale);
  heading("Frame");
  frame_facts(app.performance, app.document->model, app.playback.playing());
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
