// SPDX-License-Identifier: MIT
// The C interface: the OpenGL renderer.
#ifdef PCHR_WITH_RENDER
#include "c/c.hpp"

#include <pchr/offscreen.hpp>

struct pchr_renderer {
  pchr::Renderer renderer;
  std::vector<pchr::Instance> instances{};  ///< For C++.
  std::vector<pchr::PosedInstance> posed{};
  std::vector<pchr::Attachment> attachments{};
};

struct pchr_model {
  pchr::Model model;
};

struct pchr_upload {
  pchr::Upload upload;
};

struct pchr_gpu_skin {
  pchr::Skin skin;
  pchr::Character character;
};

struct pchr_headless {
  pchr::HeadlessContext context;
};

struct pchr_target {
  pchr::OffscreenTarget target;
  std::size_t bytes;
  bool begun = false;
};

namespace pchr::c {
namespace {

DepthMode depth_of(pchr_depth_mode depth) noexcept {
  static_assert(static_cast<int>(DepthMode::off) == PCHR_DEPTH_OFF &&
                static_cast<int>(DepthMode::test) == PCHR_DEPTH_TEST &&
                static_cast<int>(DepthMode::test_and_write) == PCHR_DEPTH_TEST_AND_WRITE);
  return static_cast<unsigned>(depth) <= PCHR_DEPTH_TEST_AND_WRITE ? static_cast<DepthMode>(depth) : DepthMode::off;
}

StateHandling state_of(const pchr_draw_options& options) noexcept {
  return options.leave_state ? StateHandling::dirty : StateHandling::restore;
}

bool fits(const pchr_gpu_skin* skin, const pchr_model& model) noexcept {
  return skin == nullptr || is_same(skin->character, model.model.character());
}

const Skin* skin_of(const pchr_gpu_skin* skin) noexcept { return skin != nullptr ? &skin->skin : nullptr; }

/// Converts instances into `renderer.instances`. Returns false if one is not valid.
bool take_instances(pchr_renderer& renderer, const pchr_model& model, const pchr_instance* instances,
                    std::uint32_t count) {
  if (instances == nullptr ? count != 0 : size_of(*instances) == 0) return false;
  const auto clips = model.model.character().clips();
  renderer.instances.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::optional<pchr_instance> given = read(element(instances, i));
    const std::optional<Appearance> appearance = given ? appearance_of(given->appearance) : std::nullopt;
    if (!appearance || !fits(given->skin, model)) return false;
    const ClipId clip = id_in(clips, given->clip);
    Instance instance{clip, time_of(&given->time, clips[clip]), *appearance, skin_of(given->skin)};
    if (given->fade_weight > 0) {
      instance.fade_clip = id_in(clips, given->fade_clip);
      instance.fade_position = time_of(&given->fade_time, clips[instance.fade_clip]);
      instance.fade_weight = given->fade_weight;
    }
    renderer.instances.push_back(instance);
  }
  return true;
}

/// Returns the arrays of a crowd, or nothing if they are not valid.
std::optional<Crowd> crowd_of(const pchr_crowd* given) noexcept {
  const std::optional<pchr_crowd> crowd = read(given);
  if (!crowd) return std::nullopt;
  const std::size_t count = crowd->count;
  if (count == 0) return Crowd{};
  const auto is_one_or_each = [&](std::uint32_t length) { return length == count || length == 1; };
  const bool has_fades = crowd->fade_weights != nullptr;
  if (crowd->placements == nullptr || crowd->clips == nullptr || crowd->seconds == nullptr ||
      !is_one_or_each(crowd->clip_count) || !is_one_or_each(crowd->seconds_count) ||
      (crowd->fade_clips != nullptr) != has_fades || (crowd->fade_seconds != nullptr) != has_fades) {
    return std::nullopt;
  }
  Crowd result{{reinterpret_cast<const Affine*>(crowd->placements), count},
               {reinterpret_cast<const ClipId*>(crowd->clips), crowd->clip_count},
               {crowd->seconds, crowd->seconds_count},
               sampling_of(crowd->sampling)};
  if (crowd->tints != nullptr) result.tints = {reinterpret_cast<const std::array<float, 4>*>(crowd->tints), count};
  if (has_fades) {
    result.fade_clips = {reinterpret_cast<const ClipId*>(crowd->fade_clips), count};
    result.fade_seconds = {crowd->fade_seconds, count};
    result.fade_weights = {crowd->fade_weights, count};
  }
  const auto is_finite = [](double number) { return std::isfinite(number); };
  if (!std::ranges::all_of(result.seconds, is_finite) || !std::ranges::all_of(result.fade_seconds, is_finite)) {
    return std::nullopt;
  }
  return result;
}
static_assert(sizeof(ClipId) == sizeof(std::uint32_t) && sizeof(std::array<float, 4>) == 4 * sizeof(float));

/// Converts attachments into `renderer.attachments`. Returns false if one is not valid.
bool take_attachments(pchr_renderer& renderer, const Character& character, const pchr_attachment* attachments,
                      std::uint32_t count) {
  if (attachments == nullptr ? count != 0 : size_of(*attachments) == 0) return false;
  renderer.attachments.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const pchr_attachment* const given = element(attachments, i);
    const std::optional<pchr_attachment> values = read(given);
    const std::optional<Appearance> appearance = values ? appearance_of(values->appearance) : std::nullopt;
    if (!appearance) return false;
    Attachment attachment;
    attachment.bone = id_in(character.bones(), values->bone);
    attachment.place = {id_in(character.meshes(), values->place.mesh), values->place.behind};
    attachment.appearance = *appearance;
    if (values->model != nullptr && values->pose != nullptr) {
      if (!is_same(values->model->model.character(), values->pose->character)) return false;
      if (!fits(values->skin, *values->model)) return false;
      attachment.model = &values->model->model;
      attachment.posed = &values->pose->posed;
      attachment.skin = skin_of(values->skin);
    }
    if (values->draw != nullptr) {
      attachment.draw = [](void* user, const Affine& world) {
        const auto* const callback = static_cast<const pchr_attachment*>(user);
        const pchr_affine transform = affine_for_c(world);
        callback->draw(callback->user, &transform);
      };
      attachment.user = const_cast<pchr_attachment*>(given);
    }
    renderer.attachments.push_back(attachment);
  }
  return true;
}

