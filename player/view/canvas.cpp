// SPDX-License-Identifier: MIT
#include "view/canvas.hpp"

#include "view/style.hpp"
#include "view/scene.hpp"

#include <pchr/offscreen.hpp>

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

constexpr double kFarAway = 1e5;  ///< Beyond any canvas, but still exact as a float.
constexpr double kMaxLines = 160;
constexpr float kMargin = 0.25F;  ///< Fraction of the larger side, around the object on the floor.
constexpr float kMinorAlpha = 0.09F;
constexpr float kMajorAlpha = 0.22F;
constexpr float kAxisAlpha = 0.85F;
constexpr float kNegativeAlpha = 0.35F;

struct FileAxis {
  Vec3 direction;  ///< In the axes of the character as read.
  std::array<float, 3> color;
};

constexpr std::array<FileAxis, 3> kAxes{
    {{{1, 0, 0}, {0.90F, 0.36F, 0.38F}}, {{0, 0, -1}, {0.45F, 0.76F, 0.36F}}, {{0, 1, 0}, {0.36F, 0.58F, 0.96F}}}};

/// Returns the box around the object on the floor and the origin, with a margin.
Box standing_box(const GroundView& view) noexcept {
  Box box = rotated_box(upright(view.turntable), view.box);
  box.include(Vec3{0.0F});
  const Vec3 size = box.size();
  const float room = std::max(size.x, size.z) * kMargin;
  box.min -= Vec3{room, 0.0F, room};
  box.max += Vec3{room, 0.0F, room};
  return box;
}

/// Calls add() with the multiples of `step` from `low` to `high`, except multiples of `except`.
template <typename Add>
void for_each_line(float low, float high, double step, double except, const Add& add) {
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-6));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-6));
  const auto every = except > 0 ? static_cast<std::int64_t>(std::lround(except / step)) : 0;
  for (std::int64_t i = first; i <= last; ++i) {
    if (every == 0 || i % every != 0) add(static_cast<float>(static_cast<double>(i) * step));
  }
}

}  // namespace

