#include "classes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

using namespace godot;

namespace {

const Method<GDExtensionObjectPtr()> get_parent{"Node", "get_parent", 3160264692};
const Method<void()> update_configuration_warnings{"Node", "update_configuration_warnings", 3218959716};
const Method<void()> notify_property_list_changed{"Object", "notify_property_list_changed", 3218959716};
const Method<bool()> is_editor_hint{"Engine", "is_editor_hint", 36873697};

constexpr std::string_view kPrefix = "parameters/";

std::string quoted(const std::string& name) { return '"' + name + '"'; }

PackedStringArray array_of(const std::vector<std::string>& texts) {
  PackedStringArray array;
  array.resize(texts.size());
  std::ranges::copy(texts, array.elements().begin());
  return array;
}

/// Returns the name of a parameter for that of its property, or an empty text.
std::string parameter_of(const StringName& property) {
  const std::string name = Variant(property).to<String>().utf8();
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "";
}

}  // namespace

PchrStateMachine::~PchrStateMachine() {
  if (sprite != nullptr) sprite->machine = nullptr;
}

const pchr_animator* PchrStateMachine::animator() const { return sprite != nullptr ? sprite->animator : nullptr; }

void PchrStateMachine::notification(int what) {
  if (what == kReady) return begin();
  if (what != kParented && what != kUnparented && what != kExtensionReloaded) return;
  if (sprite != nullptr) {
    sprite->machine = nullptr;
    sprite->leave_states();
  }
  sprite = what == kUnparented ? nullptr : instance_of<PchrSprite2D>(get_parent(object));
  if (sprite != nullptr) {
    sprite->machine = this;
    sprite->current_pose();  // Makes the animator fit the character.
  }
  attach();
}

/// Lets time pass in a game.
void PchrStateMachine::begin() {
  if (active && sprite != nullptr && !is_editor_hint(singleton("Engine"))) sprite->set_playing(true);
}

void PchrStateMachine::attach() {
  problem.clear();
  if (sprite == nullptr)
    problem = "The parent is not a PchrSprite2D, so there is nothing to play.";
  else if (sprite->animator == nullptr)
    problem = "The PchrSprite2D has no character, so there is nothing to play.";
  else if (pchr_rig_state_layer_count(sprite->character->rig()) == 0)
    problem = "The character has no state machines. Add some in the pchr player, which saves them in its .rig.json.";
  pchr_error error{};
  if (sprite != nullptr && (!active || !problem.empty())) {
    sprite->leave_states();
  } else if (problem.empty() && !pchr_animator_set_states(sprite->animator, sprite->character->rig(), &error)) {
    problem = error.message;
    report_error(problem);
    sprite->leave_states();
  } else if (problem.empty()) {
    for (const auto& [name, value] : values) {
      pchr_animator_set_parameter(sprite->animator, pchr_animator_find_parameter(sprite->animator, name.c_str()),
                                  value);
    }
    sprite->step(0);
    sprite->redraw();
  }
  update_configuration_warnings(object);
  notify_property_list_changed(object);
}

void PchrStateMachine::set_active(bool value) {
  if (value == active) return;
  active = value;
  attach();
  begin();
}

std::uint32_t PchrStateMachine::find(const std::string& name) const {
  return pchr_animator_find_parameter(animator(), name.c_str());
}

/// Sets a parameter, or keeps its value until there is a character. Returns whether it is known, if there is one.
bool PchrStateMachine::change(const std::string& name, const Variant& value) {
  const auto number = static_cast<float>(value.to<double>());
  pchr_parameter parameter{};
  if (sprite != nullptr && pchr_animator_state_layer_count(sprite->animator) != 0) {
    const std::uint32_t index = find(name);
    if (!pchr_animator_set_parameter(sprite->animator, index, number)) return false;
    pchr_animator_get_parameter(sprite->animator, index, &parameter);
    if (parameter.kind == PCHR_PARAMETER_TRIGGER) return true;
  }
  const auto known = std::ranges::find(values, name, &std::pair<std::string, float>::first);
  (known == values.end() ? values.emplace_back() : *known) = {name, number};
  return true;
}

