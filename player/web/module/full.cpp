// SPDX-License-Identifier: MIT
// What only the module that reads all formats does: it opens them, changes bind poses, and saves images and animations.
#include "module.hpp"

#include "character/format.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/image.hpp>
#include <pchr/import/import.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pchr::web {
namespace {

/// The added files by the paths that readers ask for.
using Contents = std::map<std::string, std::span<const std::byte>, std::less<>>;

/// Returns the names of the files and folders in a folder; those of folders end with a slash.
std::vector<std::string> names_below(const Contents& contents, const std::string& folder) {
  const std::string start = folder.empty() ? "" : folder + "/";
  std::set<std::string> names;
  for (const auto& [path, bytes] : contents) {
    if (!path.starts_with(start)) continue;
    const std::string_view rest = std::string_view(path).substr(start.size());
    const std::size_t slash = rest.find('/');
    names.emplace(rest.substr(0, slash == std::string_view::npos ? slash : slash + 1));
  }
  return {names.begin(), names.end()};
}

/// Files in a folder that were chosen without their folders have other paths than the character names. Returns the only
/// file with the same name, or nothing.
std::optional<std::span<const std::byte>> find_by_name(const Files& files, std::string_view path) {
  const File* found = nullptr;
  for (const File& file : files) {
    if (lower(file_name_of(file.path)) != lower(file_name_of(path))) continue;
    if (found != nullptr) return std::nullopt;
    found = &file;
  }
  return found != nullptr ? std::optional(found->contents()) : std::nullopt;
}

/// Imports the character. Returns the paths of files that it asked for in vain.
std::vector<std::string> import(const std::string& path, const Contents& contents, const ReadFile& read,
                                ImportOptions options, Expected<Imported, LoadError>& result) {
  std::vector<std::string> missing;
  const auto announce = [&](const std::string& asked) {
    std::string normal = normal_path(asked);
    // A name that differs only in case is found by the importer. Animations are listed, and work without their
    // settings, as characters do without a rig.
    const auto is_there = [&](const auto& file) { return lower(file.first) == lower(normal); };
    if (std::ranges::any_of(contents, is_there) || extension_of(normal) == ".config" || normal == rig_path(path))
      return;
    if (std::ranges::find(missing, normal) == missing.end()) missing.push_back(std::move(normal));
  };
  const auto list = [&](const std::string& folder) { return names_below(contents, folder); };
  options.before_reading = announce;
  options.read_file = read;
  options.list_folder = list;
  result = import_character(path, options);
  return missing;
}

/// Adds a diagnostic for each image that cannot be decoded.
void check_images(const Character& character, const Limits& limits, std::vector<Diagnostic>& diagnostics) {
  for (const ImageId id : character.images().ids()) {
    auto bitmap = decode(character.images()[id], limits);
    if (bitmap) continue;
    Diagnostic& diagnostic = diagnostics.emplace_back(std::move(bitmap.error()));
    diagnostic.path = "images[" + std::to_string(index(id)) + "].data";
    diagnostic.name = character.images()[id].name;
    diagnostic.byte_offset.reset();  // It is relative to the start of the image.
  }
}

/// Reads the file next to a character. Without one, the character has the markers of its own.
void read_sidecar(const std::string& path, const Contents& contents, const ReadFile& read, Imported& imported,
                  Opened& opened) {
  opened.markers = std::move(imported.markers);
  for (const std::string& beside : {rig_path(path), markers_path(path)}) {
    if (!contents.contains(beside)) continue;
    auto sidecar = load_rig(beside, opened.character, read);
    if (!sidecar) {
      opened.diagnostics.push_back(std::move(sidecar.error()));
      continue;
    }
    opened.markers = std::move(sidecar->markers);
    opened.rig = std::make_shared<Rig>(std::move(sidecar->rig));
    for (Diagnostic& error : sidecar->state_errors) opened.diagnostics.push_back(std::move(error));
    if (sidecar->states.empty()) return;
    auto graph = make_state_graph(sidecar->states, opened.character, sidecar->masks, opened.markers);
    if (graph) opened.graph = *std::move(graph);
    return;
  }
}

}  // namespace

