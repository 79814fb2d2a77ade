// SPDX-License-Identifier: MIT
#include <pchr/renderer.hpp>

#include "animation/skinning.hpp"
#include "character/format.hpp"
#include "compiler/vectors.hpp"
#include "render/batch.hpp"
#include "render/gl_state.hpp"
#include "render/palette_texture.hpp"
#include "render/texture.hpp"

#include <cassert>
#include <cmath>

namespace pchr {
namespace {

// Limits the instances of a batch and, roughly, its segments.
constexpr std::size_t kMaxBatchInstances = 65536;
constexpr GLsizeiptr kMaxStreamBytes = GLsizeiptr{64} << 20;

constexpr std::size_t kFilters = 3;

GLuint make_sampler(const Gl& gl, Filter filter, GLint wrap) {
  GLuint sampler = 0;
  gl.GenSamplers(1, &sampler);
  const GLint near = filter == Filter::nearest ? GL_NEAREST : GL_LINEAR;
  gl.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, near);
  gl.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter == Filter::trilinear ? GL_LINEAR_MIPMAP_LINEAR : near);
  gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_S, wrap);
  gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_T, wrap);
  return sampler;
}

void set_state(const Gl& gl, const Model::Resources& model, const Sight& sight, DepthMode depth) {
  const bool is_linear = model.space == BlendSpace::linear;
  for (const GLenum test : tests_of(gl)) set_enabled(gl, test, test == GL_FRAMEBUFFER_SRGB && is_linear);
  set_blending(gl, blending_of(Blend::normal));
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  if (!model.layout.is_3d && depth == DepthMode::off) return;
  gl.Enable(GL_DEPTH_TEST);
  gl.DepthFunc(GL_LEQUAL);
  gl.DepthMask(model.layout.is_3d || depth == DepthMode::test_and_write ? GL_TRUE : GL_FALSE);
  if (!model.layout.is_3d) return;
  set_enabled(gl, GL_CULL_FACE, sight.in_3d.cull_back_faces);
  gl.CullFace(GL_BACK);
  gl.FrontFace(GL_CCW);
  constexpr GLfloat kFarthest = 1;
  if (sight.in_3d.clear_depth) gl.ClearBufferfv(GL_DEPTH, 0, &kFarthest);
}

/// The visible part of the world. The default sees everything.
class View {
 public:
  View() : center_{}, half_(all_lanes<Float4>(HUGE_VALF)) {}
  explicit View(const Camera& camera) {
    const Vec2 half = camera.viewport * (0.5F / camera.zoom);
    center_ = Float4{camera.center.x, camera.center.y, 0, 0};
    // Slightly more, so that rounding never culls anything visible.
    const auto reach = [](float side, float center) { return side + (std::abs(center) + side) * 1.0e-5F; };
    half_ = Float4{reach(half.x, camera.center.x), reach(half.y, camera.center.y), 0, 0};
  }

  /// Returns 1 if any of the box is visible at `placement`, or if that is not a number; else 0.
  [[nodiscard]] std::uint32_t sees(const CullBox& box, const Affine& placement) const noexcept {
    const Int4 sizes_are_positive{-1, -1, 0x7FFFFFFF, 0x7FFFFFFF};
    const auto corner = load_as<Float4>(&box), columns = load_as<Float4>(&placement);
    const auto translation = load_as<double>(&placement[2]);
    // Lanes 0 and 1 hold the placed center, lanes 2 and 3 half the size.
    const Float4 x = shuffle<0, 0, 2, 2>(corner);
    const Float4 y = shuffle<1, 1, 3, 3>(corner);
    const auto across = bits_as<Float4>(bits_as<Int4>(shuffle<0, 1, 0, 1>(columns)) & sizes_are_positive);
    const auto along = bits_as<Float4>(bits_as<Int4>(shuffle<2, 3, 2, 3>(columns)) & sizes_are_positive);
    const Float4 placed = across * x + along * y + bits_as<Float4>(Double2{translation, 0});
    const auto distance = bits_as<Float4>(bits_as<Int4>(placed - center_) & 0x7FFFFFFF);
    const Float4 reach = half_ + shuffle<2, 3, 2, 3>(placed);
    const auto beyond = bits_as<std::array<std::uint64_t, 2>>(distance > reach);
    return 1U - static_cast<std::uint32_t>(beyond[0] != 0);
  }