void PchrStateMachine::report(const char* function, const std::string& what, const PackedStringArray& known) const {
  report_error(std::string("PchrStateMachine.") + function + "(): " +
               (known.size() == 0 ? "it has no character with state machines" : what + ", only " + join(known)));
}

void PchrStateMachine::set_parameter(const String& name, const Variant& value) {
  const std::string text = name.utf8();
  if (!change(text, value)) {
    report("set_parameter", "the character has no parameter " + quoted(text), get_parameters());
  }
}

void PchrStateMachine::fire(const String& trigger) {
  const std::string name = trigger.utf8();
  pchr_parameter parameter{};
  if (pchr_animator_get_parameter(animator(), find(name), &parameter) && parameter.kind == PCHR_PARAMETER_TRIGGER) {
    pchr_animator_set_parameter(sprite->animator, find(name), 1);
  } else {
    report("fire", "the character has no trigger " + quoted(name), get_parameters());
  }
}

Variant PchrStateMachine::value_of(const std::string& name) const {
  pchr_parameter parameter{};
  if (pchr_animator_get_parameter(animator(), find(name), &parameter)) {
    if (parameter.kind != PCHR_PARAMETER_NUMBER) return parameter.value != 0;
    return static_cast<double>(parameter.value);
  }
  const auto known = std::ranges::find(values, name, &std::pair<std::string, float>::first);
  return known != values.end() ? Variant(static_cast<double>(known->second)) : Variant();
}

Variant PchrStateMachine::get_parameter(const String& name) {
  const std::string text = name.utf8();
  Variant value = value_of(text);
  if (value.type() == GDEXTENSION_VARIANT_TYPE_NIL) {
    report("get_parameter", "the character has no parameter " + quoted(text), get_parameters());
  }
  return value;
}

PackedStringArray PchrStateMachine::get_parameters() const {
  std::vector<std::string> names;
  pchr_parameter parameter{};
  for (std::uint32_t i = 0; pchr_animator_get_parameter(animator(), i, &parameter); ++i)
    names.push_back(parameter.name);
  return array_of(names);
}

PackedStringArray PchrStateMachine::get_layers() const {
  std::vector<std::string> names;
  pchr_state_status status{};
  for (std::uint32_t i = 0; pchr_animator_get_state(animator(), i, &status); ++i) names.push_back(status.layer_name);
  return array_of(names);
}

/// Returns where a layer is, or reports which layers there are.
bool PchrStateMachine::find_layer(const char* function, std::int64_t layer, pchr_state_status& status) const {
  const bool exists = layer >= 0 && layer < PCHR_MAX_LAYERS &&
                      pchr_animator_get_state(animator(), static_cast<std::uint32_t>(layer), &status);
  if (!exists)
    report(function,
           "layer is " + std::to_string(layer) + ", but there are " +
               std::to_string(pchr_animator_state_layer_count(animator())),
           get_layers());
  return exists;
}

String PchrStateMachine::get_state(std::int64_t layer) const {
  pchr_state_status status{};
  return find_layer("get_state", layer, status) ? String(status.name) : String();
}

double PchrStateMachine::get_phase(std::int64_t layer) const {
  pchr_state_status status{};
  return find_layer("get_phase", layer, status) ? status.phase : 0;
}

void PchrStateMachine::enter(const String& state, std::int64_t layer, double fade_seconds) {
  pchr_state_status status{};
  if (!find_layer("enter", layer, status)) return;
  const std::string name = state.utf8();
  if (pchr_animator_enter_state(sprite->animator, static_cast<std::uint32_t>(layer), name.c_str(), fade_seconds)) {
    sprite->redraw();
  } else {
    report_error("PchrStateMachine.enter(): layer " + std::to_string(layer) + " has no state " + quoted(name));
  }
}

