// SPDX-License-Identifier: MIT
// The right column below the view settings: facts, parts or layers, and problems. The atlas has its own file.
#include "platform/utf8_path.hpp"
#include "ui/app.hpp"
#include "ui/commands.hpp"
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
  const auto clips = app.document()->character().clips();
  constexpr std::array kOthers{"Automatic", "As authored"};
  const BindPose& bind = chosen_bind_pose(app);
  const auto* const pose = std::get_if<ClipBindPose>(&bind);
  std::size_t current = std::holds_alternative<IdentityBindPose>(bind) ? 1 : 0;
  if (pose != nullptr) current = kOthers.size() + index(app.document()->character().find_clip(pose->clip));
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
  const Character& character = app.document()->character();
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

/// Chooses an armature and a skin, if the file has several.
void rig_choices(App& app, float scale) {
  const Imported& imported = app.document()->imported;
  const float column = kLabelWidth * scale;
  const float width = ImGui::GetContentRegionAvail().x - column;
  const auto choose = [&](const char* text, const char* id, const std::vector<std::string>& names,
                          std::size_t current) -> std::optional<std::string> {
    if (names.size() < 2) return std::nullopt;
    row_label(text, column);
    const auto label_of = [&](std::size_t i) { return names[i].empty() ? nullptr : names[i].c_str(); };
    const auto chosen = combo(id, names[current].c_str(), width, names.size(), current, label_of);
    return chosen ? std::optional(names[*chosen]) : std::nullopt;
  };
  ImportOptions options = app.document()->source.options;
  const auto armature = choose("Armature", "##armature", imported.armatures, imported.armature);
  const auto shown = std::ranges::find(imported.skins, options.skin);
  const auto skin =
      choose("Skin", "##skin", imported.skins,
             shown == imported.skins.end() ? 0 : static_cast<std::size_t>(shown - imported.skins.begin()));
  if (armature) {
    options.armature = *armature;
    options.skin.clear();
  }
  if (skin) options.skin = *skin;
  if (armature || skin) reload(app, std::move(options));
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
  const Character& character = app.document()->character();
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
  if (ImGui::SmallButton("Choose folder...")) open_browser(app.browser, app.requests, BrowseFor::textures);
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

void frame_facts(const App& app) {
  const Performance& performance = app.performance;
  const Model& model = app.document()->model;
  fact("Draw calls", fmt::format("{}", app.drawn.draw_calls));
  fact("Triangles", fmt::format("{}", app.drawn.triangles));
  fact("Uploaded", memory_text(app.drawn.uploaded_bytes));
  tooltip("Palettes and instances uploaded for this frame");
  fact("Memory", memory_text(bytes_of(model.character())));
  tooltip("The character's vertices, clips and image files");
  fact("GPU memory", memory_text(model.gpu_bytes()));
  tooltip("Textures with mipmaps, and buffers");
  fact("CPU time", fmt::format("{:.2f} ms", performance.cpu_milliseconds));
  tooltip(fmt::format("Time to build and submit the frame, including {:.2f} ms for the panels",
                      performance.interface_milliseconds));
  if (performance.gpu_milliseconds) fact("GPU time", fmt::format("{:.2f} ms", *performance.gpu_milliseconds));
  fact("FPS", app.playback.playing() ? fmt::format("{:.0f}", performance.frames_per_second) : "\u2013");
}

void separate(float scale) { ImGui::Dummy({0.0F, 8.0F * scale}); }

}  // namespace

void facts(App& app, const Layout& layout) {
  if (!app.document()) return note("No file is open.");
  ImGui::BeginChild("facts", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * layout.scale, 4.0F * layout.scale});
  if (app.shows_3d()) {
    const auto attached = animation_facts(*app.document());
    separate(layout.scale);
    texture_facts(app);
    if (attached) open_with_animations(app, {*attached});
    separate(layout.scale);
  }
  heading(app.document()->name());
  rig_choices(app, layout.scale);
  bind_pose_facts(app, layout.scale);
  character_facts(*app.document());
  separate(layout.scale);
  heading("Frame");
  frame_facts(app);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

