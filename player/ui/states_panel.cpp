// SPDX-License-Identifier: MIT
// The tab "States": the parts of the character's machines as they run, and the fields of the selected one.
#include "ui/app.hpp"
#include "ui/commands.hpp"
#include "ui/panels.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pchr::player {
namespace {

using PartKind = StateRef::Kind;
using ParameterKind = StateParameter::Kind;

constexpr float kStateRowHeight = 23.0F;
constexpr float kFieldGap = 4.0F;
constexpr float kPlotHeight = 132.0F;
constexpr float kLineHeight = 34.0F;
constexpr float kEditorShare = 0.55F;  ///< Share of the panel's height, while a part is selected.
constexpr std::array kPartKinds{"Parameter", "Layer", "State", "Transition"};
constexpr std::array kParameterKinds{"Number", "Boolean", "Trigger"};
constexpr std::array kStateKinds{"Nothing", "Clip", "1D blend", "2D blend", "Sequence"};
constexpr std::array kLoops{"From file", "Once", "Loop"};
constexpr std::array kStateLayerModes{"Override", "Additive"};
constexpr const char* kNone = "None";

/// The machines as edited and as they run. After an error, what runs can be older.
struct Machines {
  App& app;
  RigEditor& editor;
  States& states;
  const Character& character;
  Machine* machine;
  std::vector<StateProblem> problems;

  /// Returns the index of the same parameter in what runs.
  [[nodiscard]] std::optional<std::uint32_t> running(const StateParameter& parameter) const {
    if (machine == nullptr) return std::nullopt;
    const auto found = machine->machine.find_parameter(parameter.name);
    if (!found || states_of(*machine->graph).parameters[*found].kind != parameter.kind) return std::nullopt;
    return found;
  }
  [[nodiscard]] float value(const StateParameter& parameter) const {
    const auto index = running(parameter);
    return index ? machine->machine.values()[*index] : parameter.value;
  }
  void set(const StateParameter& parameter, float value) const {
    if (const auto index = running(parameter)) set_parameter(*machine, *index, value);
  }
  /// Returns the index of the same layer in what runs.
  [[nodiscard]] std::optional<std::uint32_t> running(const StateLayer& layer) const {
    if (machine == nullptr) return std::nullopt;
    const auto& layers = states_of(*machine->graph).layers;
    const auto found = std::ranges::find(layers, layer.name, &StateLayer::name);
    if (found == layers.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - layers.begin());
  }
};

std::vector<std::string> clip_names(const Character& character) {
  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) {
    if (clip.frame_count > 0) names.push_back(clip.name);
  }
  return names;
}

template <typename Parts>
std::vector<std::string> names_in(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& each : parts) names.push_back(each.name);
  return names;
}

std::vector<std::string> number_names(const States& states) {
  std::vector<std::string> names;
  for (const StateParameter& each : states.parameters) {
    if (each.kind == ParameterKind::number) names.push_back(each.name);
  }
  return names;
}

const StateParameter* find_parameter(const States& states, const std::string& name) {
  const auto found = std::ranges::find(states.parameters, name, &StateParameter::name);
  return found != states.parameters.end() ? &*found : nullptr;
}

std::string shown_key(std::string key) {
  if (!key.empty() && key[0] >= 'a' && key[0] <= 'z') key[0] = static_cast<char>(key[0] - 'a' + 'A');
  return key;
}

/// What a row of the list shows.
struct PartRow {
  std::string id;  ///< For tests.
  float indent = 0;
  float height = kStateRowHeight - 1.0F;
  ImU32 color = kTextColor;
  std::string text, note{};  ///< The note is at the right.
  bool current = false;      ///< Marked with a dot.
  float share = 0;           ///< Length of a bar below the row.
  bool arrow = false;
};

/// Returns whether the row was clicked.
bool part_row(Machines& all, StateRef part, const PartRow& row, float width, float scale) {
  const Spot spot = player::spot(row.id.c_str(), {width, row.height * scale}, part.index);
  mark_row(spot.area, all.editor.selected_state == part, spot.hovered, scale);
  const float middle = spot.area.center().y;
  float left = spot.area.min.x + (8.0F + row.indent) * scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (row.arrow) draw_triangle(list, {left, middle}, 3.5F * scale, 5.0F * scale, kDimTextColor);
  if (row.current) list.AddCircleFilled({left + 3.0F * scale, middle}, 3.5F * scale, kAccentColor);
  left += 12.0F * scale;
  std::string wrong;
  for (const StateProblem& each : all.problems) {
    if (each.part == part) wrong += (wrong.empty() ? "" : "\n") + each.text;
  }
  float right = spot.area.max.x - 6.0F * scale;
  if (!wrong.empty()) {
    list.AddCircleFilled({right - 3.0F * scale, middle}, 4.0F * scale, kErrorColor);
    right -= 14.0F * scale;
  }
  const float name_width = std::min(text_size(row.text).x, right - left);
  text_in({{left, spot.area.min.y}, {right, spot.area.max.y}}, wrong.empty() ? row.color : kErrorColor, row.text);
  text_in({{left + name_width + 10.0F * scale, spot.area.min.y}, {right, spot.area.max.y}}, kDimTextColor, row.note,
          1.0F);
  if (row.share > 0) {
    const float bottom = spot.area.max.y;
    const float reach = (spot.area.size().x - 12.0F * scale) * std::min(row.share, 1.0F);
    fill({{spot.area.min.x + 6.0F * scale, bottom - 2.0F * scale}, {spot.area.min.x + 6.0F * scale + reach, bottom}},
         row.arrow ? kBoneColor : kAccentColor);
  }
  if (!wrong.empty()) tooltip(wrong);
  if (spot.clicked) all.editor.selected_state = part;
  return spot.clicked;
}