 private:
  Float4 center_, half_;
};

/// The baked rows of an instance. See BakedRow.
struct BakedPlace {
  const DrawSegment* segment;
  const CullBox* box;  ///< Null if the clip's rows cannot be used.
  std::uint32_t packed;
};

std::array<float, 4> product(const std::array<float, 4>& a, const std::array<float, 4>& b) noexcept {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
}

constexpr DrawSegment kNoSegment{BakedRow::kNotOneSegment, 0, 0};

PCHR_ALWAYS_INLINE inline BakedPlace find_place(const BakedClip& clip, const ClipTime& position) noexcept {
  // In clips with one row, any frame uses it.
  const std::uint32_t frame = std::min(position.frame, clip.last_frame);
  const BakedRow& row = clip.rows[std::size_t{frame} * clip.rate.steps];
  if (!(position.factor > 0)) return {&row.segment, &row.box, row.packed};
  if (!clip.rate.smooth) return {&kNoSegment, nullptr, 0};
  if (clip.last_frame == 0 || position.next == frame) return {&row.segment, &row.box, row.packed};
  const std::optional<std::uint32_t> steps = find_between(clip.rate, clip.last_frame, position);
  if (!steps) return {&kNoSegment, nullptr, 0};
  const std::uint32_t before = *steps / kFactorSteps, factor = *steps % kFactorSteps;
  return {&row.segment, factor == 0 ? &clip.rows[before].box : &clip.boxes_between[before],
          clip.rows[before].packed + factor};
}

/// Adds instances from the front for as long as there is room, they are plain and their rows are baked, which covers
/// nearly all of a crowd. Returns their number, including culled ones.
PCHR_NOINLINE std::size_t add_ready(const Model::Resources& model, const View& crowd_view,
                                    std::span<const Instance> instances, BatchCursor& batch_cursor) {
  const BakedClip* const clips = model.clips.data();
  const std::uint64_t use = model.palettes->use();
  const std::size_t bind_pose = model.clips.size() - 1;
  const View view = crowd_view;
  BatchCursor cursor = batch_cursor;
  const auto reachable = instances.first(std::min<std::size_t>(instances.size(), cursor.room()));
  auto instance = reachable.begin();
  for (; instance != reachable.end(); ++instance) {
    const BakedClip& clip = clips[std::min(index(instance->clip), bind_pose)];
    if (clip.in_use != use || instance->skin != nullptr || !is_plain(instance->appearance)) break;
    const BakedPlace place = find_place(clip, instance->position);
    if (!cursor.is_in_group(place.segment->image, clip.texture)) [[unlikely]] {
      if (place.segment->image == BakedRow::kNotOneSegment) break;
      cursor.enter_group(place.segment->image, clip.texture);
    }
    const std::uint32_t visible = view.sees(*place.box, instance->appearance.placement);
    const std::uint32_t row = clip.first_bone * kFactorSteps + place.packed;
    cursor.add_if(visible, instance->appearance.placement, instance->appearance.tint, row, *place.segment);
  }
  batch_cursor = cursor;
  return static_cast<std::size_t>(instance - reachable.begin());
}

}  // namespace

using LoadedGl = Expected<std::shared_ptr<const Gl>, RenderError>;

struct Renderer::Resources {
  static Expected<Renderer, RenderError> make_renderer(LoadedGl loaded, const RendererOptions& options);

  std::shared_ptr<const Gl> gl;
  std::shared_ptr<PaletteStore> palettes;
  BlendSpace space;
  Executor executor;
  Streams streams;
  Programs programs;
  std::array<GLuint, 2 * kFilters> samplers{};  ///< By Filter; the second half repeats images.
  DrawStatistics statistics{};
  std::array<float, 4> effect_values{};
  PoseBuffers posed{};                                        ///< For instances that are not baked.
  std::vector<std::pair<std::size_t, std::size_t>> places{};  ///< Of attachments: place and number. Back to front.

