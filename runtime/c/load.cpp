// SPDX-License-Identifier: MIT
// The C interface: loading and saving.
#include "c/c.hpp"

#include "platform/files.hpp"
#include "platform/output_file.hpp"

#ifdef PCHR_WITH_IMPORT
#include <pchr/import/save.hpp>
#endif

struct pchr_saved {
#ifdef PCHR_WITH_IMPORT
  pchr::Saved files;
  std::string stem;  ///< Names the file in messages.
#endif
};

namespace pchr::c {

Expected<std::vector<std::byte>, std::string> read_through(const pchr_file_system& files, const std::string& path) {
  pchr_file file{};
  const bool found = files.read(files.user, path.c_str(), &file);
  Expected<std::vector<std::byte>, std::string> result =
      Unexpected(std::string(file.error != nullptr ? file.error : "it cannot be read"));
  if (found) {
    const auto* const bytes = static_cast<const std::byte*>(file.bytes);
    result = std::vector<std::byte>(bytes, bytes + file.size);
  }
  if (files.close != nullptr) files.close(files.user, &file);
  return result;
}

Executor executor_of(const pchr_executor* given) noexcept {
  if (given == nullptr) return {};
  return {given->parallel_for, given->user, std::max(given->threads, 1U)};
}

namespace {

#ifdef PCHR_WITH_IMPORT
using Options = ImportOptions;

template <class Source>
Expected<Loaded, LoadError> read_character(const Source& source, const Options& options) {
  return import_character(source, options);
}

std::vector<std::string> strings_of(const pchr_names& names) {
  return names.count == 0 ? std::vector<std::string>{}
                          : std::vector<std::string>(names.names, names.names + names.count);
}

void add_import_options(const pchr_load_options& given, Options& options) {
  options.executor = executor_of(given.executor);
  if (given.image_folder != nullptr) options.image_folder = given.image_folder;
  options.allow_images_outside = given.allow_images_outside;
  options.follow_links = given.follow_links;
  options.second_player = given.second_player;
  options.black_color_key = given.black_color_key;
  options.also_find_animations = given.also_find_animations;
  if (given.text_encoding != nullptr) options.text_encoding = given.text_encoding;
  if (given.layers == PCHR_ARTWORK_ALL) options.layers.which = LayerChoice::Which::all;
  if (given.layers == PCHR_ARTWORK_NAMED) options.layers.which = LayerChoice::Which::named;
  options.layers.names = strings_of(given.layer_names);
  for (std::uint32_t i = 0; i < given.layer_override_count; ++i) {
    options.layers.overrides.push_back({given.layer_overrides[i].layer, given.layer_overrides[i].drawn});
  }
  options.animations = strings_of(given.animations);
  options.texture_folders = strings_of(given.texture_folders);
}
#else
using Options = LoadOptions;

template <class Source>
Expected<Loaded, LoadError> read_character(const Source& source, const Options& options) {
  auto character = load(source, options);
  if (!character) return Unexpected(std::move(character.error()));
  return Loaded{std::move(*character)};
}
#endif

BindPose bind_of(const pchr_load_options& options) {
  if (options.bind == PCHR_BIND_CLIP) {
    return ClipBindPose{options.bind_clip != nullptr ? options.bind_clip : "", options.bind_frame};
  }
  if (options.bind == PCHR_BIND_IDENTITY) return IdentityBindPose{};
  return AutomaticBindPose{};
}

template <class Source>
pchr_character* load_from(const Source& source, std::string_view file_name, const pchr_load_options* options_given,
                          pchr_error* error) {
  const std::optional<pchr_load_options> given = read(options_given);
  if (!given) return set_error(error, "", "the struct_size of the options is too small"), nullptr;
  Options options;
  if (given->max_file_bytes != 0) options.limits.max_file_bytes = given->max_file_bytes;
  if (given->max_image_pixels != 0) options.limits.max_image_pixels = given->max_image_pixels;
  if (given->max_bone_samples != 0) options.limits.max_bone_samples = given->max_bone_samples;
  options.bind_pose = bind_of(*given);
  const auto read_file = [&](const std::string& path) { return read_through(*given->file_system, path); };
  if (given->file_system != nullptr && given->file_system->read != nullptr) options.read_file = read_file;
#ifdef PCHR_WITH_IMPORT
  add_import_options(*given, options);
  const auto before_reading = [&](const std::string& path) {
    given->before_reading(given->before_reading_user, path.c_str());
  };
  if (given->before_reading != nullptr) options.before_reading = before_reading;
#endif
  Expected<Loaded, LoadError> loaded = read_character(source, options);
#ifdef PCHR_WITH_IMPORT
  if (loaded && loaded->rig_error) return set_error(error, *loaded->rig_error, loaded->rig_file), nullptr;
#endif
  if (loaded) return new pchr_character{std::move(*loaded), options.limits};
  set_error(error, loaded.error(), file_name);
  return nullptr;
}

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

pchr_executor pchr_thread_executor(uint32_t threads) {
  const pchr::Executor executor = pchr::thread_executor(threads);
  return {executor.parallel_for, executor.user, executor.threads};
}

pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error) {
  return try_call(error, [&] { return load_from(std::string(path), path, options, error); }, path);
}

pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options, pchr_error* error) {
  const std::span source(static_cast<const std::byte*>(bytes), bytes != nullptr ? size : 0);
  return try_call(error, [&] { return load_from(source, "memory", options, error); });
}