void parameter_rows(Machines& all, Rows& rows) {
  const float scale = rows.scale;
  const float column = kRigLabelWidth * scale;
  for (std::size_t i = 0; i < all.states.parameters.size(); ++i) {
    const StateParameter& parameter = all.states.parameters[i];
    rows.begin();
    ImGui::PushID(static_cast<int>(i));
    part_row(all, {PartKind::parameter, 0, i},
             {.id = "parameter " + parameter.name,
              .indent = -14,
              .height = ImGui::GetFrameHeight() / scale,
              .color = kDimTextColor,
              .text = parameter.name},
             column - kFieldGap * scale, scale);
    ImGui::SameLine(column);
    const float key = parameter.key.empty() ? 0.0F : text_size(shown_key(parameter.key)).x + 8.0F * scale;
    const float width = rows.width - column - key;
    const float before = all.value(parameter);
    const std::string id = "##set " + parameter.name;
    ImGui::BeginDisabled(!all.running(parameter));
    if (parameter.kind == ParameterKind::number) {
      float value = before;
      ImGui::SetNextItemWidth(width);
      ImGui::SliderFloat(id.c_str(), &value, parameter.min, parameter.max, "%.2f", ImGuiSliderFlags_AlwaysClamp);
      name_item(id);
      if (value != before) all.set(parameter, value);
    } else if (parameter.kind == ParameterKind::boolean) {
      if (checkbox(id.c_str(), before != 0)) all.set(parameter, before != 0 ? 0.0F : 1.0F);
    } else {
      // It stays lit until a transition uses it up.
      if (before != 0) ImGui::PushStyleColor(ImGuiCol_Button, with_alpha(kAccentColor, 0.6F));
      if (ImGui::Button(("Fire" + id).c_str(), {width, 0.0F})) all.set(parameter, 1);
      name_item(id);
      if (before != 0) ImGui::PopStyleColor();
    }
    ImGui::EndDisabled();
    if (key > 0) {
      const Vec2 corner = ImGui::GetWindowPos();
      const Rect row{{ImGui::GetItemRectMax().x, ImGui::GetItemRectMin().y},
                     {corner.x + rows.width, ImGui::GetItemRectMax().y}};
      text_in(row, kDimTextColor, shown_key(parameter.key), 1.0F);
    }
    ImGui::PopID();
  }
}

void transition_row(Machines& all, std::size_t layer_index, std::size_t index, const StateTransition* running,
                    float progress, bool names_from, Rows& rows) {
  const StateTransition& transition = all.states.layers[layer_index].transitions[index];
  rows.begin(kStateRowHeight);
  const bool runs = running != nullptr && *running == transition;
  // The numbers are the order in which transitions are tried.
  part_row(all, {PartKind::transition, layer_index, index},
           {.id = fmt::format("transition {} {}", layer_index, index),
            .indent = 14,
            .color = kDimTextColor,
            .text = names_from ? transition.from + " to " + transition.to : transition.to,
            .note = fmt::format("{}  {}", describe_conditions(transition), index + 1),
            .share = runs ? std::max(progress, 0.02F) : 0,
            .arrow = true},
           rows.width, rows.scale);
}