GridStep grid_step(double zoom, double min_pixels) noexcept {
  const double min_step = min_pixels / zoom;
  const double power = std::pow(10.0, std::floor(std::log10(min_step)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    // Tolerate rounding errors of a step that fits exactly.
    if (digit * power >= min_step * (1.0 - 1e-9)) return {digit * power, (digit == 5.0 ? 20.0 : digit * 5.0) * power};
  }
  return {10.0 * power, 50.0 * power};
}

GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept {
  const double zoom = camera.zoom;
  const double up = camera.flip_y ? -1.0 : 1.0;
  const double x = camera.viewport.x * 0.5 - camera.center.x * zoom;
  const double y = camera.viewport.y * 0.5 + camera.center.y * zoom * up;
  const double major = step.major * zoom;
  const auto near = [](double value) { return static_cast<float>(std::clamp(value, -kFarAway, kFarAway)); };
  const auto phase = [&](double value) { return static_cast<float>(value - std::floor(value / major) * major); };
  return {.minor = static_cast<float>(step.minor * zoom),
          .major = static_cast<float>(major),
          .phase = {phase(x), phase(y)},
          .origin = {near(x), near(y)},
          .thickness = thickness};
}

GridStep ground_step(const GroundView& view, double min_pixels) noexcept {
  const Vec3 size = standing_box(view).size();
  const double extent = std::max(size.x, size.z) * static_cast<double>(view.camera.zoom);
  return grid_step(view.camera.zoom, std::max(min_pixels, extent / kMaxLines));
}

std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step, const std::array<float, 3>& ink,
                                   float thickness) {
  Box box = standing_box(view);
  const auto outward = [&](float value, double (*round)(double)) {
    return static_cast<float>(round(value / step.major) * step.major);
  };
  const Vec2 min{outward(box.min.x, std::floor), outward(box.min.z, std::floor)};
  const Vec2 max{outward(box.max.x, std::ceil), outward(box.max.z, std::ceil)};
  const Affine3 stand = upright(view.turntable);
  const Affine3 rotation = rotated(view.turntable, apply(stand, view.pivot));
  const Affine to_viewport = world_to_viewport(view.camera);
  const auto place = [&](Vec3 point) { return apply(to_viewport, Vec2{apply(rotation, point)}); };
  std::vector<SeenLine> lines;
  const auto add = [&](Vec3 from, Vec3 to, const std::array<float, 3>& color, float alpha, float width) {
    lines.push_back({place(from), place(to), {color[0], color[1], color[2], alpha}, std::max(width, 1.0F)});
  };
  const auto add_grid = [&](double distance, double except, float alpha) {
    for_each_line(min.x, max.x, distance, except,
                  [&](float x) { add({x, 0, min.y}, {x, 0, max.y}, ink, alpha, thickness); });
    for_each_line(min.y, max.y, distance, except,
                  [&](float z) { add({min.x, 0, z}, {max.x, 0, z}, ink, alpha, thickness); });
  };
  add_grid(step.minor, step.major, kMinorAlpha);
  add_grid(step.major, 0, kMajorAlpha);
  for (const FileAxis& axis : kAxes) {
    const Vec3 along = apply_to_direction(stand, axis.direction);
    const Vec3 high{max.x, std::max(box.max.y, 0.0F), max.y};
    const Vec3 low{min.x, 0.0F, min.y};
    const auto reach = [&](bool positive) {
      const bool forward = (along.x + along.y + along.z > 0) == positive;
      return (along * along) * (forward ? high : low);
    };
    add(Vec3{0.0F}, reach(false), axis.color, kNegativeAlpha, thickness * 2);
    add(Vec3{0.0F}, reach(true), axis.color, kAxisAlpha, thickness * 2);
  }
  return lines;
}

namespace {

std::optional<std::uint32_t> next(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame < order.frames.last) return frame + 1;
  return order.loops ? std::optional(order.loop_begin) : std::nullopt;
}

/// Returns nothing before frames that play once ahead of a loop.
std::optional<std::uint32_t> previous(const FrameOrder& order, std::uint32_t frame) noexcept {
  if (frame > order.frames.first) return frame - 1;
  return order.loops && order.loop_begin == order.frames.first ? std::optional(order.frames.last) : std::nullopt;
}

}  // namespace

void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out) {
  out.clear();
  std::optional<std::uint32_t> back = frame;
  std::optional<std::uint32_t> on = frame;
  const auto add = [&](std::optional<std::uint32_t>& at, std::uint32_t distance, std::int32_t direction) {
    if (!at) return;
    if (*at == frame || std::ranges::find(out, *at, &OnionFrame::frame) != out.end()) {
      at.reset();
    } else {
      out.push_back({*at, static_cast<std::int32_t>(distance) * direction});
    }
  };
  for (std::uint32_t distance = 1; distance <= std::max(before, after); ++distance) {
    if (back) back = distance <= before ? previous(order, *back) : std::nullopt;
    if (on) on = distance <= after ? next(order, *on) : std::nullopt;
    add(back, distance, -1);
    add(on, distance, 1);
  }
  std::ranges::reverse(out);
}

FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept {
  const FrameRange frames = clock.played();
  return {.frames = frames,
          .loops = clock.effective_mode() == LoopMode::loop,
          .loop_begin = clock.range() ? frames.first : clip.loop_start};
}

void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone) {
  const Clip* of = &character.clips()[clip];
  if (trail.clip == of && trail.bone == bone) return;
  trail = {.points = std::move(trail.points), .clip = of, .bone = bone};
  trail.points.clear();
  Pose pose;
  const auto joint = [&]() -> Vec3 {
    if (character.is_3d()) return bone_world_3d(character.bones(), view(pose), bone)[3];
    return {bone_world(character.bones(), view(pose), bone)[2], 0.0F};
  };
  for (std::uint32_t frame = 0; frame < of->frame_count; ++frame) {
    sample(character, clip, {.frame = frame, .next = frame}, pose);
    trail.points.push_back(joint());
  }
}