Expected<Opened, LoadError> open_character(const File& file, const Files& files, const Options& options,
                                           std::vector<std::string>& missing) {
  const std::string path = normal_path(file.path);
  Contents contents;
  for (const File& each : files) contents[normal_path(each.path)] = each.contents();
  const auto read = [&](const std::string& asked) -> Expected<std::vector<std::byte>, std::string> {
    const auto found = contents.find(asked);
    if (found == contents.end()) return Unexpected("it was not chosen");
    return std::vector(found->second.begin(), found->second.end());
  };
  Expected<Imported, LoadError> imported = Unexpected(LoadError{});
  missing = import(path, contents, read, options, imported);
  const std::size_t before = contents.size();
  for (const std::string& each : missing) {
    if (const auto found = find_by_name(files, each)) contents[each] = *found;
  }
  if (contents.size() != before) missing = import(path, contents, read, options, imported);
  if (!imported) return Unexpected(std::move(imported.error()));

  const Character& character = imported->character;
  Opened opened{character, imported->format, imported->title, imported->author};
  std::vector<Diagnostic>& diagnostics = opened.diagnostics;
  diagnostics.assign(character.warnings().begin(), character.warnings().end());
  check_images(character, options.limits, diagnostics);
  for (Diagnostic& diagnostic : validate(*imported)) diagnostics.push_back(std::move(diagnostic));
  opened.menu_images = imported->menu_images;
  read_sidecar(path, contents, read, *imported, opened);
  return opened;
}

namespace {

/// Returns whether a diagnostic depends on the bind pose.
bool is_about_bind_pose(const Diagnostic& diagnostic) {
  constexpr std::array<std::string_view, 3> kCodes{"W206", "W211", "W212"};
  return std::ranges::find(kCodes, code(diagnostic.id)) != kCodes.end();
}

web_character* with_bind_pose(const std::shared_ptr<Opened>& given, const BindPose& bind) {
  const std::shared_ptr<const Opened> as_opened = given->as_opened ? given->as_opened : given;
  Opened changed = *as_opened;
  if (bind != BindPose()) {
    auto character = Character::build(changed.character.data(), bind);
    if (!character) {
      set_text(describe_failure(character.error(), {}));
      return nullptr;
    }
    changed.character = *std::move(character);
    std::erase_if(changed.diagnostics, is_about_bind_pose);
    std::ranges::copy_if(changed.character.warnings(), std::back_inserter(changed.diagnostics), is_about_bind_pose);
    changed.as_opened = as_opened;
  }
  return share(std::move(changed));
}

std::optional<ExportJob> job;
std::vector<std::byte> saved;
const auto keep = [](const std::string& /*path*/, std::span<const std::byte> bytes, bool /*last*/) {
  saved.insert(saved.end(), bytes.begin(), bytes.end());
  return ExportResult<void>();
};

/// Plans a frame or, if it is -1, all frames of a clip. Browsers have no larger canvases.
ExportResult<ExportPlan> plan(const Character& character, std::int32_t clip, std::int32_t frame, double scale,
                              std::uint32_t loop) {
  constexpr std::uint32_t kMaxSide = 8192, kMaxPixels = 64U << 20;
  if (!(scale > 0)) return Unexpected(ExportError{{}, "The scale must be above 0."});
  const auto bounds = [&](ClipId id, ClipTime /*time*/) {
    return id == ClipId::none ? compute_character_bounds(character) : compute_clip_bounds(character, id);
  };
  const auto wanted = static_cast<ClipId>(clip);
  ExportRequest request;
  request.clips = {character.clips().contains(wanted) ? wanted : ClipId::none};
  if (frame >= 0) request.still = ClipTime{static_cast<std::uint32_t>(frame), static_cast<std::uint32_t>(frame), 0};
  if (loop != 2) request.plays = loop == 0 ? 1 : 0;
  request.framing.scale = static_cast<float>(scale);
  request.framing.margin = 0;
  request.bounds = bounds;
  auto plans = plan_export(character, request);
  if (!plans) return Unexpected(plans.error());
  const auto [width, height] = plans->front().size;
  if (width > kMaxSide || height > kMaxSide || width * height > kMaxPixels) {
    return Unexpected(
        ExportError{{},
                    format_text("An image of {} × {} pixels is too large: at most {} per side and 64 million in all.",
                                width, height, kMaxSide)});
  }
  return std::move(plans->front());
}

std::uint32_t describe(const ExportResult<ExportPlan>& plan) {
  set_text(plan ? describe_size(plan->size.width, plan->size.height) : describe_error(plan.error().message));
  return plan ? 1 : 0;
}

}  // namespace
}  // namespace pchr::web