void layer_rows(Machines& all, std::size_t layer_index, Rows& rows) {
  const StateLayer& layer = all.states.layers[layer_index];
  const auto at = all.running(layer);
  const StateStatus status = at ? all.machine->machine.status(all.machine->animator, *at) : StateStatus{};
  const StateLayer* const running = at ? &states_of(*all.machine->graph).layers[*at] : nullptr;
  const auto state_name = [&](std::uint32_t state) {
    return running != nullptr && state < running->states.size() ? running->states[state].name : std::string();
  };
  const std::string current = state_name(status.state), leaving = state_name(status.from);
  const StateTransition* const fading = running != nullptr && status.transition < running->transitions.size()
                                            ? &running->transitions[status.transition]
                                            : nullptr;
  const std::string& first = layer.first.empty() && !layer.states.empty() ? layer.states[0].name : layer.first;
  ImGui::PushID(static_cast<int>(layer_index));
  rows.top += 2.0F * kFieldGap;
  rows.begin(kStateRowHeight);
  part_row(all, {PartKind::layer, 0, layer_index},
           {.id = "layer " + layer.name,
            .indent = -14,
            .text = layer.name,
            .note = layer.mask.empty() ? "Layer" : "Layer, " + layer.mask},
           rows.width, rows.scale);
  const auto is_state = [&](const std::string& name) {
    return std::ranges::find(layer.states, name, &State::name) != layer.states.end();
  };
  for (std::size_t i = 0; i < layer.states.size(); ++i) {
    const State& state = layer.states[i];
    const bool is_current = state.name == current;
    const double phase = status.phase - std::floor(status.phase);
    rows.begin(kStateRowHeight);
    const bool clicked = part_row(all, {PartKind::state, layer_index, i},
                                  {.id = "state " + state.name,
                                   .text = state.name,
                                   .note = state.name == first ? "First" : "",
                                   .current = is_current,
                                   .share = is_current              ? static_cast<float>(phase)
                                            : state.name == leaving ? (1.0F - status.progress) * 0.999F
                                                                    : 0},
                                  rows.width, rows.scale);
    if (clicked && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) run_command(all.app, "states-enter");
    for (std::size_t t = 0; t < layer.transitions.size(); ++t) {
      if (layer.transitions[t].from == state.name) {
        transition_row(all, layer_index, t, fading, status.progress, false, rows);
      }
    }
  }
  bool titled = false;
  for (std::size_t t = 0; t < layer.transitions.size(); ++t) {
    const std::string& from = layer.transitions[t].from;
    if (is_state(from)) continue;
    if (!std::exchange(titled, true)) {
      rows.begin(kStateRowHeight);
      const Vec2 corner = ImGui::GetCursorScreenPos();
      const Vec2 size{rows.width, kStateRowHeight * rows.scale};
      text_in({corner + Vec2{28.0F * rows.scale, 0.0F}, corner + size}, kDimTextColor, "Any state");
    }
    transition_row(all, layer_index, t, fading, status.progress, !from.empty(), rows);
  }
  ImGui::PopID();
}

/// The fields of the selected part, each with what is wrong with it below.
struct Fields {
  Machines& all;
  StateRef part;
  Rows& rows;
  std::vector<StateProblem> left{};  ///< Not shown yet.
  std::string field{};

  Fields(Machines& machines, StateRef selected, Rows& controls) : all(machines), part(selected), rows(controls) {
    for (const StateProblem& each : all.problems) {
      if (each.part == part) left.push_back(each);
    }
  }
  /// Shows the problems of the field before.
  void flush() {
    if (!field.empty()) show(field);
    field.clear();
  }
  void show(const std::string& of) {
    std::erase_if(left, [&](const StateProblem& each) {
      const bool starts = each.field.starts_with(of);
      const char next = starts && each.field.size() > of.size() ? each.field[of.size()] : '\0';
      // "speedParameter" does not belong to "speed".
      const bool belongs = starts && (of.empty() || next == '\0' || next == '.' || next == '[');
      if (belongs) rows.message(kErrorColor, each.text);
      if (belongs) name_item("problem " + each.field);
      return belongs;
    });
  }
  float begin(const char* label, std::string next, std::string_view explanation) {
    flush();
    field = std::move(next);
    return rows.begin(label, explanation);
  }
  void begin_wide(std::string next) {
    flush();
    field = std::move(next);
    rows.begin();
  }
  void choice(const char* label, const char* next, std::string& value, std::span<const std::string> names,
              const char* none, std::string_view explanation) {
    const float width = begin(label, next, explanation);
    name_choice(fmt::format("##{}", label).c_str(), value, names, none, width);
    tooltip(explanation);
  }
  void drag(const char* label, const char* next, float& value, float min, float max, const char* format,
            std::string_view explanation) {
    ImGui::SetNextItemWidth(begin(label, next, explanation));
    ImGui::DragFloat(fmt::format("##{}", label).c_str(), &value, std::max((max - min) * 0.005F, 0.001F), min, max,
                     format, ImGuiSliderFlags_AlwaysClamp);
    name_item(label);
    tooltip(explanation);
  }
  void slider(const char* label, const char* next, double& value, float max, const char* format,
              std::string_view explanation) {
    flush();
    field = next;
    auto edited = static_cast<float>(value);
    rows.slider(label, edited, 0.0F, std::max(max, edited), format, explanation);
    if (edited != static_cast<float>(value)) value = std::round(static_cast<double>(edited) * 1000.0) / 1000.0;
  }
  void toggle(const char* label, const char* next, bool& value, std::string_view explanation) {
    begin_wide(next);
    if (checkbox(label, value)) value = !value;
    tooltip(explanation);
  }
  void events(const char* label, const char* next, std::vector<std::string>& names) {
    constexpr const char* kExplanation = "Names of events for the game, separated by commas";
    std::string text;
    for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
    const float width = begin(label, next, kExplanation);
    if (text_field(fmt::format("##{}", label).c_str(), text, width)) {
      names.clear();
      for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view name = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (!name.empty()) names.emplace_back(name);
      }
    }
    tooltip(kExplanation);
  }
};