  ~Resources() {
    gl->DeleteSamplers(static_cast<GLsizei>(samplers.size()), samplers.data());
    gl->DeleteTextures(1, &streams.palette_texture);
  }

  Batch make_batch(const Model::Resources& model, const Sight& sight, DepthMode depth, SavedState* saved) {
    const std::size_t sampler = static_cast<std::size_t>(model.filter) + (model.layout.is_3d ? kFilters : 0);
    return {*gl,        model,
            programs,   streams,
            sight,      samplers[sampler],
            statistics, saved != nullptr ? &saved->units : nullptr,
            depth,      programs.has_hook() ? &effect_values : nullptr};
  }

  // A record draws one segment of an instance, or one piece of its skin.
  bool begin(const Model::Resources& model, Batch& batch, std::size_t instances) {
    const std::size_t max_per_instance = std::max(model.max_segments, model.max_pieces);
    const std::size_t count = std::min(instances * max_per_instance, std::max(kMaxBatchInstances, max_per_instance));
    return batch.begin(count, count);
  }

  // Returns the first bone, or nothing if GPU memory is exhausted. `is_dirty`: the state was not saved.
  std::optional<std::uint32_t> stream_palette(const Model::Resources& model, const Palette& palette, bool is_dirty) {
    const std::size_t bones = model.layout.row_bones();
    if (gl->is_es) {
      gl->ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
      if (is_dirty) reset_pixel_transfer(*gl, kUnpack);
    }
    const auto [memory, offset, renewed] =
        streams.palettes.reserve(static_cast<GLsizeiptr>(bones * sizeof(BoneTexels)));
    if (renewed && !gl->is_es) {
      gl->ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
      gl->BindTexture(GL_TEXTURE_BUFFER, streams.palette_texture);
      gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, streams.palettes.name());
    }
    if (memory == nullptr) return std::nullopt;
    const std::span<BoneTexels> out(reinterpret_cast<BoneTexels*>(memory), bones);
    model.layout.is_3d ? gather_palette(model.layout, palette.in_3d, out)
                       : gather_palette(model.layout, palette.in_2d, {}, out);
    streams.palettes.commit(static_cast<GLsizeiptr>(bones * sizeof(BoneTexels)));
    statistics.uploaded_bytes += bones * sizeof(BoneTexels);
    return static_cast<std::uint32_t>(offset / static_cast<GLintptr>(sizeof(BoneTexels)));
  }

  void draw_posed(const Model::Resources& model, Batch& batch, const Palette& palette, std::span<const DrawItem> list,
                  const Appearance& appearance, const Skin* applied) {
    const Skin::Resources* const skin = applied != nullptr ? applied->resources_.get() : nullptr;
    assert(skin == nullptr || skin->model == &model);
    const std::optional<std::uint32_t> first_bone = stream_palette(model, palette, batch.saved_units == nullptr);
    if (!first_bone || !batch.begin(list.size(), list.size())) return;
    const GLuint texture = gl->is_es ? streams.palettes.name() : streams.palette_texture;
    const std::uint32_t instances = statistics.instances;
    // One record per run of meshes with one look and image that are neighbors in the index list.
    Appearance look;
    DrawSegment run;
    const auto end_run = [&] {
      if (run.index_count == 0) return;
      batch.cursor.enter_group(run.image, texture, look.blend);
      batch.cursor.add(look, *first_bone * kFactorSteps, run);
    };
    for (const DrawItem& plain : list) {
      assert(plain.mesh == MeshId::none || index(plain.mesh) < model.orders.meshes.size());
      if (index(plain.mesh) >= model.orders.meshes.size()) continue;
      const std::optional<DrawItem> item = skin != nullptr ? apply_skin(skin->data, plain) : plain;
      if (!item) continue;
      DrawSegment mesh = model.orders.meshes[index(item->mesh)];
      if (mesh.index_count == 0) continue;
      mesh.image = texture_of(model, skin, *item);
      const Appearance mesh_look = combine(appearance, *item);
      if (run.image == mesh.image && run.first_index + run.index_count == mesh.first_index &&
          same_look(look, mesh_look)) {
        run.index_count += mesh.index_count;
        continue;
      }
      end_run();
      run = mesh;
      look = mesh_look;
    }
    end_run();
    batch.flush();
    statistics.instances = instances + 1;  // One instance, however many records it took.
    ++statistics.posed;
  }

  void draw_unbaked(const Model::Resources& model, Batch& batch, const Instance& instance) {
    model.character.clips().contains(instance.clip)
        ? pose_clip(model.character, instance.clip, instance.position, posed)
        : pose_bind(model.character, posed);
    if (posed.draw_list.empty()) return;
    draw_posed(model, batch, palette_of(model.character, posed), posed.draw_list, instance.appearance, instance.skin);
  }

  void draw_instances(Model::Resources& parts, std::span<const Instance> instances, const View& view,
                      const Sight& sight, StateHandling state, DepthMode depth) {
    assert(parts.space == space);
    statistics = {};
    if (instances.empty() || parts.orders.meshes.empty()) return;
    std::optional<SavedState> saved;
    if (state == StateHandling::restore) saved.emplace(*gl, parts.layout.is_3d || depth != DepthMode::off);
    set_state(*gl, parts, sight, depth);
    parts.palettes->begin_use();
    const std::uint64_t use = parts.palettes->use();
    std::uint32_t more_records = 0;  // Records minus instances. Wraps modulo 2^32 if skins hide everything.
    Batch batch = make_batch(parts, sight, depth, saved ? &*saved : nullptr);
    if (!begin(parts, batch, instances.size())) return;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      i += add_ready(parts, view, instances.subspan(i), batch.cursor);
      if (i == instances.size()) break;
      const Instance& instance = instances[i];
      assert(instance.skin == nullptr || instance.skin->resources_->model == &parts);
      const ClipId clip = instance.clip;
      const bool smooth = instance.position.factor > 0;
      const BakedClip* baked = find_baked(parts, clip, smooth);
      if (baked == nullptr) {
        // Draw the instances that use the clip's old rows before they are replaced.
        if (parts.clip(clip).in_use == use) {
          batch.flush();
          if (!begin(parts, batch, instances.size() - i)) return;
        }
        gl->ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
        baked = pchr::bake(parts, clip, smooth, executor);
      }
      const BakedPlace place =
          baked != nullptr ? find_place(*baked, instance.position) : BakedPlace{&kNoSegment, nullptr, 0};
      const std::uint32_t order_number = parts.orders.of_frame(clip, instance.position.frame);
      const bool is_posed = place.box == nullptr || order_number == DrawOrders::kNone;
      const DrawOrder order = is_posed ? DrawOrder{} : parts.orders.orders[order_number];
      const auto segments = std::span(parts.orders.segments).subspan(order.first_segment, order.segment_count);
      std::span<const SkinPiece> pieces;
      if (instance.skin != nullptr && !is_posed) pieces = instance.skin->resources_->pieces_of(order_number);
      const std::size_t records = instance.skin != nullptr ? pieces.size() : segments.size();
      if (is_posed || batch.cursor.room() < std::max<std::size_t>(records, 1)) {
        // Earlier instances are drawn first, and later ones need room.
        batch.flush();
        if (is_posed) draw_unbaked(parts, batch, instance);
        if (!begin(parts, batch, instances.size() - i)) return;
        if (is_posed) continue;
      }
      if (order.segment_count == 0 || view.sees(*place.box, instance.appearance.placement) == 0) continue;
      const std::uint32_t row = baked->first_bone * kFactorSteps + place.packed;
      BatchCursor& cursor = batch.cursor;
      const Appearance& appearance = instance.appearance;
      if (instance.skin == nullptr) {
        for (const DrawSegment& segment : segments) {
          cursor.enter_group(segment.image, baked->texture, appearance.blend);
          cursor.add(appearance, row, segment);
        }
      } else {
        const bool plain = is_plain(appearance);
        for (const SkinPiece& piece : pieces) {
          if (plain && piece.only_tints) {
            cursor.enter_group(piece.segment.image, baked->texture);
            cursor.add_if(1, appearance.placement, product(appearance.tint, piece.look.tint), row, piece.segment);
            continue;
          }
          const Appearance look = combine(appearance, piece.look);
          cursor.enter_group(piece.segment.image, baked->texture, look.blend);
          cursor.add(look, row, piece.segment);
        }
      }
      more_records += static_cast<std::uint32_t>(records) - 1;
    }
    batch.flush();
    statistics.instances -= more_records;
    statistics.culled = static_cast<std::uint32_t>(instances.size()) - statistics.instances;
  }

  /// `saved` holds the state that must be restored later, or is null.
  void draw_pose(const Model::Resources& model, const Palette& palette, std::span<const DrawItem> list,
                 const Sight& sight, const DrawOptions& options, SavedState* saved) {
    assert(model.space == space);
    if (list.empty()) return;
    set_state(*gl, model, sight, options.depth);
    Batch batch = make_batch(model, sight, options.depth, saved);
    draw_posed(model, batch, palette, list, options.appearance, options.skin);
  }

  /// Draws a whole pose and what is attached to it.
  void draw_pose(const Model::Resources& model, const PoseBuffers& pose, const Sight& sight, const Camera& camera,
                 const DrawOptions& options, std::span<const Attachment> attachments) {
    statistics = {};
    // An attached model can be 3D.
    const bool with_depth = model.layout.is_3d || options.depth != DepthMode::off || !attachments.empty();
    std::optional<SavedState> saved;
    const auto draw = [&](const Model::Resources& parts, const PoseBuffers& shown, std::span<const DrawItem> list,
                          const Sight& seen, const DrawOptions& how) {
      if (list.empty()) return;
      if (!saved && options.state == StateHandling::restore) saved.emplace(*gl, with_depth);
      draw_pose(parts, palette_of(parts.character, shown), list, seen, how, saved ? &*saved : nullptr);
    };
    std::size_t drawn = 0;
    const auto draw_until = [&](std::size_t place) {
      const DrawStatistics before = statistics;
      draw(model, pose, std::span(pose.draw_list).subspan(drawn, place - drawn), sight, options);
      if (drawn > 0) {  // The character is one instance, however many parts it is drawn in.
        statistics.instances = before.instances;
        statistics.posed = before.posed;
      }
      drawn = place;
    };
    // A function that draws may attach something itself.
    std::vector<std::pair<std::size_t, std::size_t>> order = std::exchange(places, {});
    order.clear();
    for (std::size_t i = 0; i < attachments.size(); ++i) {
      order.emplace_back(
          model.layout.is_3d ? pose.draw_list.size() : find_place(model.character, pose, attachments[i].place), i);
    }
    std::ranges::sort(order);
    for (const auto& [place, number] : order) {
      draw_until(place);
      const Attachment& attachment = attachments[number];
      if (index(attachment.bone) >= pose.world.size()) continue;
      const Appearance& own = attachment.appearance;
      Appearance both =
          combine(options.appearance,
                  {.tint = own.tint, .dark_tint = own.dark_tint, .additive = own.additive, .blend = own.blend});
      for (std::size_t i = 0; i < both.effect.size(); ++i) both.effect[i] += own.effect[i];
      both.depth += own.depth;
      both.placement =
          concatenate(options.appearance.placement, concatenate(pose.world[index(attachment.bone)], own.placement));
      assert((attachment.model == nullptr) == (attachment.posed == nullptr));
      if (attachment.model != nullptr && attachment.posed != nullptr) {
        const Model::Resources& other = *attachment.model->resources_;
        draw(other, *attachment.posed, attachment.posed->draw_list, sight_of(other, camera),
             {both, attachment.skin, options.state, options.depth});
      }
      if (attachment.draw != nullptr) {
        saved.reset();
        const DrawStatistics so_far = statistics;
        attachment.draw(attachment.user, both.placement);
        statistics = so_far;
      }
    }
    draw_until(pose.draw_list.size());
    places = std::move(order);
  }

  /// Returns a view that shows the front of a 3D model.
  static Sight sight_of(const Model::Resources& model, const Camera& camera) {
    return model.layout.is_3d ? Sight{kIdentity, scene_view(camera, model.reach)} : Sight{world_to_clip(camera)};
  }
};