/// Returns nothing if the options are not valid for a pose of `model`.
std::optional<DrawOptions> pose_options_of(const pchr_draw_options& given, const pchr_model& model) noexcept {
  const std::optional<Appearance> appearance = appearance_of(given.appearance);
  if (!appearance || !fits(given.skin, model)) return std::nullopt;
  return DrawOptions{*appearance, skin_of(given.skin), state_of(given), depth_of(given.depth)};
}

std::optional<OrbitCamera> orbit_of(const pchr_orbit_camera* given) noexcept {
  const std::optional<pchr_orbit_camera> camera = read(given);
  if (!camera) return std::nullopt;
  const auto value_or = [](float value, float otherwise) { return value == 0 ? otherwise : value; };
  return OrbitCamera{{camera->target[0], camera->target[1], camera->target[2]},
                     camera->yaw_degrees,
                     camera->pitch_degrees,
                     value_or(camera->distance, 1),
                     value_or(camera->field_of_view_degrees, 30),
                     {value_or(camera->viewport_width, 1), value_or(camera->viewport_height, 1)}};
}

std::optional<SceneView> view_of(const pchr_scene_view* given) noexcept {
  const std::optional<pchr_scene_view> view = read(given);
  if (!view) return std::nullopt;
  SceneView result;
  std::memcpy(&result.world_to_clip, view->world_to_clip, sizeof(view->world_to_clip));
  std::memcpy(&result.world_to_view, view->world_to_view, sizeof(view->world_to_view));
  result.clear_depth = !view->keep_depth;
  result.cull_back_faces = view->cull_back_faces;
  return result;
}
static_assert(sizeof(glm::mat4) == sizeof(pchr_scene_view::world_to_clip));
static_assert(sizeof(glm::mat3) == sizeof(pchr_scene_view::world_to_view));

