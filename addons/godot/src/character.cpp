#include "classes.hpp"

#include <algorithm>
#include <cmath>

using namespace godot;

namespace {

const Method<PackedByteArray(String)> get_file_as_bytes{"FileAccess", "get_file_as_bytes", 659035735};
const Method<std::int64_t()> get_open_error{"FileAccess", "get_open_error", 166280745};
const Method<bool(String)> file_exists{"FileAccess", "file_exists", 2323990056};
const Method<Reference(std::int64_t, std::int64_t, bool, std::int64_t, PackedByteArray)> create_image{
    "Image", "create_from_data", 299398494};
const Method<std::int64_t(bool)> generate_mipmaps{"Image", "generate_mipmaps", 1633102583};
const Method<Reference(Reference)> create_texture{"ImageTexture", "create_from_image", 2775144163};
const Method<Rid()> get_rid{"Resource", "get_rid", 2944877500};
const Method<String()> get_path{"Resource", "get_path", 201670096};
const Method<void()> emit_changed{"Resource", "emit_changed", 3218959716};
const Method<bool(String)> has_feature{"OS", "has_feature", 3927539163};
const Method<String(String)> globalize_path{"ProjectSettings", "globalize_path", 3135753539};

constexpr std::int64_t kRgba8 = 5;

/// Paths of side files are joined as those of the file system, where two slashes are one.
std::string engine_path(std::string path) {
  for (const std::string_view scheme : {"res:/", "user:/"}) {
    if (path.starts_with(scheme) && !path.starts_with(std::string(scheme) + "/")) path.insert(scheme.size(), "/");
  }
  return path;
}

bool read_engine_file(void*, const char* path, pchr_file* file) {
  const PackedByteArray bytes = get_file_as_bytes(nullptr, String(engine_path(path)));
  const std::span<const std::uint8_t> elements = bytes.elements();
  if (elements.empty() && get_open_error(nullptr) != 0) {
    file->error = "the engine cannot open it";
    return false;
  }
  file->bytes = elements.data();
  file->size = elements.size();
  file->data = new PackedByteArray(bytes);  // Shares the elements.
  return true;
}

void close_engine_file(void*, pchr_file* file) { delete static_cast<PackedByteArray*>(file->data); }

void note_file(void* files, const char* path) {
  static_cast<std::vector<std::string>*>(files)->push_back(engine_path(path));
}

const pchr_file_system kEngineFiles{read_engine_file, close_engine_file, nullptr};

bool read_text(void* text, const char*, pchr_file* file) {
  const auto& contents = *static_cast<const std::string*>(text);
  file->bytes = contents.data();
  file->size = contents.size();
  return true;
}

/// Returns a message about the file `name`, which warnings call "character", and about `others` like it.
std::string describe(const pchr_error& error, const std::string& name = "character", std::size_t others = 0) {
  constexpr std::string_view kUnnamed = "character: ";
  std::string text = error.message;
  if (text.starts_with(kUnnamed)) text.replace(0, kUnnamed.size(), name + ": ");
  if (others > 0) text += "; " + std::to_string(others) + " more like it";
  const std::string_view hint = error.hint != nullptr ? error.hint : "";
  // Hints about options of the library and the tool are of no use in the engine.
  if (!hint.empty() && !hint.contains("ImportOptions::")) text += " (hint: " + std::string(hint) + ")";
  return text;
}

/// Warnings by kind: the first of each, and how many others there are.
struct Warnings {
  struct Kind {
    pchr_error first;
    std::size_t others = 0;
  };
  std::vector<Kind> kinds{};