/// What it is, and buttons that move and remove it.
void title_row(Fields& fields) {
  Rows& rows = fields.rows;
  rows.title(kPartKinds[static_cast<std::size_t>(fields.part.kind)]);
  const float side = ImGui::GetFrameHeight();
  ImGui::SameLine(rows.width - 3.0F * side - 8.0F * rows.scale);
  const auto arrow = [&](const char* id, ImGuiDir direction) {
    ImGui::BeginDisabled(!is_available(fields.all.app, command(id)));
    if (ImGui::ArrowButton(id, direction)) run_command(fields.all.app, id);
    name_item(id);
    ImGui::EndDisabled();
    command_tooltip(id);
    ImGui::SameLine(0.0F, 4.0F * rows.scale);
  };
  arrow("states-up", ImGuiDir_Up);
  arrow("states-down", ImGuiDir_Down);
  command_button(fields.all.app, "states-remove", Icon::close, Vec2{side});
}

void name_row(Fields& fields) {
  const float width = fields.begin("Name", "name", "Name in the file and for the game");
  RigEditor& editor = fields.all.editor;
  std::optional<TypedName>& typed = editor.typed_name;
  if (typed && typed->part != fields.part) typed.reset();
  std::string name = typed ? typed->text : name_of(fields.all.states, fields.part);
  if (text_field("##Name", name, width)) {
    typed = {fields.part, name};
    fields.all.app.names_changed = true;
  }
  if (!typed || ImGui::IsItemActive()) return;
  rename(fields.all.states, fields.part, std::exchange(typed, std::nullopt)->text);
  commit(editor);
}

void edit_parameter(Fields& fields) {
  StateParameter& parameter = fields.all.states.parameters[fields.part.index];
  const float width = fields.begin("Type", "type", "A number, a boolean, or a trigger, which a transition uses up");
  const auto current = static_cast<std::size_t>(parameter.kind);
  const auto chosen = combo("##Type", kParameterKinds[current], width, kParameterKinds.size(), current,
                            [](std::size_t i) { return kParameterKinds[i]; });
  if (chosen) {
    parameter = {.name = parameter.name, .kind = static_cast<ParameterKind>(*chosen), .key = parameter.key};
  }
  constexpr float kMost = 1e6F;
  if (parameter.kind == ParameterKind::number) {
    fields.drag("Minimum", "min", parameter.min, -kMost, parameter.max, "%.3g", "Lowest value");
    fields.drag("Maximum", "max", parameter.max, parameter.min, kMost, "%.3g", "Highest value");
    fields.drag("Start", "value", parameter.value, parameter.min, parameter.max, "%.3g", "Value at the start");
  } else if (parameter.kind == ParameterKind::boolean) {
    bool on = parameter.value != 0;
    fields.toggle("True at the start", "value", on, "Value at the start");
    parameter.value = on ? 1.0F : 0.0F;
  }
  const float room = fields.begin("Key", "key", "Plays the parameter from the keyboard, here and on the web page");
  const bool waits = fields.all.app.key_for == fields.part.index;
  const std::string key = waits ? "Press a key..." : parameter.key.empty() ? kNone : shown_key(parameter.key);
  if (ImGui::Button((key + "##key").c_str(), {room, 0.0F})) fields.all.app.key_for = fields.part.index;
  name_item("key");
  tooltip("Click, then press a letter, a digit, an arrow key, Space, Enter or Shift; Delete for none, Esc to cancel");
}

void edit_layer(Fields& fields) {
  States& states = fields.all.states;
  StateLayer& layer = states.layers[fields.part.index];
  const Document& document = *fields.all.app.document();
  fields.choice("First", "first", layer.first, names_in(layer.states), "First of the list", "State at the start");
  fields.choice("Mask", "mask", layer.mask, names_in(document.masks), "All bones", "Bones that the layer moves");
  segmented("mode", kStateLayerModes, layer.mode,
            fields.begin("Mode", "mode", "Replaces the layers below, or adds to them"));
  if (layer.mode == LayerMode::additive) {
    fields.choice("Reference", "reference", layer.reference_clip, clip_names(fields.all.character), "Bind pose",
                  "Pose from which the difference is added");
    const ClipId clip = fields.all.character.find_clip(layer.reference_clip);
    if (clip != ClipId::none) {
      const auto frames = static_cast<int>(fields.all.character.clips()[clip].frame_count);
      slider("##frame", layer.reference_frame, 0, std::max(frames - 1, 0), "%d", fields.begin("Frame", "", ""));
    }
  }
  auto weight = static_cast<double>(layer.weight);
  fields.slider("Weight", "weight", weight, 1.0F, "%.2f", "0 shows the layers below alone");
  layer.weight = static_cast<float>(weight);
  fields.choice("Scaled by", "weightParameter", layer.weight_parameter, number_names(states), kNone,
                "Parameter that multiplies the weight");
}