template <class Result, class Value>
Result* made(Expected<Value, RenderError> value, pchr_error* error) {
  if (value) return new Result{std::move(*value)};
  return set_error(error, "", value.error().message), nullptr;
}

/// Copies decoded images, or decodes them if `images` or one of them is null.
Expected<std::vector<Bitmap>, Diagnostic> bitmaps_of(const pchr_character& handle, const std::uint8_t* const* images) {
  if (images == nullptr) return decode_images(handle.character, handle.limits);
  std::vector<Bitmap> bitmaps;
  for (const Image& image : handle.character.images()) {
    const std::uint8_t* const rgba = *images++;
    if (rgba == nullptr) return decode_images(handle.character, handle.limits);
    const std::size_t size = std::size_t{image.width} * image.height * 4;
    bitmaps.push_back({image.width, image.height, {rgba, rgba + size}});
  }
  return bitmaps;
}

ProgramCache cache_of(const pchr_program_cache* given) {
  if (given == nullptr) return {};
  ProgramCache cache;
  void* const user = const_cast<pchr_program_cache*>(given);
  const auto load = [](void* functions, const std::string& key) {
    const auto& [load_bytes, store_bytes, own] = *static_cast<const pchr_program_cache*>(functions);
    std::vector<std::byte> bytes(load_bytes(own, key.c_str(), nullptr, 0));
    // Another process can have changed them.
    if (load_bytes(own, key.c_str(), bytes.data(), bytes.size()) != bytes.size()) bytes.clear();
    return bytes;
  };
  const auto store = [](void* functions, const std::string& key, std::span<const std::byte> bytes) {
    const auto& [load_bytes, store_bytes, own] = *static_cast<const pchr_program_cache*>(functions);
    store_bytes(own, key.c_str(), bytes.data(), bytes.size());
  };
  if (given->load != nullptr) cache.load = {load, user};
  if (given->store != nullptr) cache.store = {store, user};
  return cache;
}

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

pchr_renderer* pchr_renderer_create(pchr_get_proc_address get_proc_address, const pchr_renderer_options* options,
                                    pchr_error* error) {
#ifdef PCHR_GL_IS_IMPORTED
  constexpr bool kIsImported = true;
#else
  constexpr bool kIsImported = false;
#endif
  return try_call(error, kIsImported || get_proc_address != nullptr, [&]() -> pchr_renderer* {
    const std::optional<pchr_renderer_options> given = read(options);
    if (!given) return set_error(error, "", "the struct_size of the options is too small"), nullptr;
    pchr::RendererOptions settings;
    settings.compile_on_first_use = kIsImported;
    if (given->linear) settings.blend_space = pchr::BlendSpace::linear;
    if (given->palette_budget_bytes != 0) settings.palette_budget_bytes = given->palette_budget_bytes;
    if (given->fragment_main != nullptr) settings.fragment_main = given->fragment_main;
    if (given->bake_bytes_per_draw != 0) settings.bake_bytes_per_draw = given->bake_bytes_per_draw;
    settings.executor = executor_of(given->executor);
    settings.program_cache = cache_of(given->program_cache);
    return made<pchr_renderer>(pchr::Renderer::create(get_proc_address, settings), error);
  });
}

void pchr_renderer_free(pchr_renderer* renderer) { delete renderer; }

bool pchr_renderer_set_effect_values(pchr_renderer* renderer, const float* values) {
  return call(exist(renderer, values),
              [&] { renderer->renderer.set_effect_values({values[0], values[1], values[2], values[3]}); });
}

uint64_t pchr_renderer_gpu_bytes(const pchr_renderer* renderer) {
  return renderer != nullptr ? renderer->renderer.gpu_bytes() : 0;
}