  void add(const pchr_error& warning) {
    const auto known = std::ranges::find_if(
        kinds, [&](const Kind& kind) { return std::string_view(kind.first.code) == warning.code; });
    known == kinds.end() ? kinds.push_back({warning}) : void(++known->others);
  }
};

/// Returns a text with another folder for each `folder`.
std::string moved(std::string text, const std::string& folder, const std::string& other) {
  for (std::size_t i = 0; !folder.empty() && (i = text.find(folder, i)) != std::string::npos; i += other.size()) {
    text.replace(i, folder.size(), other);
  }
  return text;
}

PackedStringArray strings(std::uint32_t count, auto&& text) {
  PackedStringArray array;
  array.resize(count);
  const std::span<String> elements = array.elements();
  for (std::uint32_t i = 0; i < count; ++i) elements[i] = String(text(i));
  return array;
}

/// A character in the format that games ship, with the text of its rig.
struct Converted {
  PackedByteArray data;
  std::string rig;
};

/// Converts a character to PCHR v1, with its bind pose as a clip. `rig` can be null.
Converted as_v1(const pchr_character* character, const pchr_rig* rig, const std::string& name, Warnings& warnings) {
  pchr_save_options options{};
  options.lossy = true;
  options.bind_clip = true;
  options.rig = rig;
  pchr_error error{};
  pchr_saved* const saved = pchr_save(character, PCHR_FORMAT_V1, name.c_str(), &options, &error);
  Converted converted;
  if (saved == nullptr) {
    report_error(describe(error, name));
    return converted;
  }
  for (std::uint32_t i = 0; i < pchr_saved_loss_count(saved); ++i) {
    if (pchr_saved_loss(saved, i, &error)) warnings.add(error);
  }
  pchr_saved_file file{};
  if (pchr_get_saved_file(saved, 0, &file)) {
    converted.data.resize(file.size);
    std::memcpy(converted.data.elements().data(), file.bytes, file.size);
  }
  if (pchr_get_saved_file(saved, 1, &file)) converted.rig.assign(static_cast<const char*>(file.bytes), file.size);
  pchr_saved_free(saved);
  return converted;
}

/// Whether both have the same clips and found their bind pose in the same frame.
bool have_same_bind_pose(const pchr_character* a, const pchr_character* b) {
  pchr_character_info of_a{}, of_b{};
  return pchr_get_info(a, &of_a) && pchr_get_info(b, &of_b) && of_a.bind_clip == of_b.bind_clip &&
         of_a.bind_frame == of_b.bind_frame;
}

std::string rig_path_of(const std::string& path) { return path.substr(0, path.find_last_of('.')) + ".rig.json"; }

Rect2 rect_of(const pchr_rect& rect) {
  if (rect.min_x > rect.max_x) return {};
  return {{rect.min_x, -rect.max_y}, {rect.max_x - rect.min_x, rect.max_y - rect.min_y}};
}

}  // namespace

Reference make_image(std::int64_t width, std::int64_t height, const PackedByteArray& rgba) {
  return create_image(nullptr, width, height, false, kRgba8, rgba);
}

std::string join(const PackedStringArray& names) {
  std::string text;
  for (const String& name : names.elements()) text += (text.empty() ? "" : ", ") + name.utf8();
  return text;
}

// A comma separates names in hints, so a name with one cannot be in the list. It can be typed.
void offer(GDExtensionPropertyInfo& info, const PackedStringArray& names, bool strict) {
  std::string list;
  for (const String& each : names.elements()) {
    const std::string name = each.utf8();
    if (name.contains(','))
      strict = false;
    else
      list += (list.empty() ? "" : ",") + name;
  }
  info.hint = strict ? kEnum : kEnumSuggestion;
  *static_cast<String*>(info.hint_string) = String(list);
}

PchrCharacter::~PchrCharacter() {
  pchr_hit_images_free(opaque);
  pchr_rig_free(loaded_rig);
  pchr_character_free(character);
}