Renderer::Renderer(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

Expected<Renderer, RenderError> Renderer::create(GetProcAddress get_proc_address, const RendererOptions& options) {
  return Resources::make_renderer(load_gl(get_proc_address), options);
}

Expected<Renderer, RenderError> Renderer::create(GetProcAddressPointer get_proc_address,
                                                 const RendererOptions& options) {
  return Resources::make_renderer(load_gl(get_proc_address), options);
}

Expected<Renderer, RenderError> Renderer::Resources::make_renderer(LoadedGl loaded, const RendererOptions& options) {
  if (!loaded) return Unexpected(std::move(loaded.error()));
  const std::shared_ptr<const Gl> gl = std::move(*loaded);
  const SavedBindings saved(*gl);
  const auto max_palette_bytes = static_cast<GLsizeiptr>(
      std::min(max_palette_bones(*gl), std::uint64_t{PaletteStore::kMaxPageBones}) * sizeof(BoneTexels));
  std::unique_ptr<Resources> resources(new Resources{gl,
                                                     std::make_shared<PaletteStore>(gl, options.palette_budget_bytes),
                                                     options.blend_space,
                                                     options.executor,
                                                     {{gl, GL_ARRAY_BUFFER, kMaxStreamBytes},
                                                      {gl, GL_ARRAY_BUFFER, kMaxStreamBytes},
                                                      {gl, GL_DRAW_INDIRECT_BUFFER, kMaxStreamBytes},
                                                      {gl, palette_target(*gl), max_palette_bytes}},
                                                     Programs(gl, options.blend_space, options.fragment_main)});
  // The kind that plain 2D instances need tells whether the driver accepts the shaders.
  const ProgramKind first{false, false, false,
                          options.fragment_main.empty() ? LookSupport::none : LookSupport::one_image};
  if (auto built = resources->programs.get(first); !built) return Unexpected(std::move(built.error()));
  if (!options.compile_on_first_use) {
    if (auto built = resources->programs.compile_all(); !built) return Unexpected(std::move(built.error()));
  }
  for (const Filter filter : {Filter::trilinear, Filter::bilinear, Filter::nearest}) {
    const auto number = static_cast<std::size_t>(filter);
    resources->samplers[number] = make_sampler(*gl, filter, GL_CLAMP_TO_EDGE);
    resources->samplers[number + kFilters] = make_sampler(*gl, filter, GL_REPEAT);
  }
  gl->GenTextures(1, &resources->streams.palette_texture);
  return Renderer(std::move(resources));
}

Expected<Model, RenderError> Renderer::upload(const Character& character, const Limits& limits) {
  const auto bitmaps = decode_images(character, limits, resources_->executor);
  if (!bitmaps) return fail(describe(bitmaps.error(), "character"));
  return upload(character, *bitmaps);
}

Expected<Model, RenderError> Renderer::upload(const Character& character, std::span<const Bitmap> bitmaps) {
  const SavedBindings saved_bindings(*resources_->gl);
  auto upload = pchr::begin_upload(resources_->gl, resources_->palettes, resources_->space, character, bitmaps);
  if (!upload) return Unexpected(std::move(upload.error()));
  return Upload(std::move(*upload)).finish();
}

Expected<Upload, RenderError> Renderer::begin_upload(const Character& character, std::vector<Bitmap> bitmaps) {
  const SavedBindings saved_bindings(*resources_->gl);
  auto upload = pchr::begin_upload(resources_->gl, resources_->palettes, resources_->space, character, bitmaps);
  if (!upload) return Unexpected(std::move(upload.error()));
  // Moving a vector does not move its elements, so spans stay valid.
  (*upload)->own_bitmaps = std::move(bitmaps);
  return Upload(std::move(*upload));
}

Expected<Skin, RenderError> Renderer::upload_skin(const Model& model, const SkinData& skin) {
  Model::Resources& parts = *model.resources_;
  const Gl& gl = *resources_->gl;
  if (auto problem = validate_skin(skin, parts.character)) return fail(std::move(*problem));
  for (std::size_t i = 0; i < skin.images.size(); ++i) {
    if (const auto problem = validate_bitmap(gl, skin.images[i])) {
      return fail(format_text("images[{}] of skin \"{}\" {}", i, skin.name, *problem));
    }
  }
  const SavedBindings saved_bindings(gl);
  const SavedPixelTransfer saved_unpacking(gl, kUnpack);
  auto resources = make_skin(parts, skin);
  for (std::uint32_t order = 0; order < parts.orders.orders.size(); ++order) {
    parts.max_pieces = std::max(parts.max_pieces, static_cast<std::uint32_t>(resources->pieces_of(order).size()));
  }
  return Skin(std::move(resources));
}

bool Renderer::bake(const Model& model, ClipId clip, Sampling sampling) {
  Model::Resources& parts = *model.resources_;
  const Gl& gl = *resources_->gl;
  const SavedBindings saved(gl);
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  parts.palettes->begin_use();
  parts.clip(clip).baked_in_use = 0;  // An explicit request is baked at once.
  return pchr::bake(parts, clip, sampling == Sampling::smooth, resources_->executor) != nullptr;
}

void Renderer::draw(const Model& model, std::span<const Instance> instances, const Camera& camera, StateHandling state,
                    DepthMode depth) {
  Model::Resources& parts = *model.resources_;
  resources_->draw_instances(parts, instances, View(camera), Resources::sight_of(parts, camera), state, depth);
}

void Renderer::draw_scene(const Model& model, std::span<const Instance> instances, const SceneView& view,
                          StateHandling state) {
  Model::Resources& parts = *model.resources_;
  assert(parts.layout.is_3d);
  if (!parts.layout.is_3d) instances = {};
  resources_->draw_instances(parts, instances, View(), {kIdentity, view}, state, DepthMode::off);
}

void Renderer::draw(const Model& model, std::span<const Affine> palette, std::span<const DrawItem> draw_list,
                    const Camera& camera, const DrawOptions& options) {
  const Model::Resources& parts = *model.resources_;
  assert(palette.size() == parts.character.bones().size());
  resources_->statistics = {};
  if (parts.layout.is_3d || draw_list.empty()) return;
  std::optional<SavedState> saved;
  if (options.state == StateHandling::restore) saved.emplace(*resources_->gl, options.depth != DepthMode::off);
  resources_->draw_pose(parts, {palette, {}}, draw_list, {world_to_clip(camera)}, options, saved ? &*saved : nullptr);
}

void Renderer::draw(const Model& model, const PoseBuffers& posed, const Camera& camera, const DrawOptions& options,
                    std::span<const Attachment> attachments) {
  const Model::Resources& parts = *model.resources_;
  assert(posed.palette.size() == parts.character.bones().size());
  resources_->draw_pose(parts, posed, Resources::sight_of(parts, camera), camera, options, attachments);
}

void Renderer::draw_scene(const Model& model, const PoseBuffers& posed, const SceneView& view,
                          const DrawOptions& options) {
  const Model::Resources& parts = *model.resources_;
  assert(parts.layout.is_3d && posed.palette_3d.size() == parts.character.bones().size());
  if (!parts.layout.is_3d) {
    resources_->statistics = {};
    return;
  }
  resources_->draw_pose(parts, posed, {kIdentity, view}, {}, options, {});
}

void Renderer::set_effect_values(const std::array<float, 4>& values) noexcept { resources_->effect_values = values; }

DrawStatistics Renderer::statistics() const noexcept { return resources_->statistics; }

std::uint64_t Renderer::gpu_bytes() const noexcept {
  const Streams& streams = resources_->streams;
  return resources_->palettes->gpu_bytes() +
         static_cast<std::uint64_t>(streams.records.capacity_bytes() + streams.looks.capacity_bytes() +
                                    streams.commands.capacity_bytes() + streams.palettes.capacity_bytes());
}

}  // namespace pchr