pchr_model* pchr_renderer_upload(pchr_renderer* renderer, const pchr_character* handle, pchr_error* error) {
  return try_call(error, exist(renderer, handle), [&] {
    return made<pchr_model>(renderer->renderer.upload(handle->character, handle->limits), error);
  });
}

void pchr_model_free(pchr_model* model) { delete model; }

uint64_t pchr_model_gpu_bytes(const pchr_model* model) { return model != nullptr ? model->model.gpu_bytes() : 0; }

void pchr_model_set_filter(pchr_model* model, pchr_filter filter) {
  static_assert(static_cast<int>(pchr::Filter::trilinear) == PCHR_FILTER_TRILINEAR &&
                static_cast<int>(pchr::Filter::bilinear) == PCHR_FILTER_BILINEAR &&
                static_cast<int>(pchr::Filter::nearest) == PCHR_FILTER_NEAREST);
  if (static_cast<unsigned>(filter) > PCHR_FILTER_NEAREST) return;
  call(exist(model), [&] { model->model.set_filter(static_cast<pchr::Filter>(filter)); });
}

pchr_upload* pchr_renderer_begin_upload(pchr_renderer* renderer, const pchr_character* handle,
                                        const uint8_t* const* images, pchr_error* error) {
  return try_call(error, exist(renderer, handle), [&]() -> pchr_upload* {
    auto bitmaps = bitmaps_of(*handle, images);
    if (!bitmaps) return set_error(error, bitmaps.error(), "character"), nullptr;
    return made<pchr_upload>(renderer->renderer.begin_upload(handle->character, std::move(*bitmaps)), error);
  });
}

bool pchr_upload_step(pchr_upload* upload, uint64_t bytes) {
  return call(exist(upload), [&] { return upload->upload.step(bytes); });
}

uint64_t pchr_upload_bytes_left(const pchr_upload* upload) {
  return upload != nullptr ? upload->upload.bytes_left() : 0;
}

pchr_model* pchr_upload_finish(pchr_upload* upload) {
  const std::unique_ptr<pchr_upload> owned(upload);
  return call(exist(upload), [&] { return new pchr_model{std::move(upload->upload).finish()}; });
}

void pchr_upload_free(pchr_upload* upload) { delete upload; }

pchr_gpu_skin* pchr_renderer_upload_skin(pchr_renderer* renderer, const pchr_model* model, const pchr_skin* skin,
                                         pchr_error* error) {
  return try_call(error, exist(renderer, model, skin), [&]() -> pchr_gpu_skin* {
    if (!is_same(model->model.character(), skin->character)) {
      return set_error(error, "", "the model and the skin belong to different characters"), nullptr;
    }
    auto uploaded = renderer->renderer.upload_skin(model->model, skin->data);
    if (!uploaded) return set_error(error, "", uploaded.error().message), nullptr;
    return new pchr_gpu_skin{std::move(*uploaded), model->model.character()};
  });
}

void pchr_gpu_skin_free(pchr_gpu_skin* skin) { delete skin; }

uint64_t pchr_gpu_skin_bytes(const pchr_gpu_skin* skin) { return skin != nullptr ? skin->skin.gpu_bytes() : 0; }

bool pchr_renderer_draw(pchr_renderer* renderer, const pchr_model* model, const pchr_instance* instances,
                        uint32_t count, const pchr_camera* camera, const pchr_draw_options* options) {
  return call(exist(renderer, model, camera), [&] {
    const std::optional<pchr_draw_options> given = read(options);
    const std::optional<pchr::Camera> view = camera_of(camera);
    if (!given || !view || !take_instances(*renderer, *model, instances, count)) return false;
    renderer->renderer.draw(model->model, renderer->instances, *view, state_of(*given), depth_of(given->depth));
    return true;
  });
}