Ref<PchrCharacter> PchrCharacter::open(const String& path, const Dictionary& values) {
  const std::string name = path.utf8();
  const auto text = [&](const char* key) {
    const Variant value = values.get(String(key));
    return value.type() == GDEXTENSION_VARIANT_TYPE_STRING ? value.to<String>().utf8() : std::string();
  };
  const auto number = [&](const char* key) {
    const Variant value = values.get(String(key));
    const bool is_number =
        value.type() == GDEXTENSION_VARIANT_TYPE_INT || value.type() == GDEXTENSION_VARIANT_TYPE_FLOAT;
    return is_number ? value.to<double>() : 0;
  };
  const auto wrong_option = [&](const char* key, double value) -> Ref<PchrCharacter> {
    report_error("PchrCharacter.open(): " + std::string(key) + " is " + std::to_string(value) +
                 ", but it must be 0 or more");
    return {};
  };
  const std::string bind_clip = text("bind_clip"), armature = text("armature"), skin = text("skin");
  std::vector<std::string> layers, read;
  std::vector<const char*> layer_names;
  if (const Variant value = values.get(String("layer_names"));
      value.type() == GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY) {
    PackedStringArray names = value.to<PackedStringArray>();
    for (const String& layer : names.elements()) layers.push_back(layer.utf8());
  }
  for (const std::string& layer : layers) layer_names.push_back(layer.c_str());

  // Files of the system are found whatever the case of their names, but packs of games are only read by the engine.
  const bool packed = name.starts_with("res://") && !has_feature(singleton("OS"), String("editor"));
  const std::string real = packed ? name : globalize_path(singleton("ProjectSettings"), path).utf8();
  const std::string real_folder = real.substr(0, real.find_last_of('/') + 1);
  const std::string folder = name.substr(0, name.find_last_of('/') + 1);
  pchr_load_options options{};
  if (packed) options.file_system = &kEngineFiles;
  options.before_reading = note_file;
  options.before_reading_user = &read;
  if (!bind_clip.empty()) options.bind = PCHR_BIND_CLIP;
  options.bind_clip = bind_clip.c_str();
  const double bind_frame = number("bind_frame"), frames_per_second = number("frames_per_second");
  if (!(bind_frame >= 0 && bind_frame <= UINT32_MAX)) return wrong_option("bind_frame", bind_frame);
  if (!(frames_per_second >= 0 && std::isfinite(frames_per_second))) {
    return wrong_option("frames_per_second", frames_per_second);
  }
  options.bind_frame = static_cast<std::uint32_t>(bind_frame);
  options.layers = number("layers") == 1 ? PCHR_ARTWORK_ALL : PCHR_ARTWORK_VISIBLE;
  if (!layer_names.empty()) options.layers = PCHR_ARTWORK_NAMED;
  options.layer_names = {layer_names.data(), static_cast<std::uint32_t>(layer_names.size())};
  if (!armature.empty()) options.armature = armature.c_str();
  if (!skin.empty()) options.skin = skin.c_str();
  options.frames_per_second = frames_per_second;
  options.flat = true;
  pchr_error error{};
  pchr_character* const loaded = pchr_load_file(real.c_str(), &options, &error);
  if (loaded == nullptr) {
    report_error(moved(describe(error, name), real_folder, folder));
    return {};
  }
  Warnings warnings;
  for (std::uint32_t i = 0; i < pchr_warning_count(loaded); ++i) {
    if (pchr_warning(loaded, i, &error)) warnings.add(error);
  }
  pchr_character_info info{};
  pchr_get_info(loaded, &info);
  const Ref<PchrCharacter> made(create<PchrCharacter>());
  const std::string rig_path = made->rig_path = rig_path_of(name);
  Converted converted;
  if (file_exists(nullptr, String(rig_path))) {
    PackedByteArray file = get_file_as_bytes(nullptr, String(rig_path));
    const auto elements = file.elements();
    converted.rig.assign(reinterpret_cast<const char*>(elements.data()), elements.size());
  }
  made->pixel_art = info.pixel_art;
  if (std::string_view(info.format) == "PCHR v1") made->set_data(get_file_as_bytes(nullptr, path));
  if (!have_same_bind_pose(made->character, loaded)) {
    const pchr_file_system files{read_text, nullptr, &converted.rig};
    pchr_rig* const rig =
        converted.rig.empty() ? pchr_rig_create(loaded) : pchr_rig_load(loaded, rig_path.c_str(), &files, &error);
    if (rig == nullptr) report_error(moved(describe(error, name), real_folder, folder));
    converted = as_v1(loaded, rig, name, warnings);
    pchr_rig_free(rig);
    made->set_data(converted.data);
  }
  pchr_character_free(loaded);
  if (made->character == nullptr) return {};
  for (const auto& [first, others] : warnings.kinds) {
    made->warnings.push_back(moved(describe(first, name, others), real_folder, folder));
  }
  made->set_rig(String(converted.rig));
  made->rig();  // Reports what is wrong with it.
  for (std::string& file : read) file = moved(std::move(file), real_folder, folder);
  read.push_back(rig_path);
  std::ranges::sort(read);
  read.erase(std::ranges::unique(read).begin(), read.end());
  made->sources = std::move(read);
  return made;
}