namespace {

constexpr std::uint32_t kMaxBoneIndent = 8;
constexpr float kEyeWidth = 26.0F;
constexpr float kFoldWidth = 14.0F;
constexpr float kMinPartsHeight = 130.0F;  ///< Of both lists; the tab scrolls if there is less room.
constexpr float kMaxValuesShare = 0.38F;   ///< Max fraction of the height for the values of what is selected.

void mesh_values(const Document& document, const PoseBuffers& posed, MeshId number) {
  const Character& character = document.character();
  const Mesh& mesh = character.meshes()[number];
  heading(mesh.name);
  fact("Image", character.images()[mesh.image].name);
  fact("Vertices", fmt::format("{}", mesh.vertex_count));
  fact("Triangles", fmt::format("{}", mesh.index_count / 3));
  if (!character.bones().empty()) fact("Governing bone", character.bones()[character.governing_bone(number)].name);
  const DrawList& list = posed.draw_list;
  const auto item = std::ranges::find(list, number, &DrawItem::mesh);
  fact("Draw order", is_hidden(document.selection, number) ? "hidden"
                     : item == list.end()                  ? "not in this frame"
                                          : fmt::format("{} of {}", item - list.begin() + 1, list.size()));
  if (item != list.end()) fact("Opacity", fmt::format("{:.2f}", item->opacity));
}

void bone_values(const Document& document, const PoseBuffers& posed, BoneId bone) {
  const Pose& pose = posed.pose;
  const std::size_t i = index(bone);
  const Affine& world = posed.world[i];
  heading(document.character().bones()[bone].name);
  fact("Position", fmt::format("{:.1f}, {:.1f}", pose.x[i], pose.y[i]));
  fact("Rotation", fmt::format("{:.1f}\u00b0", pose.rotation_degrees[i]));
  fact("Scale", fmt::format("{:.3f}, {:.3f}", pose.scale_x[i], pose.scale_y[i]));
  fact("World position", fmt::format("{:.1f}, {:.1f}", position_of(world).x, position_of(world).y));
  fact("World rotation", fmt::format("{:.1f}\u00b0", rotation_degrees_of(world)));
  fact("Visible", pose.visible[i] != 0 ? "yes" : "no");
  fact("zOrder", fmt::format("{}", pose.z_order[i]));
}

/// Calls row(rows[i]) for the visible rows, and scrolls to `revealed` unless it is the end.
template <typename Rows, typename Revealed, typename Row>
void list_rows(const Rows& rows, const Revealed& revealed, const Row& row) {
  const float height = ImGui::GetTextLineHeightWithSpacing();
  if (revealed != rows.end()) {
    const float top = ImGui::GetCursorPosY() + static_cast<float>(revealed - rows.begin()) * height;
    const float scrolled = ImGui::GetScrollY();
    if (top < scrolled || top + height > scrolled + ImGui::GetWindowHeight()) {
      ImGui::SetScrollFromPosY(top - scrolled, 0.5F);
    }
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(rows[static_cast<std::size_t>(i)]);
  }
}

/// A checkbox for the visibility of a row. Returns whether it was clicked.
bool eye(bool shown, const char* explanation, float scale) {
  const float left = ImGui::GetCursorPosX();
  const bool clicked = checkbox("##shown", shown, 0.0F);
  tooltip(explanation);
  ImGui::SameLine(left + kEyeWidth * scale);
  return clicked;
}

void mesh_list(App& app, float scale) {
  const Character& character = app.document()->character();
  Selection& selection = app.document()->selection;
  std::vector<MeshId>& rows = app.document()->mesh_rows;
  list_meshes(character, app.part_filter, rows);
  const auto revealed = selection.reveal && selection.mesh ? std::ranges::find(rows, *selection.mesh) : rows.end();
  list_rows(rows, revealed, [&](MeshId mesh) {
    ImGui::PushID(static_cast<int>(mesh));
    if (eye(!is_hidden(selection, mesh), "Show or hide this mesh (H)", scale)) {
      set_hidden(selection, character, mesh, !is_hidden(selection, mesh));
    }
    if (selectable(character.meshes()[mesh].name, selection.mesh == mesh)) {
      select_mesh(selection, character, mesh);
    }
    ImGui::PopID();
  });
}

void bone_row(App& app, const BoneRow& row, float scale) {
  const Character& character = app.document()->character();
  Selection& selection = app.document()->selection;
  ImGui::PushID(static_cast<int>(row.bone));
  const float left = ImGui::GetCursorPosX();
  if (row.meshes > 0) {
    const bool hidden = row.hidden == row.meshes;
    if (eye(!hidden, "Show or hide this subtree (H)", scale))
      set_subtree_hidden(selection, character, row.bone, !hidden);
  }
  const auto depth = static_cast<float>(std::min(row.depth, kMaxBoneIndent));
  const float arrow_left = left + (kEyeWidth + depth * 9.0F) * scale;
  ImGui::SetCursorPosX(arrow_left);
  if (row.foldable) {
    const bool clicked = fold_arrow(row.folded, {kFoldWidth * scale, ImGui::GetTextLineHeight()}, scale);
    command_tooltip("fold");
    if (clicked) set_folded(selection, character, row.bone, !row.folded);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(arrow_left + kFoldWidth * scale);
  const bool dim = posed(app).pose.visible[index(row.bone)] == 0 || (row.meshes > 0 && row.hidden == row.meshes);
  if (selectable(character.bones()[row.bone].name, selection.bone == row.bone, dim ? kFaintTextColor : kTextColor)) {
    select_bone(selection, row.bone);
  }
  ImGui::PopID();
}

void bone_tree(App& app, float scale) {
  const Character& character = app.document()->character();
  const Selection& selection = app.document()->selection;
  std::vector<BoneRow>& rows = app.document()->bone_rows;
  list_bones(character, selection, app.part_filter, rows);
  const bool reveal = selection.reveal && selection.bone && !selection.mesh;
  const auto revealed = reveal ? std::ranges::find(rows, *selection.bone, &BoneRow::bone) : rows.end();
  list_rows(rows, revealed, [&](const BoneRow& row) { bone_row(app, row, scale); });
}

}  // namespace

void inside(App& app, const Layout& layout) {
  if (!app.document()) return note("No file is open.");
  const Document& document = *app.document();
  const float scale = layout.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 3.0F * scale});
  static_cast<void>(filter_field("##parts", "Find a mesh or bone", app.part_filter, -1.0F));
  command_tooltip("find-part");
  Selection& selection = app.document()->selection;
  if (selection.reveal && selection.bone) unfold_to(selection, document.character(), *selection.bone);
  const float room = ImGui::GetContentRegionAvail().y;
  const float height = std::max(room, kMinPartsHeight * scale);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  // The lists have what the values leave: without a selection, those are one line of text.
  const float wanted = selection.mesh || selection.bone ? height : line + ImGui::GetStyle().ItemSpacing.y;
  const float values = std::min(wanted, height * kMaxValuesShare);
  ImGui::BeginChild("lists", {0.0F, height - values - ImGui::GetStyle().ItemSpacing.y}, false, ImGuiWindowFlags_NoNav);
  heading("Meshes");
  mesh_list(app, scale);
  ImGui::Dummy({0.0F, 6.0F * scale});
  heading("Bones");
  bone_tree(app, scale);
  selection.reveal = false;
  ImGui::EndChild();
  ImGui::Separator();
  ImGui::BeginChild("values", {0.0F, room < height ? values : 0.0F}, false, ImGuiWindowFlags_NoNav);
  if (selection.mesh) mesh_values(document, posed(app), *selection.mesh);
  if (selection.bone && index(*selection.bone) < posed(app).world.size()) {
    if (selection.mesh) ImGui::Dummy({0.0F, 6.0F * scale});
    bone_values(document, posed(app), *selection.bone);
  }
  if (!selection.mesh && !selection.bone) note("Select a mesh or bone.");
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