#ifdef PCHR_WITH_IMPORT

pchr_saved* pchr_save(const pchr_character* handle, pchr_format format, const char* stem,
                      const pchr_save_options* options, pchr_error* error) {
  const auto save = [&]() -> pchr_saved* {
    const std::optional<pchr_save_options> given = read(options);
    if (!given) return set_error(error, "", "the struct_size of the options is too small"), nullptr;
    constexpr pchr::Format kFormats[] = {pchr::Format::v1, pchr::Format::json, pchr::Format::packed};
    if (static_cast<unsigned>(format) >= std::size(kFormats)) {
      return set_error(error, "", "there is no such format"), nullptr;
    }
    pchr::SaveOptions saving;
    if (given->dialect == PCHR_JSON_V1) saving.json_dialect = pchr::JsonDialect::v1;
    if (given->dialect == PCHR_JSON_PACHARIO) saving.json_dialect = pchr::JsonDialect::pachario;
    saving.raw_pixels = given->raw_pixels;
    saving.lossy = given->lossy;
    saving.limits = handle->limits;
    if (given->max_output_bytes != 0) saving.max_output_bytes = given->max_output_bytes;
    auto saved = pchr::save(*handle, kFormats[format], stem, saving);
    if (saved) return new pchr_saved{std::move(*saved), stem};
    return set_error(error, saved.error(), stem), nullptr;
  };
  return try_call(error, save, handle, stem);
}

uint32_t pchr_saved_file_count(const pchr_saved* saved) {
  return call([&] { return count_of(saved->files.images) + 1; }, saved);
}

bool pchr_get_saved_file(const pchr_saved* saved, uint32_t file, pchr_saved_file* out) {
  return call(
      [&] {
        if (file > saved->files.images.size()) return false;
        const pchr::SavedFile& found = file == 0 ? saved->files.file : saved->files.images[file - 1];
        *out = {found.name.c_str(), found.bytes.data(), found.bytes.size()};
        return true;
      },
      saved, out);
}

uint32_t pchr_saved_loss_count(const pchr_saved* saved) {
  return call([&] { return count_of(saved->files.losses); }, saved);
}

bool pchr_saved_loss(const pchr_saved* saved, uint32_t loss, pchr_error* out) {
  return call(
      [&] {
        if (loss >= saved->files.losses.size()) return false;
        set_error(out, saved->files.losses[loss], saved->stem);
        return true;
      },
      saved, out);
}

#else

pchr_saved* pchr_save(const pchr_character*, pchr_format, const char*, const pchr_save_options*, pchr_error* error) {
  return set_error(error, "", "this library was built without importers, which saving requires"), nullptr;
}

uint32_t pchr_saved_file_count(const pchr_saved*) { return 0; }
bool pchr_get_saved_file(const pchr_saved*, uint32_t, pchr_saved_file*) { return false; }
uint32_t pchr_saved_loss_count(const pchr_saved*) { return 0; }
bool pchr_saved_loss(const pchr_saved*, uint32_t, pchr_error*) { return false; }

#endif

bool pchr_saved_write(const pchr_saved* saved, const char* folder, pchr_error* error) {
  const auto write_all = [&] {
    std::vector<std::string> paths;
    const auto fail = [&](const std::string& path, const std::error_code& failed) {
      return set_error(error, "", path + " cannot be written: " + pchr::error_text(failed)), false;
    };
    pchr_saved_file file{};
    for (uint32_t i = 0; pchr_get_saved_file(saved, i, &file); ++i) {
      const std::string& path = paths.emplace_back(std::string(folder) + '/' + file.name);
      std::error_code failed;
      pchr::File stream = pchr::open_file(path, "wb", failed);
      if (!failed && std::fwrite(file.bytes, 1, file.size, stream.get()) != file.size)
        failed = pchr::last_stream_error();
      if (!failed) failed = pchr::close_file(std::move(stream));
      if (failed) return fail(path, failed);
    }
    std::size_t number = 0;
    const std::error_code failed = pchr::sync_files(paths, number);
    return failed ? fail(paths[number], failed) : true;
  };
  return try_call(error, write_all, saved, folder);
}

void pchr_saved_free(pchr_saved* saved) { delete saved; }