void PchrCharacter::change() {
  ++version;
  emit_changed(object);
  redraw_users();
}

void PchrCharacter::redraw_users() {
  users.each([](PchrSprite2D& sprite) { sprite.redraw(); });
  crowds.each([](PchrCrowd2D& crowd) { crowd.change(); });
}

void PchrCharacter::replace(pchr_character* loaded) {
  pchr_rig_free(loaded_rig);
  loaded_rig = nullptr;
  rig_is_loaded = false;
  pchr_hit_images_free(opaque);
  opaque = nullptr;
  pchr_character_free(character);
  character = loaded;
  images.clear();
  image_rids.clear();
  has_reach = false;
  warnings.clear();
  change();
}

void PchrCharacter::set_data(const PackedByteArray& bytes) {
  data = bytes;
  const auto elements = bytes.elements();
  pchr_error error{};
  pchr_character* const loaded =
      elements.empty() ? nullptr : pchr_load_memory(elements.data(), elements.size(), nullptr, &error);
  if (loaded == nullptr && !elements.empty()) report_error(describe(error));
  replace(loaded);
}

void PchrCharacter::set_rig(const String& text) {
  rig_text = text;
  pchr_rig_free(loaded_rig);
  loaded_rig = nullptr;
  rig_is_loaded = false;
  change();
}

void PchrCharacter::set_pixel_art(bool value) {
  pixel_art = value;
  redraw_users();
}

const pchr_rig* PchrCharacter::rig() {
  if (rig_is_loaded || character == nullptr) return loaded_rig;
  const std::scoped_lock lock(lazy);
  if (rig_is_loaded) return loaded_rig;
  std::string text = rig_text.utf8();
  if (!text.empty()) {
    const pchr_file_system files{read_text, nullptr, &text};
    const std::string own = get_path(object).utf8();
    const std::string name = rig_path.empty() ? rig_path_of(own.empty() ? "character" : own) : rig_path;
    pchr_error error{};
    loaded_rig = pchr_rig_load(character, name.c_str(), &files, &error);
    if (loaded_rig == nullptr) report_error(describe(error));
  }
  rig_is_loaded = true;
  return loaded_rig;
}

const pchr_hit_images* PchrCharacter::hit_images() {
  const std::scoped_lock lock(lazy);
  pchr_error error{};
  if (opaque == nullptr && character != nullptr) {
    opaque = pchr_hit_images_create(character, nullptr, &error);
    if (opaque == nullptr) report_error(describe(error));
  }
  return opaque;
}

PackedStringArray PchrCharacter::get_clips() const {
  return strings(pchr_clip_count(character), [&](std::uint32_t i) {
    pchr_clip clip{};
    pchr_get_clip(character, i, &clip);
    return clip.name;
  });
}

PackedStringArray PchrCharacter::get_bones() const {
  return strings(pchr_bone_count(character), [&](std::uint32_t i) { return pchr_bone_name(character, i); });
}

PackedStringArray PchrCharacter::get_meshes() const {
  return strings(pchr_mesh_count(character), [&](std::uint32_t i) {
    pchr_mesh mesh{};
    pchr_get_mesh(character, i, &mesh);
    return mesh.name;
  });
}