bool pchr_renderer_draw_crowd(pchr_renderer* renderer, const pchr_model* model, const pchr_crowd* given,
                              const pchr_camera* camera, const pchr_draw_options* options) {
  return call(exist(renderer, model, given, camera), [&] {
    const std::optional<pchr_draw_options> how = read(options);
    const std::optional<pchr::Camera> view = camera_of(camera);
    const std::optional<pchr::Crowd> crowd = crowd_of(given);
    if (how && view && crowd) {
      renderer->renderer.draw(model->model, *crowd, *view, state_of(*how), depth_of(how->depth));
    }
    return how && view && crowd;
  });
}

bool pchr_renderer_draw_pose(pchr_renderer* renderer, const pchr_model* model, const pchr_pose* pose,
                             const pchr_camera* camera, const pchr_draw_options* options) {
  return call(exist(renderer, model, pose, camera), [&] {
    const std::optional<pchr_draw_options> given = read(options);
    const std::optional<pchr::Camera> view = camera_of(camera);
    if (!given || !view || !is_same(pose->character, model->model.character())) return false;
    const std::optional<pchr::DrawOptions> drawing = pose_options_of(*given, *model);
    if (!drawing) return false;
    if (!take_attachments(*renderer, pose->character, given->attachments, given->attachment_count)) return false;
    const pchr::DrawList& list = pose->posed.draw_list;
    if (given->first_item == 0 && given->item_count == 0) {
      // An attachment can draw with this renderer.
      std::vector<pchr::Attachment> attachments = std::move(renderer->attachments);
      renderer->renderer.draw(model->model, pose->posed, *view, *drawing, attachments);
      renderer->attachments = std::move(attachments);
      return true;
    }
    if (given->first_item > list.size() || !renderer->attachments.empty()) return false;
    const std::size_t left = list.size() - given->first_item;
    const std::size_t items = given->item_count == 0 ? left : std::min<std::size_t>(left, given->item_count);
    renderer->renderer.draw(model->model, pose->posed.palette, std::span(list).subspan(given->first_item, items), *view,
                            *drawing);
    return true;
  });
}

bool pchr_renderer_draw_poses(pchr_renderer* renderer, const pchr_model* model, const pchr_posed* posed, uint32_t count,
                              const pchr_camera* camera, const pchr_draw_options* options) {
  return call(exist(renderer, model, camera), [&] {
    const std::optional<pchr_draw_options> given = read(options);
    const std::optional<pchr::Camera> view = camera_of(camera);
    if (!given || !view || (posed == nullptr ? count != 0 : size_of(*posed) == 0)) return false;
    renderer->posed.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::optional<pchr_posed> values = read(element(posed, i));
      const std::optional<pchr::Appearance> appearance = values ? appearance_of(values->appearance) : std::nullopt;
      if (!appearance || values->pose == nullptr || !fits(values->skin, *model)) return false;
      if (!is_same(values->pose->character, model->model.character())) return false;
      renderer->posed.push_back({&values->pose->posed, *appearance, skin_of(values->skin)});
    }
    renderer->renderer.draw(model->model, renderer->posed, *view, state_of(*given), depth_of(given->depth));
    return true;
  });
}

bool pchr_renderer_bake(pchr_renderer* renderer, const pchr_model* model, uint32_t clip, pchr_sampling sampling) {
  return call(exist(renderer, model), [&] {
    if (clip >= model->model.character().clips().size()) return false;
    return renderer->renderer.bake(model->model, pchr::ClipId{clip}, sampling_of(sampling));
  });
}

bool pchr_renderer_statistics(const pchr_renderer* renderer, pchr_draw_statistics* out) {
  if (renderer == nullptr) return false;
  const pchr::DrawStatistics counters = renderer->renderer.statistics();
  return write({0, counters.draw_calls, counters.triangles, counters.uploaded_bytes, counters.instances,
                counters.culled, counters.posed},
               out);
}