namespace {

constexpr float kNearestStrength = 0.5F;
constexpr float kFading = 0.66F;  ///< From each frame to the next one further away.

Color unpacked(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return {c.x, c.y, c.z};
}

void pose_onion(Scene& scene) {
  const Document& document = *scene.document();
  Onion& onion = scene.find(Role::open)->onion;
  const ClipId clip = *scene.playback.clip;
  const FrameOrder order = frame_order(scene.playback.clock, document.character().clips()[clip]);
  const View& view = scene.view;
  Onion::Ghosts& wanted = onion.wanted;
  find_onion_frames(order, shown_time(scene.playback).frame, view.onion_before, view.onion_after, wanted.frames);
  wanted.clip = clip;
  wanted.hidden = document.selection.hidden;
  wanted.turntable = view.turntable;
  if (wanted == onion.ghosts) return;
  onion.ghosts = wanted;
  const std::vector<OnionFrame>& frames = onion.ghosts.frames;
  if (onion.posed.size() < frames.size()) onion.posed.resize(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::uint32_t frame = frames[i].frame;
    pose_clip(document.character(), clip, {.frame = frame, .next = frame}, onion.posed[i]);
    rotate(rotation_of(scene, document.character()), onion.posed[i]);
    remove_hidden(document.selection, onion.posed[i].draw_list);
  }
}

/// Creates a skin with plain white meshes, so that whole triangles are counted.
void make_plain(Actor& actor, Renderer& renderer) {
  if (actor.plain_skin) return;
  const Character& character = actor.document.character();
  SkinData data;
  data.name = "plain";
  const ImageId white = add_image(data, character, Bitmap{.width = 1, .height = 1, .rgba = {0xFF, 0xFF, 0xFF, 0xFF}});
  for (const MeshId mesh : character.meshes().ids()) part_of(data, mesh).image = white;
  if (auto skin = renderer.upload_skin(actor.document.model, data)) actor.plain_skin.emplace(std::move(*skin));
}

}  // namespace

void draw_onion(Scene& scene, OffscreenLayer& layer, Renderer& renderer) {
  if (!scene.playback.clip || !scene.playback.shows_clip()) return;
  pose_onion(scene);
  const Onion& onion = scene.find(Role::open)->onion;
  for (std::size_t i = 0; i < onion.ghosts.frames.size(); ++i) {
    const std::int32_t distance = onion.ghosts.frames[i].distance;
    if (!layer.begin({0.0F, 0.0F, 0.0F, 0.0F})) return;
    draw_character(scene, scene.document()->model, onion.posed[i], scene.view.camera, renderer);
    const float strength = kNearestStrength * std::pow(kFading, static_cast<float>(std::abs(distance) - 1));
    layer.composite_ghost(unpacked(distance < 0 ? kBeforeColor : kAfterColor), strength);
  }
}

bool draw_overdraw(Scene& scene, OffscreenLayer& layer, Renderer& renderer) {
  Actor& actor = *scene.find(Role::open);
  make_plain(actor, renderer);
  if (!actor.plain_skin || !layer.begin({1.0F, 1.0F, 1.0F, 1.0F})) return false;
  DrawList list = posed(scene).draw_list;
  for (DrawItem& item : list) item = {.mesh = item.mesh};  // Transparent meshes cost just as much.
  const Appearance dimming{.tint = {0.0F, 0.0F, 0.0F, kCountedAlpha}};
  renderer.draw(actor.document.model, posed(scene).palette, list, scene.view.camera, {dimming, &*actor.plain_skin});
  layer.composite_counts(kOverdrawColors);
  return true;
}