PackedStringArray PchrCharacter::get_warnings() const {
  return strings(static_cast<std::uint32_t>(warnings.size()),
                 [&](std::uint32_t i) -> const std::string& { return warnings[i]; });
}

PackedStringArray PchrCharacter::get_files() const {
  return strings(static_cast<std::uint32_t>(sources.size()),
                 [&](std::uint32_t i) -> const std::string& { return sources[i]; });
}

std::string PchrCharacter::first_clip() const {
  pchr_character_info info{};
  pchr_clip clip{};
  pchr_get_info(character, &info);
  if (!pchr_get_clip(character, 0, &clip)) return {};
  const bool is_only_bind_pose = info.bind_clip == 0 && !info.bind_guessed && clip.frame_count == 1;
  if (is_only_bind_pose) pchr_get_clip(character, 1, &clip);
  return clip.name;
}

std::int64_t PchrCharacter::clip_frames(const String& name) const {
  pchr_clip clip{};
  pchr_get_clip(character, pchr_find_clip(character, name.utf8().c_str()), &clip);
  return clip.frame_count;
}

double PchrCharacter::clip_seconds(const String& name) const {
  pchr_clip clip{};
  pchr_get_clip(character, pchr_find_clip(character, name.utf8().c_str()), &clip);
  return clip.duration_seconds;
}

Rect2 PchrCharacter::get_bounds(const String& name) const {
  const std::string clip = name.utf8();
  pchr_rect rect{1, 1, 0, 0};
  if (clip.empty())
    pchr_character_bounds(character, nullptr, &rect);
  else
    pchr_clip_bounds(character, pchr_find_clip(character, clip.c_str()), nullptr, &rect);
  return rect_of(rect);
}

const Rect2& PchrCharacter::reach() {
  const std::scoped_lock lock(lazy);
  if (!has_reach) bounds = get_bounds({});
  has_reach = true;
  return bounds;
}

std::span<const Rid> PchrCharacter::textures() {
  const std::scoped_lock lock(lazy);
  if (!images.empty()) return image_rids;
  for (std::uint32_t i = 0; i < pchr_image_count(character); ++i) {
    pchr_image image{};
    pchr_get_image(character, i, &image);
    PackedByteArray pixels;
    pixels.resize(std::size_t{image.width} * image.height * 4);
    const auto elements = pixels.elements();
    pchr_error error{};
    if (!pchr_decode_image(character, i, elements.data(), elements.size(), &error)) report_error(describe(error));
    const Reference made = make_image(image.width, image.height, pixels);
    generate_mipmaps(made.object(), false);
    images.push_back(create_texture(nullptr, made));
    image_rids.push_back(get_rid(images.back().object()));
  }
  return image_rids;
}

TextureReference PchrCharacter::get_texture(std::int64_t image) {
  textures();
  if (image < 0 || image >= static_cast<std::int64_t>(images.size())) return {};
  return images[static_cast<std::size_t>(image)];
}

void register_character() {
  using P = PchrCharacter;
  Class<P>("Resource")
      .method<&P::open>("open", {"path", "options"}, {Dictionary()})
      .method<&P::get_clips>("get_clips")
      .method<&P::get_bones>("get_bones")
      .method<&P::get_meshes>("get_meshes")
      .method<&P::get_warnings>("get_warnings")
      .method<&P::get_files>("get_files")
      .method<&P::clip_frames>("clip_frames", {"clip"})
      .method<&P::clip_seconds>("clip_seconds", {"clip"})
      .method<&P::get_bounds>("get_bounds", {"clip"}, {String()})
      .method<&P::get_texture>("get_texture", {"image"})
      .method<&P::render>("render", {"clip", "frame", "width", "height"})
      .property_of<&P::is_pixel_art, &P::set_pixel_art>("pixel_art")
      .property_of<&P::get_data, &P::set_data>("data", kNoHint, "", kStored)
      .property_of<&P::get_rig, &P::set_rig>("rig", kMultilineText, "", kStored);
}