float snapped(float value) { return std::round(value * 100.0F) / 100.0F; }

/// Shows the points of a blend space and the values of its parameters. The mouse drags points; elsewhere, it sets the
/// parameters.
void plot(Fields& fields, State& state) {
  const Machines& all = fields.all;
  const float scale = fields.rows.scale;
  const bool flat = state.kind == State::Kind::blend_1d;
  fields.flush();
  fields.rows.begin(flat ? kLineHeight : kPlotHeight);
  const StateParameter* const x = find_parameter(all.states, state.x);
  const StateParameter* const y = flat ? nullptr : find_parameter(all.states, state.y);
  Rect range;
  for (const BlendPoint& each : state.points) range.include(each.at);
  if (x != nullptr) range.min.x = x->min, range.max.x = x->max;
  if (y != nullptr) range.min.y = y->min, range.max.y = y->max;
  range.max = glm::max(range.max, range.min + Vec2{1e-3F});
  const Vec2 size{fields.rows.width, (flat ? kLineHeight : kPlotHeight) * scale - kFieldGap * scale};
  const Spot area = spot("plot", size);
  fill(area.area, kWellColor, 5.0F * scale);
  const Vec2 inset = (flat ? Vec2{12.0F} : Vec2{28.0F, 22.0F}) * scale;  // With room for names.
  const Rect inner{area.area.min + inset, area.area.max - inset};
  const auto place = [&](Vec2 at) {
    const Vec2 share = (at - range.min) / range.size();
    return Vec2{inner.min.x + share.x * inner.size().x,
                flat ? inner.center().y : inner.max.y - share.y * inner.size().y};
  };
  const auto under = [&](Vec2 mouse) {
    const Vec2 share = glm::clamp((mouse - inner.min) / glm::max(inner.size(), Vec2{1.0F}), 0.0F, 1.0F);
    return Vec2{snapped(range.min.x + share.x * range.size().x),
                flat ? 0.0F : snapped(range.min.y + (1.0F - share.y) * range.size().y)};
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Vec2 now{x != nullptr ? all.value(*x) : range.min.x, y != nullptr ? all.value(*y) : 0.0F};
  const Vec2 cross = place(now);
  list.AddLine({cross.x, inner.min.y - 6.0F * scale}, {cross.x, inner.max.y + 6.0F * scale}, kAccentColor);
  if (!flat) list.AddLine({inner.min.x - 6.0F * scale, cross.y}, {inner.max.x + 6.0F * scale, cross.y}, kAccentColor);
  const Vec2 mouse = ImGui::GetIO().MousePos;
  const float reach = 7.0F * scale;
  int nearest = -1;
  for (std::size_t i = 0; i < state.points.size(); ++i) {
    const Vec2 at = place(state.points[i].at);
    const bool near = area.hovered && glm::length(at - mouse) < reach;
    if (near) nearest = static_cast<int>(i);
    list.AddCircleFilled(at, (near ? 6.0F : 4.5F) * scale, kBoneColor);
    name_area(fmt::format("point {}", i), {at - Vec2{2.0F}, at + Vec2{2.0F}});
    if (!flat) text_at(at + Vec2{0.0F, -6.0F * scale}, {0.5F, 1.0F}, kDimTextColor, state.points[i].clip);
  }
  if (nearest >= 0) tooltip(state.points[static_cast<std::size_t>(nearest)].clip);
  int* const dragged = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("dragged"), -1);
  if (ImGui::IsItemActivated()) *dragged = nearest;
  if (!area.active) return;
  if (*dragged >= 0 && static_cast<std::size_t>(*dragged) < state.points.size()) {
    state.points[static_cast<std::size_t>(*dragged)].at = under(mouse);
  } else {
    if (x != nullptr) all.set(*x, under(mouse).x);
    if (y != nullptr) all.set(*y, under(mouse).y);
  }
}