namespace {

constexpr float kZoomPerNotch = 1.15F;
constexpr float kTile = 12.0F;
constexpr float kMinGridDistance = 14.0F;
constexpr float kSmoothFitMargin = 0.07F;
constexpr float kHardFitMargin = 0.01F;  ///< Whole zooms leave enough room.
constexpr float kMinZoom = 0.01F;        ///< Viewport pixels per world pixel of a character of the usual size.
constexpr float kMaxZoom = 64.0F;
/// Share of the viewport that a character must have for Fit::center to keep the zoom.
constexpr float kMinSeenShare = 1.0F / 16.0F;
constexpr float kMaxSeenShare = 4.0F;
constexpr Color kDifferenceColor{1.0F, 0.22F, 0.75F};
/// Shown if a clip has nothing visible to fit.
constexpr Rect kNothing{{-100.0F, -100.0F}, {100.0F, 100.0F}};

/// Moves the camera by as much as the root bone, which is the first one, moved since the last call.
void follow_root(Scene& scene) {
  View& view = scene.view;
  if (!view.follow_root || !scene.document() || scene.document()->character().bones().empty())
    return view.followed.reset();
  const Vec2 at = posed(scene).world.front()[2];
  const Vec2 moved = at - std::exchange(view.followed, at).value_or(at);
  view.camera.center += moved;
  if (view.fitted) *view.fitted = {view.fitted->min + moved, view.fitted->max + moved};
}

/// Does what view.fit requests.
void find_fit(Scene& scene) {
  View& view = scene.view;
  auto found = shown_bounds(scene, *view.fit);
  if (!found) return;
  const bool only_center = std::exchange(view.fit, std::nullopt) == Fit::center;
  if (found->empty()) found = kNothing;
  const Vec2 share = found->size() * view.camera.zoom / view.camera.viewport;
  const float largest = std::max(share.x, share.y);
  if (only_center && largest > kMinSeenShare && largest < kMaxSeenShare) {
    view.camera.center = found->center();
    view.fitted.reset();
  } else {
    view.fitted = found;
  }
}

GroundView ground_view(Scene& scene) noexcept {
  Document& document = *scene.document();
  return {scene.view.turntable, scene.view.camera, document.pivot, extent_of(document, scene.playback.clip).box};
}

void draw_background(Scene& scene, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                     BackgroundPainter& background) {
  const View& view = scene.view;
  const Rect pixels = pixels_of(canvas.area, canvas.pixels);
  const float unit = interface_scale * canvas.pixels;
  if (view.background == Background::image && background.has_image()) {
    return background.draw_image(framebuffer, pixels, view.color, view.tiled ? unit : 0.0F);
  }
  const float thickness = std::max(std::floor(unit), 1.0F);
  const bool is_3d = scene.shows_3d();
  GridLines grid;
  if (view.grid && scene.document() && !is_3d) {
    grid = grid_lines(view.camera, grid_step(scene, canvas, interface_scale), thickness);
  }
  const Color& light = view.background != Background::color ? kCheckerLight : view.color;
  const Color& dark = view.background != Background::color ? kCheckerDark : view.color;
  background.draw(framebuffer, pixels, light, dark, std::round(kTile * unit), grid);
  if (!view.grid || !is_3d) return;
  const bool bright = light[0] * 0.3F + light[1] * 0.6F + light[2] * 0.1F > 0.5F;
  const std::array<float, 3> ink = bright ? std::array{0.0F, 0.0F, 0.0F} : std::array{1.0F, 1.0F, 1.0F};
  background.draw_lines(ground_lines(ground_view(scene), grid_step(scene, canvas, interface_scale), ink, thickness),
                        pixels.size());
}

/// Draws the characters behind the open one.
void draw_lineup(Scene& scene, Renderer& renderer) {
  for (Actor& member : scene.members()) {
    draw_character(scene, member.document.model, lineup_posed(scene, member), lineup_camera(scene, member), renderer);
  }
}

/// Draws the line that a lineup stands on.
void draw_ground(const Scene& scene, const Canvas& canvas, BackgroundPainter& background) {
  constexpr std::array kColor{0.5F, 0.5F, 0.5F, 0.8F};
  const Vec2 viewport = canvas.area.size() * canvas.pixels;
  const float at = std::round(apply(world_to_viewport(scene.view.camera), Vec2{0.0F, scene.lineup.ground}).y);
  const SeenLine line{{0.0F, at}, {viewport.x, at}, kColor, std::max(std::round(canvas.pixels), 1.0F)};
  background.draw_lines({&line, 1}, viewport);
}

/// Side by side, each side has its own background, with the grid aligned to the character.
void draw_backgrounds(Scene& scene, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                      BackgroundPainter& background) {
  const Sides sides = sides_of(scene, canvas);
  draw_background(scene, sides.first, framebuffer, interface_scale, background);
  if (lining_up(scene)) draw_ground(scene, canvas, background);
  if (!comparing(scene) || sides.second.area.min == sides.first.area.min) return;
  draw_background(scene, sides.second, framebuffer, interface_scale, background);
}

void add(DrawStatistics& sum, const DrawStatistics& drawn) {
  sum.draw_calls += drawn.draw_calls;
  sum.triangles += drawn.triangles;
  sum.uploaded_bytes += drawn.uploaded_bytes;
}

/// `layers`: draw the onion skin, or overdraw instead of the character.
void draw_alone(Scene& scene, bool layers, Graphics& graphics) {
  const View& view = scene.view;
  const bool overdraw = layers && view.overdraw && !scene.shows_3d();
  if (layers && view.onion && !overdraw) draw_onion(scene, graphics.layer, graphics.renderer);
  if (!overdraw || !draw_overdraw(scene, graphics.layer, graphics.renderer)) {
    draw_character(scene, scene.document()->model, posed(scene), scene.view.camera, graphics.renderer);
  }
  scene.drawn = graphics.renderer.statistics();
}

void draw_characters(Scene& scene, const Canvas& canvas, Vec2 framebuffer, bool layers, const std::optional<Rect>& part,
                     Graphics& graphics) {
  scene.drawn = {};
  if (!scene.document()) return;
  const auto begin = [&](const Canvas& side, const Rect& shown) {
    BackgroundPainter::begin_part(framebuffer, pixels_of(side.area, side.pixels), pixels_of(shown, side.pixels));
  };
  const auto draw = [&](const Model& model, const PoseBuffers& posed) {
    draw_character(scene, model, posed, scene.view.camera, graphics.renderer);
    add(scene.drawn, graphics.renderer.statistics());
  };
  const Sides sides = sides_of(scene, canvas);
  begin(sides.first, part.value_or(sides.first_shown));
  if (comparing(scene) && scene.comparison.mode == CompareMode::difference) {
    constexpr std::array kNothingYet{0.0F, 0.0F, 0.0F, 0.0F};
    gl().Disable(GL_SCISSOR_TEST);
    if (!graphics.layer.begin(kNothingYet)) return;
    draw(scene.document()->model, posed(scene));
    graphics.layer.keep();
    if (!graphics.layer.begin(kNothingYet)) return;
    draw(second_document(scene).model, second_posed(scene));
    return graphics.layer.composite_difference(kDifferenceColor);
  }
  if (comparing(scene)) {
    draw(scene.document()->model, posed(scene));
    begin(sides.second, sides.second_shown);
    draw(second_document(scene).model, second_posed(scene));
  }
  if (!part) gl().Disable(GL_SCISSOR_TEST);
  if (lining_up(scene)) draw_lineup(scene, graphics.renderer);
  if (!comparing(scene)) draw_alone(scene, layers, graphics);
}

/// Rotates as if the mouse held the character's front: half a turn over the canvas height.
void drag_to_rotate(View& view, const Canvas& canvas, Vec2 dragged) {
  const Vec2 degrees = dragged * (180.0F / std::max(canvas.area.size().y, 1.0F));
  Turntable turntable = view.turntable;
  turntable.yaw_degrees -= degrees.x;
  turntable.pitch_degrees += degrees.y;
  view.turntable = limited(turntable);
  view.fitted.reset();
}

/// Returns the max distance from z = 0. It is far more than any pose stretches, since depth has bits to spare.
float reach_of(Scene& scene) {
  constexpr float kStretched = 16.0F;
  float reach = 1e-6F;
  const auto include = [&](const Character& character, const Box& box) {
    const Box seen = rotated_box(rotation_of(scene, character), box);
    if (seen.empty()) return;
    const Vec3 far = glm::max(glm::abs(seen.min), glm::abs(seen.max));
    reach = std::max({reach, far.x, far.y, far.z});
  };
  include(scene.document()->character(), extent_of(*scene.document(), scene.playback.clip).box);
  if (comparing(scene))
    include(second_document(scene).model.character(), extent_of(second_document(scene), scene.comparison.clip).box);
  for (Actor& member : scene.members()) {
    if (member.document.is_3d())
      include(member.document.character(), extent_of(member.document, lineup_clip(scene, member)).box);
  }
  return reach * kStretched;
}

}  // namespace

