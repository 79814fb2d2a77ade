// SPDX-License-Identifier: MIT
#include "ui/export_dialog.hpp"

#include "platform/process.hpp"
#include "platform/utf8_path.hpp"
#include "ui/app.hpp"

#include <cmath>
#include <thread>

namespace pchr::player {
namespace {

constexpr double kUsualRate = 30;

double start_of(const FramePlan& plan, std::uint32_t frame) { return frame == 0 ? 0 : plan.frame_ends[frame - 1]; }
double duration_of(const FramePlan& plan, std::uint32_t frame) {
  return plan.frame_ends[frame] - start_of(plan, frame);
}

Box box_of_posed(const Character& character, const PoseBuffers& posed) {
  if (character.is_3d()) return box_of(character, posed);
  const Rect rect = bounds(character, posed);
  return rect.empty() ? Box() : Box{{rect.min, 0.0F}, {rect.max, 0.0F}};
}

Rect front_of(const Box& box) { return box.empty() ? Rect() : Rect{Vec2(box.min), Vec2(box.max)}; }

void include(Box& all, const Box& box, Vec3 offset = Vec3{0.0F}) {
  if (box.empty()) return;
  all.include(box.min + offset);
  all.include(box.max + offset);
}

/// Returns the time at which a plan starts in its clip.
double first_second(const Character& character, const FramePlan& plan) {
  if (plan.clip == ClipId::none) return 0;
  const Clip& clip = character.clips()[plan.clip];
  const std::uint32_t first = plan.times.front().frame;
  if (first == 0 || !(clip.frames_per_second > 0)) return 0;
  return clip.frame_ends.empty() ? first / clip.frames_per_second : clip.frame_ends[first - 1];
}

/// Returns the scene that is shown, with or without the rig.
ExportScene export_scene(const App& app, bool with_rig) {
  const Document& document = *app.document();
  ExportScene scene{.markers = document.markers, .sampling = app.playback.settings.sampling};
  if (const Mix* mix = app.playback.mix()) scene.mix = {mix->from, mix->to, mix->fade_seconds, mix->layers};
  if (with_rig && moves_with_rig(app)) {
    scene.rig = document.rig.rig;
    scene.travel = app.find(Role::open)->motion.travel;
  }
  if (!lining_up(app)) return scene;
  for (const Actor& member : app.members()) {
    const Document& other = member.document;
    scene.members.push_back({.character = other.character(),
                             .own_clip = member.own_clip,
                             .place = member.place,
                             .rotation = rotation_of(app.view, other.character(), other.pivot),
                             .hidden = other.selection.hidden,
                             .filter = filter_of(app.view, other.character()),
                             .limits = other.source.options.limits});
  }
  return scene;
}

/// Returns the seconds of a mix from its start until the fade has ended and the second clip has played to its end.
double mix_seconds(const Character& character, const MixRecipe& mix) {
  const Clip& to = character.clips()[mix.to];
  const double duration = to.duration_seconds();
  if (!to.looping || !(duration > 0)) return Mix::kLeadSeconds + std::max(mix.fade_seconds, duration);
  return Mix::kLeadSeconds + duration * std::max(std::ceil(mix.fade_seconds / duration), 1.0);
}

/// Plans the frames of a mix, by number, at `rate` per second or else at the second clip's.
FramePlan plan_mix(const Character& character, const MixRecipe& mix, std::optional<double> rate) {
  const double own = character.clips()[mix.to].frames_per_second;
  const double frames_per_second = rate.value_or(own > 0 ? own : kUsualRate);
  const auto count =
      static_cast<std::uint32_t>(std::max(std::round(mix_seconds(character, mix) * frames_per_second), 1.0));
  FramePlan plan;
  for (std::uint32_t frame = 0; frame < count; ++frame) {
    plan.times.push_back({frame, frame, 0});
    plan.frame_ends.push_back((frame + 1) / frames_per_second);
  }
  return plan;
}

/// Returns the name of what is exported: a clip, or the clips of a mix.
std::string exported_name(const Character& character, const SceneRequest& request) {
  const auto clips = character.clips();
  if (const auto& mix = request.scene.mix) return fmt::format("{}_to_{}", clips[mix->from].name, clips[mix->to].name);
  return request.clip ? clips[*request.clip].name : std::string();
}

/// Accesses a member of ExportOptions. `member` is a lambda, so that the member can be one of the sheet.
template <auto member>
constexpr ExportSetting::Value value_of{
    .get = [](const ExportOptions& options) { return static_cast<int>(member(options)); },
    .set = [](ExportOptions& options,
              int value) { member(options) = static_cast<std::remove_reference_t<decltype(member(options))>>(value); }};

#define PCHR_MEMBER(member) value_of<[](auto& options) -> auto& { return options.member; }>

constexpr ExportChoice kClips[] = {{"one", "This clip"}, {"all", "All clips"}, {"range", "Range"}};
constexpr ExportChoice kFormats[] = {{"apng", "APNG"}, {"gif", "GIF"},     {"webp", "WebP"}, {"png", "PNGs"},
                                     {"y4m", "Y4M"},   {"sheet", "Sheet"}, {"mp4", "MP4"},   {"webm", "WebM"}};
constexpr ExportChoice kEngines[] = {{"aseprite", "Aseprite JSON (most engines)"},
                                     {"phaser", "Phaser"},
                                     {"pixi", "PixiJS"},
                                     {"godot", "Godot 4"},
                                     {"unity", "Unity"}};
constexpr ExportChoice kLosses[] = {{"lossless", "Lossless"}, {"lossy", "Lossy"}};
constexpr ExportChoice kPageSizes[] = {{"any", "Any size"}, {"power-of-two", "Power of two"}};
constexpr ExportChoice kTrims[] = {{"off", "Keep empty"}, {"on", "Trim"}};
constexpr ExportChoice kShares[] = {{"off", "Store each"}, {"on", "Store once"}};
constexpr ExportChoice kLayouts[] = {{"hash", "Named (hash)"}, {"array", "Listed (array)"}};
constexpr ExportChoice kSizings[] = {{"scale", "Scale"}, {"fit", "Fit"}};
constexpr ExportChoice kFrames[] = {{"own", "Original frames"}, {"sampled", "Resampled"}};
constexpr ExportChoice kExportBackgrounds[] = {{"transparent", "Transparent"}, {"plain", "Plain"}};
constexpr ExportChoice kPlays[] = {{"as-clip", "As in clip"}, {"for-ever", "Forever"}, {"counted", "Counted"}};
constexpr ExportChoice kRigs[] = {{"off", "Plain animation"}, {"on", "Applied"}};

template <ExportFormat... formats>
bool writes(const App& app) {
  return ((app.exports.options.format == formats) || ...);
}
bool writes_animation(const App& app) { return !writes<ExportFormat::sheet>(app); }
bool writes_aseprite(const App& app) {
  return !writes_animation(app) && app.exports.options.sheet.format == SheetOptions::Format::aseprite;
}
template <ExportSizing sizing>
bool sizes(const App& app) {
  return app.exports.options.sizing == sizing;
}

constexpr ExportSetting choice(std::string_view row, std::string_view key, const char* id, ExportSetting::Value value,
                               std::span<const ExportChoice> choices, float part = 1) {
  return {.row = row, .key = key, .id = id, .value = value, .choices = choices, .part = part};
}

constexpr ExportSetting number(std::string_view row, std::string_view key, const char* id, ExportSetting::Value value,
                               int min, int max, const char* format, float part = 1) {
  return {.row = row, .key = key, .id = id, .value = value, .min = min, .max = max, .format = format, .part = part};
}

using enum ExportFormat;

constexpr ExportSetting kSettings[] = {
    choice("Clips", "export-clips", "clips", PCHR_MEMBER(clips), kClips),
    choice("Format", "export-format", "format", PCHR_MEMBER(format), kFormats),
    choice("Engine", "export-engine", "##engine", PCHR_MEMBER(sheet.format), kEngines)
        .show_if(writes<sheet>)
        .explain("Which program the files beside the image are for"),
    choice("Quality", "export-webp", "lossy", PCHR_MEMBER(lossy), kLosses, 0.5F).show_if(writes<webp>),
    number("Quality", "export-quality", "##quality", PCHR_MEMBER(quality), 0, 100, "%d / 100", 0.5F)
        .show_if(writes<webp, mp4, webm>)
        .enable_if([](const App& app) { return app.exports.options.lossy || !writes<webp>(app); }),
    choice("Pages", "export-page-size", "pages", PCHR_MEMBER(sheet.power_of_two), kPageSizes, 0.65F)
        .show_if(writes<sheet>),
    number("Pages", "export-page", "##page", PCHR_MEMBER(sheet.max_side), 1, kMaxFrameSide, "%d px max.", 0.35F)
        .show_if(writes<sheet>)
        .explain("Max width and height of a page"),
    number("Spacing", "export-padding", "##padding", PCHR_MEMBER(sheet.padding), 0, kMaxExportPadding, "%d px padding",
           0.5F)
        .show_if(writes<sheet>)
        .explain("Pixels between frames"),
    number("Spacing", "export-extrude", "##extrude", PCHR_MEMBER(sheet.extrude), 0, kMaxExportPadding, "%d px extruded",
           0.5F)
        .show_if(writes<sheet>)
        .explain("How many times to repeat the edge pixels of each frame"),
    choice("Borders", "export-trim", "trim", PCHR_MEMBER(sheet.trim), kTrims)
        .show_if(writes<sheet>)
        .explain("Keep the transparent border of each frame, or trim it and store where the frame was"),
    choice("Equal frames", "export-share", "share", PCHR_MEMBER(sheet.share), kShares)
        .show_if(writes<sheet>)
        .explain("Give frames that look the same a place each, or one in common"),
    choice("JSON frames", "export-layout", "layout", PCHR_MEMBER(sheet.layout), kLayouts)
        .show_if(writes_aseprite)
        .explain("Store the frames in the JSON as an object with a key for each, or as an array"),
    choice("Size", "export-sizing", "sizing", PCHR_MEMBER(sizing), kSizings, 0.5F),
    number("Size", "export-percent", "##percent", PCHR_MEMBER(percent), 1, kMaxExportPercent, "%d%%", 0.5F)
        .show_if(sizes<ExportSizing::scale>)
        .explain("Scale of the character; frames are as large as the clip needs"),
    number("Size", "export-size", "##width", PCHR_MEMBER(size.width), 1, kMaxFrameSide, "%d px", 0.25F)
        .show_if(sizes<ExportSizing::fit>),
    number("Size", "", "##height", PCHR_MEMBER(size.height), 1, kMaxFrameSide, "%d px", 0.25F)
        .show_if(sizes<ExportSizing::fit>),
    number("Margin", "export-margin", "##margin", PCHR_MEMBER(margin), 0, kMaxExportMargin, "%d%%")
        .explain("Empty space on each side, as a percentage of the frame"),
    choice("Frames", "export-frames", "resample", PCHR_MEMBER(resample), kFrames, 0.65F),
    number("Frames", "export-rate", "##rate", PCHR_MEMBER(rate), 1, kMaxExportRate, "%d FPS", 0.35F)
        .enable_if([](const App& app) { return app.exports.options.resample; })
        .explain("Frame rate; frames in between are held or smooth, as in the player (M)"),
    choice("Background", "export-background", "opaque", PCHR_MEMBER(opaque), kExportBackgrounds)
        .enable_if([](const App& app) { return !writes<mp4>(app); }),
    choice("Repeat", "export-plays", "plays", PCHR_MEMBER(plays), kPlays, 0.75F).show_if(writes_animation),
    number("Repeat", "export-times", "##times", PCHR_MEMBER(times), 1, kMaxExportTimes, "%d times", 0.25F)
        .show_if(writes_animation)
        .enable_if([](const App& app) { return app.exports.options.plays == ExportPlays::counted; })
        .explain("This format stores no repeat count: the frames are written once, or as often as counted",
                 writes<png, y4m, mp4, webm>),
    choice("Rig", "export-rig", "rig", PCHR_MEMBER(rig), kRigs)
        .show_if([](const App& app) { return moves_with_rig(app); })
        .explain("Leave out or apply springs and other constraints")};

#undef PCHR_MEMBER

}  // namespace

std::span<const ExportSetting> export_settings() { return kSettings; }

bool ExportOptions::operator==(const ExportOptions& other) const {
  return std::ranges::all_of(kSettings,
                             [&](const ExportSetting& each) { return each.value.get(*this) == each.value.get(other); });
}

bool SceneMember::operator==(const SceneMember& other) const {
  return &character.data() == &other.character.data() && own_clip == other.own_clip && place == other.place &&
         rotation == other.rotation && hidden == other.hidden && filter == other.filter;
}

ScenePoser::ScenePoser(Character character, ExportScene scene, const Affine3& rotation,
                       std::vector<std::uint8_t> hidden)
    : character_(std::move(character)), scene_(std::move(scene)), rotation_(rotation) {
  selection_.hidden = std::move(hidden);
  motion_.travel = scene_.travel;
}

void ScenePoser::pose_mix(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) {
  if (frame == 0) {
    mix_ = begin_mix(character_, scene_.markers, scene_.mix->from, scene_.mix->fade_seconds);
    mix_->to = scene_.mix->to;
    mix_->layers = scene_.mix->layers;
    mix_->animator.set_sampling(scene_.sampling);
    replay(*mix_);
    reset(motion_);
  }
  mix_->animator.pose(out);
  const double seconds = duration_of(plan, frame);
  if (scene_.rig) {
    const Play* play = playing_clip(*mix_);
    const bool plays = play != nullptr && play->kind == Play::Kind::clip;
    apply_motion(motion_, *scene_.rig, std::nullopt, character_, *scene_.markers, plays ? play->clip : ClipId::none,
                 plays ? play->clock.position(scene_.sampling).frame : 0, out.pose);
    motion_.seconds = seconds;
    update(character_, out);
  }
  advance(*mix_, seconds, 1.0);
}

void ScenePoser::pose(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) {
  if (scene_.mix) {
    pose_mix(plan, frame, out);
  } else if (scene_.rig) {
    if (frame == 0) reset(motion_);
    pose_frame(motion_, *scene_.rig, character_, *scene_.markers, plan, frame, out);
  } else {
    pose_clip_or_bind(character_, plan.clip, plan.times[frame], out);
  }
  rotate(rotation_, out);
  remove_hidden(selection_, out.draw_list);
}

void ScenePoser::pose_member(std::size_t member, const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) const {
  constexpr double kRounding = 1e-9;  // A frame's start time may have been rounded down to just before it.
  const SceneMember& posed = scene_.members[member];
  const Character& character = posed.character;
  std::optional<ClipId> clip = posed.own_clip;
  if (plan.clip != ClipId::none) {
    const ClipId same_name = character.find_clip(character_.clips()[plan.clip].name);
    if (has_frames(character, same_name)) clip = same_name;
  }
  ClipTime time;
  if (clip) {
    Clip length;
    length.looping = true;
    length.frames_per_second = character.clips()[*clip].frames_per_second;
    length.frame_count = character.clips()[*clip].frame_count;
    time = clip_time(length, first_second(character_, plan) + start_of(plan, frame) + kRounding, Sampling::step);
  }
  pose_clip_or_bind(character, clip.value_or(ClipId::none), time, out);
  rotate(posed.rotation, out);
  Selection selection;
  selection.hidden = posed.hidden;
  remove_hidden(selection, out.draw_list);
}

Box ScenePoser::box(const FramePlan& plan, std::uint32_t frame, PoseBuffers& posed) {
  pose(plan, frame, posed);
  Box all = box_of_posed(character_, posed);
  for (std::size_t i = 0; i < scene_.members.size(); ++i) {
    pose_member(i, plan, frame, posed);
    include(all, box_of_posed(scene_.members[i].character, posed), Vec3{scene_.members[i].place, 0.0F});
  }
  return all;
}

namespace {

namespace fs = std::filesystem;

struct FormatRow {
  AnimationFormat animation;
  const char* extension;
};

const FormatRow& row_of(ExportFormat format) {
  static constexpr FormatRow kRows[] = {{AnimationFormat::apng, ".apng"}, {AnimationFormat::gif, ".gif"},
                                        {AnimationFormat::webp, ".webp"}, {AnimationFormat::png, ".png"},
                                        {AnimationFormat::y4m, ".y4m"},   {AnimationFormat::png, ".png"},
                                        {AnimationFormat::rgba, ".mp4"},  {AnimationFormat::rgba, ".webm"}};
  return kRows[static_cast<std::size_t>(format)];
}

/// Returns the bounds of all frames of a clip, as viewed.
Box box_of_frames(const Character& character, const SceneRequest& request, const FramePlan& plan) {
  Box all;
  PoseBuffers posed;
  const bool is_plain = request.scene.is_plain();
  if (is_plain && !character.is_3d() && plan.clip != ClipId::none) {
    const Rect rect = compute_clip_bounds(character, plan.clip, thread_executor());
    return rect.empty() ? all : Box{{rect.min, 0.0F}, {rect.max, 0.0F}};
  }
  ScenePoser poser(character, request.scene, request.rotation, {});
  for (std::uint32_t i = 0; i < plan.times.size(); ++i) include(all, poser.box(plan, i, posed));
  return all;
}

/// Places the frames of a sheet, and fails if one does not fit on a page.
ExportResult<void> plan_sheet(const Character& character, ScenePlan& plan) {
  const PlannedClip& first = plan.clips.front();
  const Camera& camera = first.animation.frames.front().camera;
  plan.sheet_character.canvas = {first.animation.info.width, first.animation.info.height};
  const Vec2 pivot = apply(world_to_viewport(camera), Vec2{0.0F});
  plan.sheet_character.pivot_x = pivot.x;
  plan.sheet_character.pivot_y = pivot.y;
  const auto& artwork = plan.request.artwork;
  if (artwork && plan.request.options.sheet.format == SheetOptions::Format::aseprite) {
    keep_artwork(plan.sheet_character, *artwork, camera);
  }
  PoseBuffers posed;
  ScenePoser poser(character, plan.request.scene, plan.request.rotation, {});
  for (const PlannedClip& clip : plan.clips) {
    std::uint32_t next = 0;
    const auto shown = [&](ClipTime /*time*/) { return front_of(poser.box(clip.frames, next++, posed)); };
    auto checked =
        check_frames(clip.frames, clip.name, camera, plan.sheet_character.canvas, plan.request.options.sheet, shown);
    if (checked) continue;
    checked.error().message += "; try a smaller scale or larger pages";
    return checked;
  }
  return {};
}

void set_text(std::span<char> field, const std::string& text) {
  field[text.copy(field.data(), field.size() - 1)] = '\0';
}

std::string proposed_name(const App& app) {
  const Document& document = *app.document();
  const ExportOptions& options = app.exports.options;
  std::string name = safe_file_name(utf8_of(document.path.stem()));
  const SceneRequest request = scene_request(app);
  const std::string clip = exported_name(document.character(), request);
  if (!clip.empty() && (request.scene.mix || options.clips != ExportClips::all)) name += "_" + safe_file_name(clip);
  const auto& range = request.range;
  if (options.clips == ExportClips::range && range) name += fmt::format("_{}-{}", range->first, range->last);
  // Without a suffix, the sheet's JSON could replace the character's.
  return options.format == ExportFormat::sheet ? name + "_sheet" : name;
}

std::string counted(std::uint64_t count, const char* name) {
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

std::string megabytes(double bytes) {
  return bytes < 1e5 ? fmt::format("{:.0f} kB", std::ceil(bytes / 1e3)) : fmt::format("{:.1f} MB", bytes / 1e6);
}

/// Returns about how much memory the frames take at once. A sheet keeps all of them, an animation those that are being
/// drawn and encoded.
double frame_bytes(const ScenePlan& plan) {
  double largest = 0;
  double sum = 0;
  for (const PlannedClip& clip : plan.clips) {
    const double frame = 4.0 * clip.animation.info.width * clip.animation.info.height;
    largest = std::max(largest, frame);
    sum += frame * static_cast<double>(clip.frames.times.size());
  }
  const double in_work = 3.0 * std::max(2U, std::thread::hardware_concurrency());
  return plan.is_sheet() ? sum : std::min(sum, largest * in_work);
}

}  // namespace

std::uint64_t ScenePlan::frames() const noexcept {
  std::uint64_t sum = 0;
  for (const PlannedClip& clip : clips) sum += clip.frames.times.size();
  return sum;
}

SceneRequest scene_request(const App& app) {
  SceneRequest request{.options = app.exports.options,
                       .clip = app.playback.clip,
                       .smooth = app.playback.settings.sampling == Sampling::smooth,
                       .flip_y = app.view.camera.flip_y,
                       .rotation = rotation_of(app, app.document()->character()),
                       .cull_back_faces = app.view.turntable.cull_back_faces,
                       .scene = export_scene(app, app.exports.options.rig)};
  if (request.options.format == ExportFormat::sheet && !request.scene.mix) {
    request.artwork = app.document()->imported.artwork;
  }
  if (request.options.clips == ExportClips::range && !request.scene.mix) request.range = app.playback.clock.range();
  if (request.options.opaque || request.options.format == ExportFormat::mp4) {
    for (std::size_t i = 0; i < 3; ++i) {
      request.background[i] = std::round(std::clamp(app.view.color[i], 0.0F, 1.0F) * 255.0F) / 255.0F;
    }
    request.background[3] = 1;
  }
  return request;
}

ExportResult<ScenePlan> plan_scene(const Character& character, const SceneRequest& request) {
  constexpr float kRoom = 1.01F;  // Allows for rounding.
  ScenePlan plan{.request = request};
  const ExportOptions& options = request.options;
  plan.settings.format = row_of(options.format).animation;
  if (options.lossy) plan.settings.webp_quality = static_cast<float>(options.quality);

  ExportRequest wanted;
  std::optional<FramePlan> mixed;
  const auto rate = options.resample ? std::optional<double>(options.rate) : std::nullopt;
  if (options.plays != ExportPlays::as_clip) {
    wanted.plays = options.plays == ExportPlays::forever ? 0 : static_cast<std::uint32_t>(options.times);
  }
  if (const auto& mix = request.scene.mix) {
    mixed = plan_mix(character, *mix, rate);
    wanted.clips = {ClipId::none};
    if (!wanted.plays) wanted.plays = character.clips()[mix->to].looping ? 0 : 1;
  } else if (options.clips == ExportClips::all) {
    for (const ClipId clip : character.clips().ids()) {
      if (is_bind_pose_clip(character, clip)) {
        plan.left_out = character.clips()[clip].name;
      } else if (has_frames(character, clip)) {
        wanted.clips.push_back(clip);
      }
    }
  }
  if (wanted.clips.empty()) {
    wanted.clips = {request.clip.value_or(ClipId::none)};
    plan.left_out.clear();
  }
  if (options.clips == ExportClips::range) wanted.frames.frames = request.range;
  wanted.frames.frames_per_second = rate;
  wanted.frames.smooth = request.smooth;
  if (!plan.is_sheet()) wanted.cycles = cycles_of(plan.settings.format, wanted.plays.value_or(1));
  wanted.framing.size = options.size;
  wanted.framing.margin = static_cast<float>(options.margin) / 100.0F;
  if (options.sizing == ExportSizing::scale) wanted.framing.scale = static_cast<float>(options.percent) / 100.0F;
  wanted.framing.flip_y = request.flip_y;
  wanted.fit = plan.is_sheet() ? ExportRequest::Fit::all : ExportRequest::Fit::clip;
  std::vector<Box> seen;
  const auto bounds_of = [&](ClipId clip, ClipTime /*time*/) {
    const FramePlan frames = mixed                  ? *mixed
                             : clip == ClipId::none ? plan_still(clip, {})
                                                    : *plan_animation(character, clip, wanted.frames, wanted.cycles);
    Rect front = front_of(seen.emplace_back(box_of_frames(character, request, frames)));
    if (request.artwork) front.include(canvas_of(*request.artwork));
    return front;
  };
  wanted.bounds = bounds_of;
  auto planned = plan_export(character, wanted);
  if (!planned) return Unexpected(planned.error());

  if (plan.is_sheet()) {
    Box all;
    for (const Box& box : seen) include(all, box);
    std::ranges::fill(seen, all);
  }
  std::vector<std::string> names;
  for (const ClipId clip : wanted.clips) {
    const std::string name = clip != ClipId::none ? character.clips()[clip].name : "bind";
    names.push_back(safe_file_name(mixed ? exported_name(character, request) : name));
  }
  names = unique_names(std::move(names), "_", "");
  for (std::size_t i = 0; i < planned->size(); ++i) {
    ExportPlan& each = (*planned)[i];
    // A mix is no clip.
    if (mixed) each.frames = *mixed;
    if (plan.is_video()) {
      // Most players need even sides.
      each.size = {each.size.width + each.size.width % 2, each.size.height + each.size.height % 2};
      each.cameras = {frame_camera(wanted.framing, each.size, front_of(seen[i]))};
    }
    PlannedClip& clip = plan.clips.emplace_back(names[i], each.frames, make_animation(each));
    const float reach = seen[i].empty() ? 0.0F : std::max(std::abs(seen[i].min.z), std::abs(seen[i].max.z));
    clip.reach = std::max(reach * kRoom, 1e-6F);
    if (character.is_3d()) {
      SceneView scene = scene_view(each.cameras.front(), clip.reach);
      scene.cull_back_faces = request.cull_back_faces;
      for (ExportFrame& frame : clip.animation.frames) frame.scene = scene;
    }
    if (plan.is_sheet()) continue;
    // Fail now rather than after the first clips are written.
    if (auto checked = check_format(clip.animation.info, plan.settings); !checked) return Unexpected(checked.error());
    if (plan.is_video() && !check_format(clip.animation.info, {.format = AnimationFormat::y4m})) {
      return Unexpected(
          ExportError{ExportError::Kind::request,
                      fmt::format("{}: a video needs frames of one duration; resample it", printable(clip.name))});
    }
  }
  if (plan.is_sheet()) {
    if (auto placed = plan_sheet(character, plan); !placed) return Unexpected(placed.error());
  }
  return plan;
}

std::string describe_export(const ScenePlan& plan) {
  FrameSize largest{0, 0};
  double seconds = 0;
  for (const PlannedClip& clip : plan.clips) {
    largest = {std::max(largest.width, clip.animation.info.width),
               std::max(largest.height, clip.animation.info.height)};
    seconds += clip.animation.info.frame_ends.back();
  }
  const std::size_t count = plan.clips.size();
  std::string text = counted(plan.frames(), "frame");
  if (count > 1) text += " in " + counted(count, "clip");
  if (!plan.left_out.empty()) text += fmt::format(", without the bind pose \"{}\"", printable(plan.left_out));
  const bool same_size = count == 1 || plan.is_sheet() || plan.request.options.sizing == ExportSizing::fit;
  return text +
         fmt::format("; {}{} \u00d7 {} pixels{}; {:.2f} s", same_size ? "" : "up to ", largest.width, largest.height,
                     plan.is_sheet() && plan.request.options.sheet.trim ? " before they are trimmed" : "", seconds);
}

std::string describe_sizes(const ScenePlan& plan, std::optional<double> file_bytes) {
  const bool several = plan.request.options.format == ExportFormat::png || plan.clips.size() > 1;
  const std::string memory = fmt::format("{} of memory to export", megabytes(frame_bytes(plan)));
  if (!file_bytes) return "Needs " + memory;
  return fmt::format("{} of about {}; needs {}", several && !plan.is_sheet() ? "Files" : "File", megabytes(*file_bytes),
                     memory);
}

float ExportProgress::share() const noexcept {
  return total > 0 ? static_cast<float>(frames) / static_cast<float>(total) : 0.0F;
}

std::string describe_progress(const ExportProgress& progress) {
  constexpr double kMinSeconds = 0.5;
  if (progress.total == 0) return "Preparing...";
  std::string text = fmt::format("{} of {}", progress.frames, counted(progress.total, "frame"));
  if (progress.bytes > 0) text += "; " + megabytes(static_cast<double>(progress.bytes));
  if (progress.frames == progress.total) return text + "; writing...";
  const double share = progress.share();
  if (progress.seconds < kMinSeconds || share <= 0) return text;
  if (progress.bytes > 0) text += fmt::format(" of about {}", megabytes(static_cast<double>(progress.bytes) / share));
  const double left = std::ceil(progress.seconds / share - progress.seconds);
  return text + (left < 90 ? fmt::format("; {:.0f} s left", left) : fmt::format("; {:.0f} min left", left / 60));
}

std::string describe_losses(const ScenePlan& plan) {
  if (plan.is_sheet()) return {};
  for (const PlannedClip& clip : plan.clips) {
    const std::string rounding = describe_rounding(clip.animation.info, plan.settings.format);
    if (!rounding.empty()) return fmt::format("{}: {}", clip.name, rounding);
  }
  return {};
}

std::string export_extension(ExportFormat format) { return row_of(format).extension; }

std::string export_path(const ScenePlan& plan, const fs::path& stem, std::size_t clip, std::uint32_t frame) {
  const PlannedClip& exported = plan.clips[clip];
  std::string path = utf8_of(stem);
  const bool several = plan.request.options.clips == ExportClips::all && !plan.request.scene.mix;
  if (!plan.is_sheet() && several) path += "_" + exported.name;
  const ExportFormat format = plan.request.options.format;
  if (format == ExportFormat::png) path += fmt::format("_{:04}", exported.frames.first_frame + frame);
  return path + export_extension(format);
}

std::vector<std::string> export_paths(const ScenePlan& plan, const fs::path& stem) {
  if (plan.is_sheet()) {
    SheetOptions sheet = plan.request.options.sheet;
    sheet.path = export_path(plan, stem, 0, 0);
    std::vector<std::string> paths{sheet.path, sheet_file_path(sheet)};
    if (sheet.format == SheetOptions::Format::unity) paths.push_back(sheet_page_path(sheet.path, 0, ".png.meta"));
    return paths;
  }
  std::vector<std::string> paths;
  for (std::size_t clip = 0; clip < plan.clips.size(); ++clip) {
    const std::size_t files = plan.settings.format == AnimationFormat::png ? plan.clips[clip].frames.times.size() : 1;
    for (std::uint32_t frame = 0; frame < files; ++frame) paths.push_back(export_path(plan, stem, clip, frame));
  }
  return paths;
}

void toggle_exports(App& app) {
  ExportDialog& exports = app.exports;
  exports.open = !exports.open && app.document() && !app.view.presenting;
  if (!exports.open || exports.running) return;
  exports.error.clear();
  exports.existing_files = 0;
  exports.naming_preset = false;
  exports.ffmpeg = find_program("ffmpeg").value_or(std::string());
  if (app.playback.clock.range()) {
    exports.options.clips = ExportClips::range;
  } else if (exports.options.clips == ExportClips::range) {
    exports.options.clips = ExportClips::one;
  }
  propose_export_name(app);
}

void save_preset(ExportDialog& exports, std::string_view name) {
  std::string text(name.substr(0, kMaxPresetName));
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  while (text.starts_with(' ')) text.erase(0, 1);
  while (text.ends_with(' ')) text.pop_back();
  if (text.empty()) return;
  const auto same = std::ranges::find(exports.presets, text, &ExportPreset::name);
  if (same != exports.presets.end()) {
    same->options = exports.options;
  } else if (exports.presets.size() < kMaxPresets) {
    exports.presets.push_back({std::move(text), exports.options});
  }
}

std::optional<std::size_t> current_preset(const ExportDialog& exports) noexcept {
  const auto found = std::ranges::find(exports.presets, exports.options, &ExportPreset::options);
  if (found == exports.presets.end()) return std::nullopt;
  return static_cast<std::size_t>(found - exports.presets.begin());
}

void propose_export_name(App& app) {
  ExportDialog& exports = app.exports;
  if (exports.proposed_for != app.document()->path) {
    exports.proposed_for = app.document()->path;
    const auto folders = output_folders(app.document()->path);
    set_text(exports.folder, folders.empty() ? "" : utf8_of(folders.front()));
    exports.proposed = exports.name.data();
  }
  std::string name = proposed_name(app);
  if (exports.proposed == exports.name.data()) set_text(exports.name, name);
  exports.proposed = std::move(name);
}

void start_export(ExportDialog& exports, bool replace) {
  if (!exports.open || exports.running) return;
  exports.wanted = true;
  exports.replace = replace;
  exports.existing_files = 0;
  exports.error.clear();
}

void leave_export(ExportDialog& exports) {
  exports.wanted = false;
  if (exports.naming_preset) {
    exports.naming_preset = false;
  } else if (exports.existing_files > 0) {
    exports.existing_files = 0;
  } else {
    exports.open = false;
  }
}

void set_export_folder(ExportDialog& exports, const fs::path& folder) {
  set_text(exports.folder, utf8_of(folder));
  exports.existing_files = 0;
  exports.error.clear();
}

fs::path export_stem(const ExportDialog& exports) {
  return path_from_utf8(exports.folder.data()) / path_from_utf8(exports.name.data());
}

InputFiles files_read(const App& app) {
  InputFiles files;
  for (const auto& actor : app.actors) {
    const std::string path = utf8_of(actor->document.path);
    files.add(path);
    files.add(markers_path(path));
    files.add(rig_path(path));
    for (const FileStamp& read : actor->document.source.read) files.add(utf8_of(read.path));
  }
  files.add(utf8_of(app.view.image));
  return files;
}

void ask_about_existing(ExportDialog& exports, std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path_from_utf8(path), ignored))) continue;
    if (exports.existing_files++ == 0) exports.first_existing_file = printable(path);
  }
}

bool may_export(App& app) {
  ExportDialog& exports = app.exports;
  if (exports.name[0] == '\0') {
    exports.error = "Enter a file name";
    return false;
  }
  if (exports.plan->is_video() && exports.ffmpeg.empty()) {
    exports.error = kNoFfmpeg;
    return false;
  }
  const auto paths = export_paths(*exports.plan, export_stem(exports));
  const InputFiles inputs = files_read(app);
  for (const std::string& path : paths) {
    if (!inputs.contains(path)) continue;
    exports.error = printable(path) + " belongs to an open file and is never replaced";
    return false;
  }
  if (!exports.replace) ask_about_existing(exports, paths);
  return exports.existing_files == 0;
}

}  // namespace pchr::player