void blend_rows(Fields& fields, State& state) {
  const bool flat = state.kind == State::Kind::blend_1d;
  const std::vector<std::string> numbers = number_names(fields.all.states);
  const std::vector<std::string> clips = clip_names(fields.all.character);
  fields.choice(flat ? "By" : "Across", flat ? "parameter" : "parameters[0]", state.x, numbers, nullptr,
                flat ? "Number that blends the clips" : "Number along the horizontal axis");
  if (!flat) fields.choice("Up", "parameters[1]", state.y, numbers, nullptr, "Number along the vertical axis");
  plot(fields, state);
  const float side = ImGui::GetFrameHeight();
  const float gap = kFieldGap * fields.rows.scale;
  const float number = 46.0F * fields.rows.scale;
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < state.points.size(); ++i) {
    BlendPoint& point = state.points[i];
    ImGui::PushID(static_cast<int>(i));
    fields.begin_wide(fmt::format("blend[{}]", i));
    const float width = fields.rows.width - (number + gap) * (flat ? 1.0F : 2.0F) - side - gap;
    name_choice("##clip", point.clip, clips, nullptr, width);
    const auto coordinate = [&](const char* id, float& value) {
      ImGui::SameLine(0.0F, gap);
      ImGui::SetNextItemWidth(number);
      ImGui::DragFloat(id, &value, 0.01F, -1e6F, 1e6F, "%.3g", ImGuiSliderFlags_AlwaysClamp);
      name_item(fmt::format("{} {}", id, i));
      tooltip("Value of the parameter at which only this clip shows");
    };
    coordinate("##at", point.at.x);
    if (!flat) coordinate("##up", point.at.y);
    ImGui::SameLine(0.0F, gap);
    if (icon_button("remove", Icon::close, Vec2{side}, "Remove this clip")) removed = i;
    ImGui::PopID();
  }
  if (removed) state.points.erase(state.points.begin() + static_cast<std::ptrdiff_t>(*removed));
  fields.begin_wide("blend");
  if (ImGui::Button("Add clip", {fields.rows.width, 0.0F}) && !clips.empty()) {
    // A place of its own, so that the blend stays valid.
    const float next = state.points.empty() ? 0.0F : state.points.back().at.x + 1.0F;
    const std::size_t i = std::min(state.points.size(), clips.size() - 1);
    state.points.push_back({.clip = clips[i], .at = {next, 0.0F}});
  }
  name_item("Add clip");
}

void set_kind(State& state, State::Kind kind, const States& states, const Character& character) {
  const std::vector<std::string> numbers = number_names(states);
  const std::vector<std::string> clips = clip_names(character);
  const bool blends = kind == State::Kind::blend_1d || kind == State::Kind::blend_2d;
  State next{.name = state.name,
             .kind = kind,
             .speed = state.speed,
             .speed_parameter = state.speed_parameter,
             .on_enter = state.on_enter,
             .on_leave = state.on_leave};
  if (kind == State::Kind::empty) next = {.name = state.name, .on_enter = state.on_enter, .on_leave = state.on_leave};
  if (kind == State::Kind::clip || kind == State::Kind::sequence) {
    next.clip = !state.clip.empty() ? state.clip : !state.points.empty() ? state.points[0].clip : "";
    if (next.clip.empty() && !clips.empty()) next.clip = clips[0];
  }
  if (blends) {
    next.points = state.points;
    if (next.points.empty() && !state.clip.empty()) next.points.push_back({.clip = state.clip});
    next.x = !state.x.empty() ? state.x : numbers.empty() ? "" : numbers[0];
    if (kind == State::Kind::blend_2d) next.y = numbers.size() > 1 ? numbers[1] : "";
    if (kind == State::Kind::blend_1d) {
      for (BlendPoint& each : next.points) each.at.y = 0;
    }
  }
  state = std::move(next);
}

void edit_state(Fields& fields) {
  States& states = fields.all.states;
  StateLayer& layer = states.layers[fields.part.layer];
  State& state = layer.states[fields.part.index];
  const std::vector<std::string> clips = clip_names(fields.all.character);
  const float width = fields.begin("Plays", "", "What the layer plays in this state");
  const auto current = static_cast<std::size_t>(state.kind);
  const auto chosen = combo("##Plays", kStateKinds[current], width, kStateKinds.size(), current,
                            [](std::size_t i) { return kStateKinds[i]; });
  if (chosen) set_kind(state, static_cast<State::Kind>(*chosen), states, fields.all.character);
  switch (state.kind) {
    case State::Kind::empty:
      break;
    case State::Kind::clip:
      fields.choice("Clip", "clip", state.clip, clips, nullptr, "Clip that plays");
      break;
    case State::Kind::sequence:
      fields.choice("Start", "sequence.start", state.start, clips, kNone, "Plays once at first");
      fields.choice("Middle", "sequence.loop", state.clip, clips, kNone, "Plays again and again");
      fields.choice("End", "sequence.end", state.end, clips, kNone, "Plays once before a transition at the end");
      break;
    case State::Kind::blend_1d:
    case State::Kind::blend_2d:
      blend_rows(fields, state);
      break;
  }
  if (state.kind != State::Kind::empty) {
    fields.slider("Speed", "speed", state.speed, 4.0F, "%.2f x", "1 is as in the file");
    fields.choice("Scaled by", "speedParameter", state.speed_parameter, number_names(states), kNone,
                  "Parameter that multiplies the speed");
  }
  if (state.kind != State::Kind::empty && state.kind != State::Kind::sequence) {
    constexpr std::array kModes{LoopMode::from_file, LoopMode::once, LoopMode::loop};
    const float room = fields.begin("Loop", "loop", "How the clip repeats");
    const auto mode = static_cast<std::size_t>(std::ranges::find(kModes, state.loop) - kModes.begin());
    const auto other = combo("##Loop", kLoops[std::min(mode, kLoops.size() - 1)], room, kLoops.size(), mode,
                             [](std::size_t i) { return kLoops[i]; });
    if (other) state.loop = kModes[*other];
  }
  fields.events("On enter", "enter", state.on_enter);
  fields.events("On leave", "leave", state.on_leave);
  fields.begin_wide("");
  text_button(fields.all.app, "Add transition", "states-add-transition");
  ImGui::SameLine(0.0F, kFieldGap * fields.rows.scale);
  text_button(fields.all.app, "Enter now", "states-enter");
}