using namespace pchr;

web_character* web_with_bind_pose(const char* pose, std::uint32_t length, const web_character* character) {
  return web::with_bind_pose(character->opened, parse_bind_pose({pose, length}));
}

std::uint32_t web_image_size(const web_character* character, std::int32_t clip, double scale) {
  return web::describe(web::plan(character->opened->character, clip, 0, scale, 2));
}

std::uint32_t web_save(Renderer* renderer, Model* model, std::int32_t clip, std::int32_t frame, std::uint32_t format,
                       double scale, std::uint32_t loop, std::uint32_t filter, float red, float green, float blue,
                       float alpha) {
  web_save_end();
  const auto plan = web::plan(model->character(), clip, frame, scale, loop);
  if (!plan) return web::describe(plan);
  ExportedAnimation animation = make_animation(*plan);
  animation.paths = {"saved"};
  constexpr AnimationFormat kFormats[] = {AnimationFormat::png, AnimationFormat::apng, AnimationFormat::gif,
                                          AnimationFormat::webp};
  ExportJobOptions options;
  options.encoder.format = kFormats[std::min(format, 3U)];
  options.encoder.png_compression = PngCompression::normal;
  options.background = {red, green, blue, alpha};
  options.write = web::keep;
  model->set_filter(web::chosen_filter(filter, model->character()));
  auto created = ExportJob::create(*renderer, *model, {std::move(animation)}, std::move(options));
  if (!created) return web::describe(Unexpected(created.error()));
  web::job = *std::move(created);
  return web::describe(plan);
}

double web_save_more() {
  const auto step = web::job->step();
  if (!step) {
    web::set_text(web::describe_error(step.error().message));
    return -1;
  }
  if (*step == ExportJob::Step::finished) return 1;
  // The last frame is not the end.
  return 0.99 * static_cast<double>(web::job->done()) / static_cast<double>(web::job->total());
}

const std::byte* web_saved() { return web::saved.data(); }
std::uint32_t web_saved_bytes() { return static_cast<std::uint32_t>(web::saved.size()); }

void web_save_end() {
  web::job.reset();
  web::saved = {};
}

// ExportJobOptions::write replaces the disk.
namespace pchr {
struct OutputFiles::State {};
OutputFiles::OutputFiles(InputFiles /*inputs*/, bool /*follow_links*/)
    : state_(nullptr, [](State* owned) { delete owned; }) {}
ExportResult<void> OutputFiles::write(const std::string& /*path*/, std::span<const std::byte> /*bytes*/,
                                      bool /*last*/) {
  return {};
}
ExportResult<void> OutputFiles::check(const std::string& /*path*/) const { return {}; }
bool OutputFiles::can_rewrite(const std::string& /*path*/) const { return false; }
ExportResult<void> OutputFiles::rewrite_start(std::span<const std::byte> /*bytes*/) { return {}; }
ExportResult<void> OutputFiles::publish(Existing /*existing*/) { return {}; }
std::uint64_t OutputFiles::bytes() const noexcept { return 0; }
}  // namespace pchr
