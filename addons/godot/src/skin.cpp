#include "classes.hpp"

#include <algorithm>

using namespace godot;

namespace {

const Method<void()> emit_changed{"Resource", "emit_changed", 3218959716};
const Method<Rid()> get_rid{"Resource", "get_rid", 2944877500};
const Method<Reference()> get_image{"Texture2D", "get_image", 4190603485};
const Method<Reference(std::int64_t, std::int64_t, bool, std::int64_t)> create_empty{"Image", "create_empty",
                                                                                     986942177};
const Method<void(Reference)> copy_from{"Image", "copy_from", 532598488};
const Method<bool(String)> is_class{"Object", "is_class", 3927539163};
const Method<bool()> is_compressed{"Image", "is_compressed", 36873697};
const Method<std::int64_t()> decompress{"Image", "decompress", 166280745};
const Method<void(std::int64_t)> convert{"Image", "convert", 2120693146};
const Method<void()> premultiply_alpha{"Image", "premultiply_alpha", 3218959716};
const Method<std::int64_t(bool)> generate_mipmaps{"Image", "generate_mipmaps", 1633102583};
const Method<std::int64_t()> get_width{"Image", "get_width", 3905245786};
const Method<std::int64_t()> get_height{"Image", "get_height", 3905245786};
const Method<PackedByteArray()> get_image_data{"Image", "get_data", 2362200018};
const Method<Reference(Reference)> create_texture{"ImageTexture", "create_from_image", 2775144163};

constexpr std::int64_t kRgba8 = 5;

/// Returns the index of a mesh, or reports which meshes there are.
std::uint32_t find_mesh(const PchrCharacter& character, const char* property, const std::string& name) {
  const std::uint32_t mesh = pchr_find_mesh(character.character, name.c_str());
  if (mesh == PCHR_NONE) {
    report_error(std::string("PchrSkin.") + property + ": the character has no mesh \"" + name + "\", only " +
                 join(character.get_meshes()));
  }
  return mesh;
}

/// Adds a texture, premultiplied by alpha, and returns its index for parts.
std::uint32_t add_texture(PchrSkin::Fitted& made, const Reference& texture) {
  const bool is_texture = texture && is_class(texture.object(), "Texture2D");
  const Reference original = is_texture ? get_image(texture.object()) : Reference();
  if (!original) {
    report_error(std::string("PchrSkin.textures: a texture ") +
                 (texture && !is_texture ? "is no Texture2D" : "is empty"));
    return PCHR_NONE;
  }
  const Reference image = create_empty(nullptr, 1, 1, false, kRgba8);
  copy_from(image.object(), original);
  if (is_compressed(image.object())) decompress(image.object());
  convert(image.object(), kRgba8);
  premultiply_alpha(image.object());
  const PackedByteArray pixels = get_image_data(image.object());
  const std::uint32_t index = pchr_skin_add_image(made.skin.get(), pixels.elements().data(),
                                                  static_cast<std::uint32_t>(get_width(image.object())),
                                                  static_cast<std::uint32_t>(get_height(image.object())));
  generate_mipmaps(image.object(), false);
  made.textures.push_back(create_texture(nullptr, image));
  made.texture_rids.push_back(get_rid(made.textures.back().object()));
  return index;
}

}  // namespace

void PchrSkin::change() {
  fitted.clear();
  emit_changed(object);
  users.each([](PchrSprite2D& sprite) { sprite.redraw(); });
}

void PchrSkin::set_hidden_meshes(const PackedStringArray& meshes) {
  hidden_meshes = meshes;
  change();
}

void PchrSkin::set_tints(const Dictionary& meshes) {
  tints = meshes.read_only();
  change();
}

void PchrSkin::set_textures(const Dictionary& meshes) {
  textures = meshes.read_only();
  change();
}

const PchrSkin::Fitted& PchrSkin::of(PchrCharacter& character) {
  const auto known =
      std::ranges::find_if(fitted, [&](const Fitted& each) { return each.character.get() == &character; });
  if (known != fitted.end() && known->version == character.version) return *known;
  std::erase_if(fitted, [&](const Fitted& each) {
    bool is_used = false;
    users.each([&](PchrSprite2D& sprite) { is_used |= sprite.character.get() == each.character.get(); });
    return !is_used || each.character.get() == &character;
  });
  Fitted& made = fitted.emplace_back(Ref<PchrCharacter>(&character), character.version);
  made.skin.reset(pchr_skin_create(character.character, "skin"));
  const auto change_part = [&](const char* property, const Variant& name, auto&& change) {
    const std::uint32_t mesh = find_mesh(character, property, name.to<String>().utf8());
    pchr_skin_part part;
    pchr_skin_part_init(&part, sizeof part);
    if (!pchr_skin_get_part(made.skin.get(), mesh, &part)) return;
    change(part);
    pchr_skin_set_part(made.skin.get(), mesh, &part);
  };
  for (const String& name : std::as_const(hidden_meshes).elements()) {
    change_part("hidden_meshes", name, [](pchr_skin_part& part) { part.visible = false; });
  }
  Array names = tints.keys();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto color = tints.get(names[i]).to<Color>();
    change_part("tints", names[i], [&](pchr_skin_part& part) { std::memcpy(part.tint, &color, sizeof part.tint); });
  }
  names = textures.keys();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto texture = textures.get(names[i]).to<Reference>();
    change_part("textures", names[i], [&](pchr_skin_part& part) { part.image = add_texture(made, texture); });
  }
  return made;
}

void register_skin() {
  using P = PchrSkin;
  Class<P>("Resource")
      .property_of<&P::get_hidden_meshes, &P::set_hidden_meshes>("hidden_meshes")
      .property_of<&P::get_tints, &P::set_tints>("tints", kDictionaryType, "4:;20:")
      .property_of<&P::get_textures, &P::set_textures>("textures", kDictionaryType, "4:;24/17:Texture2D");
}