/// Returns whether to remove the condition.
bool condition_row(Fields& fields, StateCondition& condition, std::size_t index) {
  using Test = StateCondition::Test;
  const States& states = fields.all.states;
  const float scale = fields.rows.scale;
  const float side = ImGui::GetFrameHeight();
  const float gap = kFieldGap * scale;
  const float rest = 110.0F * scale;
  fields.begin_wide(fmt::format("when[{}]", index));
  const std::vector<std::string> names = names_in(states.parameters);
  const bool changed =
      name_choice("##parameter", condition.parameter, names, nullptr, fields.rows.width - rest - side - 2.0F * gap);
  const StateParameter* const parameter = find_parameter(states, condition.parameter);
  const ParameterKind kind = parameter != nullptr ? parameter->kind : ParameterKind::trigger;
  if (changed && parameter != nullptr) {
    const bool number = kind == ParameterKind::number;
    condition = {.parameter = condition.parameter,
                 .test = number ? Test::above : Test::is_true,
                 .value = number ? (parameter->min + parameter->max) * 0.5F : 0};
  }
  ImGui::SameLine(0.0F, gap);
  const auto tests = [&](std::span<const char* const> labels, Test first, float width) {
    int current = static_cast<int>(condition.test) - static_cast<int>(first);
    if (segmented("test", labels, current, width)) {
      condition.test = static_cast<Test>(current + static_cast<int>(first));
    }
  };
  if (kind == ParameterKind::number) {
    constexpr std::array kTests{">", "<"};
    const float half = (rest - gap) * 0.5F;
    tests(kTests, Test::above, half);
    ImGui::SameLine(0.0F, gap);
    ImGui::SetNextItemWidth(half);
    ImGui::DragFloat("##than", &condition.value, std::max((parameter->max - parameter->min) * 0.005F, 0.001F), -1e6F,
                     1e6F, "%.3g", ImGuiSliderFlags_AlwaysClamp);
    name_item("than", index);
  } else if (kind == ParameterKind::boolean) {
    constexpr std::array kTests{"True", "False"};
    tests(kTests, Test::is_true, rest);
  } else {
    ImGui::AlignTextToFramePadding();
    label(parameter != nullptr ? "fired" : "unknown");
  }
  ImGui::SameLine(fields.rows.width - side);
  return icon_button("remove", Icon::close, Vec2{side}, "Remove this condition");
}

void edit_transition(Fields& fields) {
  States& states = fields.all.states;
  StateLayer& layer = states.layers[fields.part.layer];
  StateTransition& transition = layer.transitions[fields.part.index];
  const std::vector<std::string> names = names_in(layer.states);
  fields.choice("From", "from", transition.from, names, "Any other state", "State that it leaves");
  fields.choice("To", "to", transition.to, names, nullptr, "State that it enters");
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < transition.conditions.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (condition_row(fields, transition.conditions[i], i)) removed = i;
    ImGui::PopID();
  }
  if (removed) {
    transition.conditions.erase(transition.conditions.begin() + static_cast<std::ptrdiff_t>(*removed));
  }
  fields.begin_wide("when");
  ImGui::BeginDisabled(states.parameters.empty());
  if (ImGui::Button("Add condition", {fields.rows.width, 0.0F})) {
    const StateParameter& parameter = states.parameters.front();
    const bool number = parameter.kind == ParameterKind::number;
    // New transitions wait for the end, as they have no condition.
    if (transition.conditions.empty()) transition.at_end = false;
    transition.conditions.push_back({.parameter = parameter.name,
                                     .test = number ? StateCondition::Test::above : StateCondition::Test::is_true,
                                     .value = number ? (parameter.min + parameter.max) * 0.5F : 0});
  }
  name_item("Add condition");
  ImGui::EndDisabled();
  tooltip("All conditions must hold");
  fields.toggle("At the end", "atEnd", transition.at_end, "Only at the end of the clip or of each of its loops");
  fields.slider("After", "after", transition.after, 2.0F, "%.2f x", "Earliest time, in durations of the clip");
  fields.slider("Fade", "fade", transition.fade_seconds, 2.0F, "%.2f s", "Crossfade time");
  fields.toggle("Same phase", "sync", transition.synchronized, "The new state starts where the old one is in its clip");
  fields.toggle("Interruptible", "interruptible", transition.interruptible,
                "Other transitions can be taken during the crossfade");
}