namespace {

constexpr std::array kLayerChoices{"As saved", "All"};
constexpr std::uint32_t kMaxLayerIndent = 8;
constexpr float kIndentation = 12.0F;
constexpr float kLayerFoldWidth = 14.0F;
constexpr float kMarkWidth = 3.0F;
constexpr float kSwatch = 16.0F;

ImU32 packed_color(const Rgba& color) { return IM_COL32(color.red, color.green, color.blue, color.alpha); }

/// Returns how a layer differs from a plain one.
std::string notes_on(const ArtworkLayer& layer) {
  std::string text;
  const auto add = [&](std::string_view part) { text += fmt::format("{}{}", text.empty() ? "" : ", ", part); };
  if (layer.use != LayerUse::drawn) {
    add(name_of(layer.use));
  } else if (layer.kind != LayerKind::layer) {
    add(name_of(layer.kind));
  }
  if (layer.blend != BlendMode::normal) add(name_of(layer.blend));
  if (layer.opacity < 1.0F) add(fmt::format("{:.0f}%", layer.opacity * 100.0F));
  return text;
}

/// Reloads the artwork with other layers drawn.
void set_layers(App& app, LayerChoice choice) {
  ImportOptions options = app.document()->source.options;
  options.layers = std::move(choice);
  reload(app, std::move(options));
}

void layer_choices(App& app, const LayerChoice& choice, float width) {
  // Single overrides match neither choice, and both choices must remain clickable.
  const bool single = choice.which == LayerChoice::Which::named || !choice.overrides.empty();
  int current = single ? -1 : choice.which == LayerChoice::Which::all ? 1 : 0;
  if (segmented("which", kLayerChoices, current, width)) {
    set_layers(app, {.which = current == 1 ? LayerChoice::Which::all : LayerChoice::Which::visible});
  }
}

/// Shows the name, and notes that end at `right` if both fit.
void layer_names(const ArtworkLayer& layer, bool seen, float right) {
  cut_text(seen ? kTextColor : kDimTextColor, layer.name.empty() ? "(unnamed)" : layer.name,
           right - ImGui::GetCursorPosX());
  const std::string notes = notes_on(layer);
  if (notes.empty()) return;
  tooltip(fmt::format("{}\n{}", layer.name, notes));
  const Vec2 end = ImGui::GetItemRectMax();
  const float left = ImGui::GetWindowPos().x + right - text_size(notes).x;
  if (left < end.x + ImGui::GetStyle().ItemSpacing.x) return;
  text_at({left, end.y}, {0.0F, 1.0F}, kFaintTextColor, notes);
}

void layer_row(App& app, const Artwork& artwork, const LayerRow& row, float right, float scale) {
  const ArtworkLayer& layer = artwork.layers[row.layer];
  const LayerChoice& choice = app.document()->source.options.layers;
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  if (layer.tag_color.alpha > 0) {
    fill({corner, corner + Vec2{kMarkWidth * scale, height}}, packed_color(layer.tag_color), scale);
  }
  const float depth = static_cast<float>(std::min(row.depth, kMaxLayerIndent));
  const float left = ImGui::GetCursorPosX() + (kMarkWidth + 4.0F + depth * kIndentation) * scale;
  ImGui::SetCursorPosX(left);
  const bool drawn = is_drawn(artwork, choice, row.layer);
  if (checkbox("##drawn", drawn, 0.0F)) set_layers(app, with_layer(artwork, choice, row.layer, !drawn));
  tooltip("Show or hide this layer");
  ImGui::SameLine(left + height + 8.0F * scale);
  if (row.foldable) {
    std::uint8_t& folded = app.document()->artwork_layers.folded[row.layer];
    if (fold_arrow(folded != 0, {kLayerFoldWidth * scale, height}, scale)) folded = folded == 0 ? 1 : 0;
    ImGui::SameLine(0.0F, 2.0F * scale);
  }
  layer_names(layer, row.seen, right);
}

/// Shows the colors in rows that fill the width. A click copies a color.
void palette(const std::vector<Rgba>& colors, float width, float scale) {
  const float side = kSwatch * scale;
  const float gap = 2.0F * scale;
  const auto columns = std::max<std::size_t>(static_cast<std::size_t>((width + gap) / (side + gap)), 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < colors.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine();
    const Spot swatch = spot("color", Vec2{side}, i);
    fill(swatch.area, packed_color(colors[i]), 2.0F * scale);
    if (!swatch.hovered) continue;
    list.AddRect(swatch.area.min, swatch.area.max, kTextColor, 2.0F * scale);
    const Rgba& color = colors[i];
    std::string code = fmt::format("#{:02X}{:02X}{:02X}", color.red, color.green, color.blue);
    if (color.alpha < 255) code += fmt::format("{:02X}", color.alpha);
    tooltip(fmt::format("{}  {}\nClick to copy", i, code));
    if (swatch.clicked) ImGui::SetClipboardText(code.c_str());
  }
  ImGui::PopStyleVar();
}

}  // namespace