Rect pixels_of(const Rect& area, float pixels) {
  return {glm::round(area.min * pixels), glm::round(area.max * pixels)};
}

Sides sides_of(Scene& scene, const Canvas& canvas) {
  const Rect& all = canvas.area;
  if (!comparing(scene)) return {canvas, canvas, all, {all.max, all.max}};
  const float pixel = 1.0F / canvas.pixels;
  if (scene.comparison.mode == CompareMode::wipe) {
    const float divider = all.min.x + std::round(scene.comparison.divider * all.size().x / pixel) * pixel;
    return {canvas, canvas, {all.min, {divider, all.max.y}}, {{divider, all.min.y}, all.max}};
  }
  if (scene.comparison.mode == CompareMode::difference) return {canvas, canvas, all, {{all.max.x, all.min.y}, all.max}};
  const Vec2 half{std::floor(all.size().x * 0.5F / pixel) * pixel, all.size().y};
  const Rect left{all.min, all.min + half};
  const Rect right{{left.max.x, all.min.y}, left.max + Vec2{half.x, 0.0F}};
  return {{left, canvas.pixels}, {right, canvas.pixels}, left, right};
}

void place_camera(Scene& scene, const Canvas& canvas) {
  View& view = scene.view;
  Camera& camera = view.camera;
  camera.center -= std::exchange(view.snapped, Vec2{0.0F});
  camera.viewport = glm::max(canvas.area.size() * canvas.pixels, Vec2{1.0F});
  const bool hard = scene.document() && has_hard_pixels(view, scene.document()->character());
  follow_root(scene);
  if (view.fit) find_fit(scene);
  if (view.fitted) {
    camera = fit(camera, *view.fitted, hard ? kHardFitMargin : kSmoothFitMargin);
    if (hard) camera.zoom = whole_zoom_below(camera.zoom);
  }
  if (!hard) return;
  camera.zoom = nearest_whole_zoom(camera.zoom);
  const Vec2 before = camera.center;
  camera = aligned_to_pixels(camera, texel_corner(scene.document()->character()));
  view.snapped = camera.center - before;
}