void edit_part(Machines& all, float width, float scale) {
  Rows rows{width, scale};
  Fields fields(all, *all.editor.selected_state, rows);
  const StateRef part = fields.part;
  ImGui::PushID(static_cast<int>(part.kind) * 1'000'000 + static_cast<int>(part.layer * 10'000 + part.index));
  title_row(fields);
  // Its buttons can move or remove the part.
  if (all.editor.selected_state == part) {
    if (part.kind != PartKind::transition) name_row(fields);
    if (part.kind == PartKind::parameter) edit_parameter(fields);
    if (part.kind == PartKind::layer) edit_layer(fields);
    if (part.kind == PartKind::state) edit_state(fields);
    if (part.kind == PartKind::transition) edit_transition(fields);
    fields.flush();
    fields.show("");
  }
  ImGui::PopID();
}

void states_toolbar(App& app, Rows& rows) {
  constexpr std::array kAdd{"states-add-number", "states-add-boolean", "states-add-trigger",
                            "states-add-layer",  "states-add-state",   "states-add-transition"};
  const float gap = kFieldGap * rows.scale;
  rows.begin();
  const float width = 76.0F * rows.scale;
  const auto chosen = combo("##add", "Add", width, kAdd.size(), std::nullopt, [&](std::size_t i) {
    return is_available(app, command(kAdd[i])) ? command(kAdd[i]).name : nullptr;
  });
  tooltip("Add a parameter, a layer, a state or a transition");
  if (chosen) run_command(app, kAdd[*chosen]);
  for (const auto& [text, id] : {std::pair{"Undo", "rig-undo"}, {"Redo", "rig-redo"}, {"Save", "rig-save"}}) {
    ImGui::SameLine(0.0F, gap);
    text_button(app, text, id);
  }
}

}  // namespace

void states_panel(App& app, float width, float scale) {
  RigEditor& editor = app.document()->rig;
  if (editor.selected_state && !exists(editor.rig.states, *editor.selected_state)) editor.selected_state.reset();
  Machines all{app,
               editor,
               editor.rig.states,
               app.document()->character(),
               app.playback.machine(),
               state_problems(app.playback.state_errors)};
  const float height = ImGui::GetContentRegionAvail().y;
  const float share = editor.selected_state ? kEditorShare : 0.0F;
  Rows bar{width, scale};
  states_toolbar(app, bar);
  ImGui::SetCursorPos({0.0F, bar.top * scale});
  ImGui::BeginChild("parts", {0.0F, height * (1.0F - share) - (bar.top + kFieldGap) * scale}, false,
                    ImGuiWindowFlags_NoNav);
  Rows rows{width, scale};
  if (!editor.file_error.empty()) {
    rows.message(kErrorColor,
                 editor.file_error + (all.machine != nullptr ? ". The machine runs as it was before." : ""));
  } else if (!all.problems.empty()) {
    const StateProblem& first = all.problems.front();
    const std::string text =
        fmt::format("{} problem{}. {}", all.problems.size(), all.problems.size() == 1 ? "" : "s",
                    all.machine != nullptr ? "The machine runs as it was before." : "The clip plays instead.");
    rows.message(kErrorColor, first.part ? text : text + " " + first.text);
    if (first.part && ImGui::IsItemClicked()) editor.selected_state = first.part;
    name_item("state problems");
  } else if (all.states.empty()) {
    rows.message(
        kDimTextColor,
        "A state machine plays clips by itself: a state for each clip, and transitions between them that depend "
        "on parameters, such as a speed or a jump. Add a state to begin.");
  }
  parameter_rows(all, rows);
  for (std::size_t i = 0; i < all.states.layers.size(); ++i) layer_rows(all, i, rows);
  ImGui::EndChild();
  if (!editor.selected_state) return;
  ImGui::SetCursorPosY(height * (1.0F - share));
  ImGui::Separator();
  ImGui::BeginChild("fields", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  edit_part(all, width, scale);
  ImGui::EndChild();
}

}  // namespace pchr::player