bool pchr_orbit_camera_fit(pchr_orbit_camera* camera, const pchr_pose* pose, float margin) {
  return call(exist(camera, pose), [&] {
    const std::optional<pchr::OrbitCamera> given = orbit_of(camera);
    if (!given || !pose->character.is_3d()) return false;
    const pchr::OrbitCamera fitted = fit(*given, box_of(pose->character, pose->posed), margin);
    return write({0,
                  {fitted.target.x, fitted.target.y, fitted.target.z},
                  fitted.yaw_degrees,
                  fitted.pitch_degrees,
                  fitted.distance,
                  fitted.field_of_view_degrees,
                  fitted.viewport.x,
                  fitted.viewport.y},
                 camera);
  });
}

bool pchr_orbit_camera_view(const pchr_orbit_camera* camera, pchr_scene_view* out) {
  if (camera == nullptr) return false;
  const std::optional<pchr::OrbitCamera> given = orbit_of(camera);
  if (!given) return false;
  const pchr::SceneView view = scene_view(*given);
  pchr_scene_view result{};
  std::memcpy(result.world_to_clip, &view.world_to_clip, sizeof(result.world_to_clip));
  std::memcpy(result.world_to_view, &view.world_to_view, sizeof(result.world_to_view));
  return write(result, out);
}

bool pchr_renderer_draw_scene(pchr_renderer* renderer, const pchr_model* model, const pchr_instance* instances,
                              uint32_t count, const pchr_scene_view* view, const pchr_draw_options* options) {
  return call(exist(renderer, model, view), [&] {
    const std::optional<pchr_draw_options> given = read(options);
    const std::optional<pchr::SceneView> scene = view_of(view);
    if (!given || !scene || !model->model.character().is_3d()) return false;
    if (!take_instances(*renderer, *model, instances, count)) return false;
    renderer->renderer.draw_scene(model->model, renderer->instances, *scene, state_of(*given));
    return true;
  });
}

bool pchr_renderer_draw_pose_scene(pchr_renderer* renderer, const pchr_model* model, const pchr_pose* pose,
                                   const pchr_scene_view* view, const pchr_draw_options* options) {
  return call(exist(renderer, model, pose, view), [&] {
    const std::optional<pchr_draw_options> given = read(options);
    const std::optional<pchr::SceneView> scene = view_of(view);
    if (!given || !scene || !is_same(pose->character, model->model.character())) return false;
    if (!pose->character.is_3d()) return false;
    const std::optional<pchr::DrawOptions> drawing = pose_options_of(*given, *model);
    if (drawing) renderer->renderer.draw_scene(model->model, pose->posed, *scene, *drawing);
    return drawing.has_value();
  });
}

pchr_headless* pchr_headless_create(pchr_error* error) {
  return try_call(error, true, [&] { return made<pchr_headless>(pchr::HeadlessContext::create(), error); });
}

void pchr_headless_free(pchr_headless* headless) { delete headless; }

pchr_get_proc_address pchr_headless_get_proc_address(const pchr_headless* headless) {
  return headless != nullptr ? headless->context.get_proc_address() : nullptr;
}

pchr_target* pchr_target_create(pchr_get_proc_address get_proc_address, uint32_t width, uint32_t height,
                                uint32_t samples, pchr_error* error) {
  return try_call(error, get_proc_address != nullptr, [&]() -> pchr_target* {
    auto target = pchr::OffscreenTarget::create(get_proc_address, width, height, samples);
    if (!target) return set_error(error, "", target.error().message), nullptr;
    return new pchr_target{std::move(*target), std::size_t{width} * height * 4};
  });
}

void pchr_target_free(pchr_target* target) { delete target; }

bool pchr_target_begin(pchr_target* target, const float* color) {
  return call(exist(target), [&] {
    target->target.begin(color != nullptr ? std::array{color[0], color[1], color[2], color[3]}
                                          : std::array<float, 4>{});
    target->begun = true;
  });
}

bool pchr_target_finish(pchr_target* target, uint8_t* rgba, size_t size) {
  return call(exist(target, rgba), [&] {
    if (size < target->bytes || !target->begun) return false;
    target->begun = false;
    const pchr::Bitmap bitmap = target->target.finish();
    std::memcpy(rgba, bitmap.rgba.data(), bitmap.rgba.size());
    return true;
  });
}
#endif