String PchrStateMachine::save_states() const {
  std::string saved(pchr_animator_save_states(animator(), nullptr, 0) + 1, '\0');
  saved.resize(pchr_animator_save_states(animator(), saved.data(), saved.size()));
  return saved;
}

bool PchrStateMachine::restore_states(const String& saved) {
  if (sprite == nullptr || !pchr_animator_restore_states(sprite->animator, saved.utf8().c_str())) return false;
  sprite->redraw();
  return true;
}

PackedStringArray PchrStateMachine::configuration_warnings() const {
  return array_of(problem.empty() ? std::vector<std::string>() : std::vector{problem});
}

std::vector<Property> PchrStateMachine::property_list() const {
  std::vector<Property> list;
  const auto add = [&](const std::string& name, GDExtensionVariantType type, std::uint32_t usage) -> Property& {
    Property& added = list.emplace_back();
    added.type = type;
    added.name = StringName(std::string(kPrefix) + name);
    added.usage = usage;
    return added;
  };
  const auto is_set = [&](const std::string& name) {
    return std::ranges::find(values, name, &std::pair<std::string, float>::first) != values.end();
  };
  pchr_parameter parameter{};
  for (std::uint32_t i = 0; pchr_animator_get_parameter(animator(), i, &parameter); ++i) {
    const bool is_number = parameter.kind == PCHR_PARAMETER_NUMBER;
    Property& added = add(parameter.name, is_number ? GDEXTENSION_VARIANT_TYPE_FLOAT : GDEXTENSION_VARIANT_TYPE_BOOL,
                          is_set(parameter.name) ? kDefaultUsage : kEditor);
    if (!is_number) continue;
    std::array<char, 80> range{};
    std::snprintf(range.data(), range.size(), "%g,%g,0.001", static_cast<double>(parameter.min),
                  static_cast<double>(parameter.max));
    added.hint = kRange;
    added.hint_string = range.data();
  }
  // Scenes keep what the character does not have at the moment.
  for (const auto& [name, value] : values) {
    if (find(name) == PCHR_NONE) add(name, GDEXTENSION_VARIANT_TYPE_FLOAT, kStored);
  }
  return list;
}

bool PchrStateMachine::set(const StringName& name, const Variant& value) {
  const std::string parameter = parameter_of(name);
  return !parameter.empty() && change(parameter, value);
}

bool PchrStateMachine::get(const StringName& name, Variant& value) const {
  const std::string parameter = parameter_of(name);
  if (parameter.empty()) return false;
  value = value_of(parameter);
  return value.type() != GDEXTENSION_VARIANT_TYPE_NIL;
}

void register_machine() {
  using P = PchrStateMachine;
  const auto layer = [] { return property<std::int64_t>("layer"); };
  Class<P>("Node")
      .property_of<&P::is_active, &P::set_active>("active")
      .method<&P::set_parameter>("set_parameter", {"name", "value"})
      .method<&P::get_parameter>("get_parameter", {"name"})
      .method<&P::fire>("fire", {"trigger"})
      .method<&P::get_parameters>("get_parameters")
      .method<&P::get_layers>("get_layers")
      .method<&P::get_state>("get_state", {"layer"}, {0})
      .method<&P::get_phase>("get_phase", {"layer"}, {0})
      .method<&P::enter>("enter", {"state", "layer", "fade_seconds"}, {0, 0.0})
      .method<&P::save_states>("save_states")
      .method<&P::restore_states>("restore_states", {"saved"})
      .overrides<&P::configuration_warnings>("_get_configuration_warnings")
      .signal("state_entered", {layer(), property<StringName>("state")})
      .signal("state_left", {layer(), property<StringName>("state")})
      .signal("state_event", {property<StringName>("name")});
}