float limited_zoom(Scene& scene, float zoom) {
  constexpr float kUsualSize = 400.0F;
  const Vec3 size = scene.document() ? extent_of(*scene.document(), scene.playback.clip).box.size() : Vec3{0.0F};
  const float largest = std::max({size.x, size.y, size.z});
  const float unit = largest > 0.0F ? kUsualSize / largest : 1.0F;
  const float usual = scene.shows_3d() ? unit : 1.0F;
  const float now = scene.view.camera.zoom;  // Fitting has no limits.
  return std::clamp(zoom, std::min(kMinZoom * std::min(unit, usual), now),
                    std::max(kMaxZoom * std::max(unit, usual), now));
}

void zoom(Scene& scene, const Canvas& canvas, Vec2 at, float factor) {
  View& view = scene.view;
  const float wanted = limited_zoom(scene, view.camera.zoom * factor);
  view.camera = zoom_at(view.camera, canvas.to_viewport(at), wanted / view.camera.zoom);
  view.fitted.reset();
}

float wheel_factor(Scene& scene, float notches) {
  View& view = scene.view;
  if (!scene.document() || !has_hard_pixels(view, scene.document()->character()))
    return std::pow(kZoomPerNotch, notches);
  // Touchpads send fractions of notches.
  view.wheel = view.wheel * notches < 0.0F ? notches : view.wheel + notches;
  const float whole = std::trunc(view.wheel);
  view.wheel -= whole;
  if (whole == 0.0F) return 1.0F;
  return next_whole_zoom(view.camera.zoom, std::pow(kZoomPerNotch, whole)) / view.camera.zoom;
}