void layers(App& app, const Layout& layout) {
  const float scale = layout.scale;
  const Artwork& artwork = *app.document()->imported.artwork;
  const LayerChoice& choice = app.document()->source.options.layers;
  layer_choices(app, choice, ImGui::GetContentRegionAvail().x);
  ImGui::BeginChild("layers", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const float right = ImGui::GetContentRegionAvail().x;
  list_layers(artwork, choice, app.document()->artwork_layers);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 5.0F * scale});
  for (const LayerRow& row : app.document()->artwork_layers.rows) {
    ImGui::PushID(static_cast<int>(row.layer));
    layer_row(app, artwork, row, right, scale);
    ImGui::PopID();
  }
  if (!artwork.palette.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading(fmt::format("Palette, {} colors{}", artwork.palette.size(), artwork.indexed ? ", indexed" : ""));
    palette(artwork.palette, right, scale);
  }
  if (!artwork.tilesets.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading("Tilesets");
    for (const ArtworkTileset& tileset : artwork.tilesets) {
      fact(tileset.name.empty() ? "(unnamed)" : tileset.name,
           fmt::format("{} tiles, {} \u00d7 {}", tileset.tile_count, tileset.tile_width, tileset.tile_height));
      tooltip(tileset.image ? "The Atlas tab shows its tiles (A)" : "It has no pixels");
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

namespace {

constexpr float kRightTabGap = 14.0F;

void tab_titles(App& app, float scale) {
  View& view = app.view;
  std::size_t count = app.document() ? count_problems(app.document()->problems) : 0;
  if (app.document() && !app.document()->load_error.empty()) ++count;
  const std::string problems_title = count > 0 ? fmt::format("Problems {}", count) : "Problems";
  const bool artwork = app.shows_artwork();
  const auto title = [&](Tab of, const char* text, const char* id) {
    if (tab(text, view.tab == of, scale)) view.tab = of;
    id != nullptr ? command_tooltip(id) : tooltip("Show file and frame information");
    ImGui::SameLine(0.0F, kRightTabGap * scale);
  };
  title(Tab::facts, "Info", nullptr);
  title(Tab::inside, artwork ? "Layers" : "Parts", "inside");
  title(Tab::atlas, "Atlas", "atlas");
  title(Tab::problems, problems_title.c_str(), "problems");
  ImGui::NewLine();
}

constexpr std::array<const char*, 3> kProblemKinds{"Errors", "Warnings", "Hints"};
constexpr std::array kProblemColors{kErrorColor, kWarningColor, kBoneColor};
constexpr float kStripe = 3.0F;
constexpr float kProblemIndent = 10.0F;

float wrapped_height(std::string_view text, float width) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width).y;
}

/// Returns whether the row was clicked.
bool problem_row(const Problem& problem, bool chosen, float width, float scale) {
  const Vec2 padding{kProblemIndent * scale, 5.0F * scale};
  const float text_width = width - padding.x * 1.5F;
  const float message_height = wrapped_height(problem.message, text_width);
  const float detail_height = problem.detail.empty() ? 0.0F : wrapped_height(problem.detail, text_width) + 2.0F * scale;
  const Spot row = spot("row", {width, message_height + detail_height + 2.0F * padding.y});
  if (!ImGui::IsItemVisible()) return row.clicked;
  const auto [corner, end] = row.area;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || row.hovered) {
    fill({corner, end}, chosen ? kControlActive : kControlColor, 3.0F * scale);
  }
  fill({{corner.x, corner.y + padding.y}, {corner.x + kStripe * scale, end.y - padding.y}},
       kProblemColors[static_cast<std::size_t>(problem.kind)], 1.5F * scale);
  const auto text = [&](const std::string& content, float top, ImU32 color) {
    list.AddText(nullptr, 0.0F, {row.area.min.x + padding.x, row.area.min.y + top}, color, content.c_str(), nullptr,
                 text_width);
  };
  text(problem.message, padding.y, kTextColor);
  text(problem.detail, padding.y + message_height + 2.0F * scale, kDimTextColor);
  if (row.hovered) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(420.0F * scale);
    colored(kTextColor, problem.text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return row.clicked;
}

void copy_button(const Document& document) {
  const float width = text_size("Copy all").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  if (ImGui::SmallButton("Copy all")) copy_problems(document);
  command_tooltip("copy-problems");
}

/// While two files are compared, chooses the one whose problems are listed.
void choose_listed(App& app) {
  if (!comparing(app) || !compares_files(app)) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const float room = width * 0.5F - ImGui::GetStyle().FramePadding.x * 2.0F;
  const std::string first = ellipsized(shown_path(app.document()->path.filename()), room);
  const std::string second = ellipsized(second_name(app), room);
  const char* const names[] = {first.c_str(), second.c_str()};
  segmented("problems of", names, app.view.second_problems, width);
}

/// Says whether the listed version is no longer what is saved. Returns whether it is.
bool version_notes(const Document& document) {
  if (!document.load_error.empty()) {
    wrapped(kErrorColor, "The saved file does not load. The last version that did is shown.");
    wrapped(kTextColor, document.load_error);
  } else if (document.deleted) {
    wrapped(kWarningColor, "The file was deleted. Its last version is shown.");
  }
  return !document.load_error.empty() || document.deleted;
}

void problems(App& app, const Layout& layout) {
  if (!app.document()) return note("No file is open.");
  ImGui::BeginChild("problems", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  choose_listed(app);
  Document& document = listed_document(app);
  const std::vector<Problem>& all = document.problems;
  const bool outdated = version_notes(document);
  if (all.empty()) note(outdated ? "That version has no problems." : "No problems.");
  const float scale = layout.scale;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 2.0F * scale});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ProblemKind kind = all[i].kind;
    if (i == 0 || all[i - 1].kind != kind) {
      if (i > 0 || outdated) ImGui::Dummy({0.0F, 6.0F * scale});
      const auto count = std::ranges::count(all, kind, &Problem::kind);
      colored(kTextColor, fmt::format("{} ({})", kProblemKinds[static_cast<std::size_t>(kind)], count));
      if (i == 0) copy_button(document);
    }
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = document.problem == i;
    if (problem_row(all[i], chosen, ImGui::GetContentRegionAvail().x, scale)) choose_problem(app, i);
    if (chosen && document.reveal_problem) ImGui::SetScrollHereY(0.5F);
    ImGui::PopID();
  }
  document.reveal_problem = false;
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace

void right_panel(App& app, const Layout& layout, AtlasTexture& texture) {
  if (!begin_panel("info", layout.info, layout.is_over(Dock::right))) return;
  ImGui::SetCursorPosY(0.0F);
  tab_titles(app, layout.scale);
  ImGui::BeginChild("content", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  switch (app.view.tab) {
    case Tab::facts:
      facts(app, layout);
      break;
    case Tab::inside:
      app.shows_artwork() ? layers(app, layout) : inside(app, layout);
      break;
    case Tab::problems:
      problems(app, layout);
      break;
    case Tab::atlas:
      atlas(app, layout, texture);
      break;
  }
  ImGui::EndChild();
  ImGui::End();
}

void copy_problems(const Document& document) {
  std::string text = document.load_error.empty() ? "" : document.load_error + "\n";
  for (const Problem& problem : document.problems) text += problem.text + "\n";
  ImGui::SetClipboardText(text.c_str());
}

}  // namespace pchr::player