void navigate(Scene& scene, const Canvas& canvas) {
  View& view = scene.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse) return;
  if (io.MouseWheel != 0.0F) {
    zoom(scene, canvas, {io.MousePos.x, io.MousePos.y}, wheel_factor(scene, io.MouseWheel));
  }
  for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseDragging(button, 0.0F) || ImGui::IsMouseClicked(button)) continue;
    const Vec2 dragged{io.MouseDelta.x, io.MouseDelta.y};
    if (dragged == Vec2{0.0F}) return;
    const bool rotates = button == ImGuiMouseButton_Right || (button == ImGuiMouseButton_Left && io.KeyAlt);
    if (rotates && scene.shows_3d()) return drag_to_rotate(scene.view, canvas, dragged);
    const Vec2 moved = dragged * canvas.pixels / view.camera.zoom;
    view.camera.center += Vec2{-moved.x, view.camera.flip_y ? -moved.y : moved.y};
    view.fitted.reset();
    return;
  }
}

std::optional<Vec2> clicked_point(const Rect& area, ImGuiMouseButton button) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || io.MouseDownOwned[button] || !ImGui::IsMouseReleased(button)) return std::nullopt;
  if (io.MouseDragMaxDistanceSqr[button] > io.MouseDragThreshold * io.MouseDragThreshold) return std::nullopt;
  const Vec2 at{io.MousePos.x, io.MousePos.y};
  const bool inside = at.x >= area.min.x && at.y >= area.min.y && at.x < area.max.x && at.y < area.max.y;
  return inside ? std::optional(at) : std::nullopt;
}

GridStep grid_step(Scene& scene, const Canvas& canvas, float interface_scale) noexcept {
  const float min_distance = kMinGridDistance * interface_scale * canvas.pixels;
  if (scene.shows_3d()) return ground_step(ground_view(scene), min_distance);
  return grid_step(scene.view.camera.zoom, min_distance);
}

std::optional<Rect> changing_area(const Scene& scene, const Canvas& canvas) {
  constexpr float kEdge = 2.0F;
  const View& view = scene.view;
  const bool alone = scene.document() && !scene.shows_3d() && !comparing(scene) && !lining_up(scene);
  if (!alone || view.onion || view.overdraw || view.presenting) return std::nullopt;
  const Rect drawn = bounds(scene.document()->character(), scene.find(Role::open)->figure.posed);
  if (drawn.empty()) return Rect{canvas.area.min, canvas.area.min};
  const Affine to_viewport = world_to_viewport(view.camera);
  Rect seen;
  for (const Vec2 corner : {drawn.min, drawn.max}) seen.include(apply(to_viewport, corner));
  const Vec2 min = glm::floor(seen.min - kEdge) / canvas.pixels + canvas.area.min;
  const Vec2 max = glm::ceil(seen.max + kEdge) / canvas.pixels + canvas.area.min;
  return Rect{glm::clamp(min, canvas.area.min, canvas.area.max), glm::clamp(max, canvas.area.min, canvas.area.max)};
}

void draw_canvas(Scene& scene, const Canvas& canvas, Vec2 framebuffer, float interface_scale,
                 const std::optional<Rect>& part, Graphics& graphics) {
  const Rect& area = canvas.area;
  BackgroundPainter::begin_part(framebuffer, pixels_of(area, canvas.pixels),
                                pixels_of(part.value_or(area), canvas.pixels));
  draw_backgrounds(scene, canvas, framebuffer, interface_scale, graphics.background);
  draw_characters(scene, canvas, framebuffer, true, part, graphics);
  gl().Disable(GL_SCISSOR_TEST);
}

void draw_transparent(Scene& scene, const Canvas& canvas, Vec2 framebuffer, Graphics& graphics) {
  BackgroundPainter::clear();
  draw_characters(scene, canvas, framebuffer, false, {}, graphics);
}

Expected<Bitmap, RenderError> render_canvas(Scene& scene, const Canvas& canvas, float interface_scale,
                                            bool on_background, GetProcAddress get_proc_address, Graphics& graphics) {
  const Canvas alone{{Vec2{0.0F}, canvas.area.size()}, canvas.pixels};
  const Vec2 size = pixels_of(canvas.area, canvas.pixels).size();
  auto target = OffscreenTarget::create(get_proc_address, static_cast<std::uint32_t>(size.x),
                                        static_cast<std::uint32_t>(size.y), kCanvasSamples);
  if (!target) return Unexpected(std::move(target.error()));
  target->begin();
  if (on_background) draw_backgrounds(scene, alone, size, interface_scale, graphics.background);
  draw_characters(scene, alone, size, false, {}, graphics);
  return target->finish();
}

void draw_character(Scene& scene, const Model& model, const PoseBuffers& posed, const Camera& camera,
                    Renderer& renderer) {
  if (!model.character().is_3d()) return renderer.draw(model, posed, camera);
  SceneView view = scene_view(camera, reach_of(scene));
  view.cull_back_faces = scene.view.turntable.cull_back_faces;
  renderer.draw_scene(model, posed, view);
}

bool drag_lineup(Scene& scene, const Canvas& canvas) {
  Lineup& lineup = scene.lineup;
  const ImGuiIO& io = ImGui::GetIO();
  if (!lining_up(scene) || !io.MouseDown[ImGuiMouseButton_Left]) lineup.held = Lineup::Held::nothing;
  if (lineup.held == Lineup::Held::selected && !lineup.selected) lineup.held = Lineup::Held::nothing;
  if (!lining_up(scene) || io.WantCaptureMouse) return false;
  const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !io.KeyAlt;
  if (pressed || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    const Vec2 at = viewport_to_world(scene.view.camera, canvas.to_viewport(io.MousePos));
    const bool open =
        hit_test(scene.document()->character(), posed(scene), scene.document()->selection.masks, at).has_value();
    lineup.selected = open ? nullptr : member_at(scene, at);
    if (pressed && (open || lineup.selected)) lineup.held = open ? Lineup::Held::open : Lineup::Held::selected;
  }
  if (lineup.held == Lineup::Held::nothing) return false;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const Vec2 moved = Vec2{io.MouseDelta.x, io.MouseDelta.y} * canvas.pixels / scene.view.camera.zoom;
    const Vec2 by{moved.x, scene.view.camera.flip_y ? moved.y : -moved.y};
    Actor& held = lineup.held == Lineup::Held::open ? *scene.find(Role::open) : *lineup.selected;
    if (by != Vec2{0.0F}) move_in_lineup(scene, held, by);
  }
  return true;
}

}  // namespace pchr::player
