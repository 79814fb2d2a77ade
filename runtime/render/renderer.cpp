// SPDX-License-Identifier: MIT
#include <pchr/renderer.hpp>

#include "animation/skinning.hpp"
#include "character/format.hpp"
#include "character/heap_sort.hpp"
#include "render/crowd.hpp"
#include "render/gl_state.hpp"
#include "render/palette_store.hpp"
#include "render/texture.hpp"

#include <cassert>
#include <cmath>

namespace pchr {
namespace {

// Limits the instances of a batch and, roughly, its segments.
constexpr std::size_t kMaxBatchInstances = 65536;
constexpr std::size_t kMaxStreamedBones = 131'072;  // 4 MiB.
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

std::array<float, 4> product(const std::array<float, 4>& a, const std::array<float, 4>& b) noexcept {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
}

/// Returns an instance without a crossfade that is over.
Instance shown_by(Instance instance) {
  if (!(instance.fade_weight >= 1)) return instance;
  instance.clip = instance.fade_clip;
  instance.position = instance.fade_position;
  instance.fade_weight = 0;
  return instance;
}

}  // namespace

using LoadedGl = Expected<std::shared_ptr<Gl>, RenderError>;

struct Renderer::Resources {
  static Expected<Renderer, RenderError> make_renderer(LoadedGl loaded, const RendererOptions& options);

  std::shared_ptr<const Gl> gl;
  std::shared_ptr<PaletteStore> palettes;
  BlendSpace space;
  Executor executor;
  std::uint64_t bake_bytes_per_draw;
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

  // Reserves memory for `bones` in the palette stream. `is_dirty`: the state was not saved.
  StreamBuffer::Reservation reserve_palettes(std::size_t bones, bool is_dirty) {
    gl->ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
    if (gl->is_es && is_dirty) reset_pixel_transfer(*gl, kUnpack);
    const auto reserved = streams.palettes.reserve(static_cast<GLsizeiptr>(bones * sizeof(BoneTexels)));
    if (reserved.renewed && !gl->is_es) {
      gl->BindTexture(GL_TEXTURE_BUFFER, streams.palette_texture);
      gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, streams.palettes.name());
    }
    return reserved;
  }

  [[nodiscard]] GLuint stream_texture() const { return gl->is_es ? streams.palettes.name() : streams.palette_texture; }

  // Makes room for another streamed row, of one of `instances` that are left. Returns false if GPU memory is exhausted.
  bool open_row(const Model::Resources& model, Batch& batch, std::size_t instances) {
    StreamedRows& rows = batch.rows;
    const std::size_t row_bones = model.layout.row_bones();
    if (rows.memory.size() >= (streams.requests.size() + 1) * row_bones) return true;
    batch.close_rows();
    const std::size_t room = static_cast<std::size_t>(streams.palettes.room_bytes()) / sizeof(BoneTexels) / row_bones;
    // Commands that are not drawn yet use the memory that another reservation could replace.
    if (rows.is_used && room == 0) {
      batch.flush();
      if (!begin(model, batch, instances)) return false;
    }
    const std::size_t most = std::max<std::size_t>(room > 0 ? room : kMaxStreamedBones / row_bones, 1);
    const std::size_t bones = row_bones * std::min(instances, most);
    const auto reserved = reserve_palettes(bones, batch.saved_units == nullptr);
    if (reserved.memory == nullptr) return false;
    streams.requests.clear();  // A draw that failed may have left some.
    rows = {{reinterpret_cast<BoneTexels*>(reserved.memory), bones},
            static_cast<std::uint32_t>(reserved.offset / static_cast<GLintptr>(sizeof(BoneTexels))),
            true,
            true};
    return true;
  }

  // Adds an instance to the rows that open_row() made room for. Returns its first bone.
  std::uint32_t stream_row(const Model::Resources& model, const Instance& instance, const StreamedRows& rows) {
    const std::size_t before = streams.requests.size() * model.layout.row_bones();
    streams.requests.push_back(request_of(model.character, instance));
    ++statistics.posed;
    return rows.first_bone + static_cast<std::uint32_t>(before);
  }

  // A clip that does not exist stands for the bind pose.
  static PoseRequest request_of(const Character& character, const Instance& instance) {
    const auto find = [&](ClipId clip) { return character.clips().contains(clip) ? clip : ClipId::none; };
    return {find(instance.clip), instance.position, find(instance.fade_clip), instance.fade_position,
            instance.fade_weight};
  }

  void draw_posed(const Model::Resources& model, Batch& batch, const Palette& palette, std::span<const DrawItem> list,
                  const Appearance& appearance, const Skin* applied) {
    const Skin::Resources* const skin = applied != nullptr ? applied->resources_.get() : nullptr;
    assert(skin == nullptr || skin->model == &model);
    const std::size_t bones = model.layout.row_bones();
    const auto reserved = reserve_palettes(bones, batch.saved_units == nullptr);
    if (reserved.memory == nullptr) return;
    const std::span<BoneTexels> out(reinterpret_cast<BoneTexels*>(reserved.memory), bones);
    model.layout.is_3d ? gather_palette(model.layout, palette.in_3d, out)
                       : gather_palette(model.layout, palette.in_2d, {}, out);
    streams.palettes.commit(static_cast<GLsizeiptr>(out.size_bytes()));
    statistics.uploaded_bytes += out.size_bytes();
    const auto row =
        static_cast<std::uint32_t>(reserved.offset / static_cast<GLintptr>(sizeof(BoneTexels))) * kFactorSteps;
    if (!batch.begin(list.size(), list.size())) return;
    const std::uint32_t instances = statistics.instances;
    add_runs(model, list, appearance, skin, row, batch.cursor);
    batch.flush();
    statistics.instances = instances + 1;  // One instance, however many records it took.
    ++statistics.posed;
  }

  // Adds one record per run of meshes with one look and image that are neighbors in the index list.
  void add_runs(const Model::Resources& model, std::span<const DrawItem> list, const Appearance& appearance,
                const Skin::Resources* skin, std::uint32_t row, BatchCursor& cursor) const {
    const GLuint texture = stream_texture();
    Appearance look;
    DrawSegment run;
    const auto end_run = [&] {
      if (run.index_count == 0) return;
      cursor.enter_group(run.image, texture, look.blend);
      cursor.add(look, row, run);
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
  }

  // Returns the draw order that has the meshes of a list, or kNone if there is none or an item changes its mesh.
  // `likely` is compared first.
  static std::uint32_t find_order(const DrawOrders& orders, std::span<const DrawItem> list, std::uint32_t likely) {
    const auto is_as_authored = [&](const DrawItem& item) {
      const DrawItem plain;
      return index(item.mesh) < orders.meshes.size() && item.opacity == plain.opacity && item.tint == plain.tint &&
             item.image == plain.image && item.dark_tint == plain.dark_tint && item.additive == plain.additive &&
             item.blend == plain.blend;
    };
    if (!std::ranges::all_of(list, is_as_authored)) return DrawOrders::kNone;
    const auto has_its_meshes = [&](const DrawOrder& order) {
      const auto meshes = std::span(orders.order_meshes).subspan(order.first_mesh, order.mesh_count);
      std::size_t next = 0;
      for (const DrawItem& item : list) {
        if (orders.meshes[index(item.mesh)].index_count == 0) continue;
        if (next == meshes.size() || meshes[next++] != item.mesh) return false;
      }
      return next == meshes.size();
    };
    if (likely < orders.orders.size() && has_its_meshes(orders.orders[likely])) return likely;
    const auto found = std::ranges::find_if(orders.orders, has_its_meshes);
    return found != orders.orders.end() ? static_cast<std::uint32_t>(found - orders.orders.begin()) : DrawOrders::kNone;
  }

  void draw_poses(const Model::Resources& model, std::span<const PosedInstance> instances, const Sight& sight,
                  StateHandling state, DepthMode depth) {
    assert(model.space == space);
    statistics = {};
    if (instances.empty() || model.orders.meshes.empty()) return;
    std::optional<SavedState> saved;
    if (state == StateHandling::restore) saved.emplace(*gl, model.layout.is_3d || depth != DepthMode::off);
    set_state(*gl, model, sight, depth);
    Batch batch = make_batch(model, sight, depth, saved ? &*saved : nullptr);
    const std::size_t bones = model.layout.row_bones();
    std::uint32_t drawn = 0, order_number = 0;
    while (!instances.empty()) {
      // As many as a batch and the palettes have room for, but at least one.
      std::size_t count = 0, records = 0;
      while (count < instances.size()) {
        const std::size_t more = std::max(
            {instances[count].posed->draw_list.size(), std::size_t{model.max_segments}, std::size_t{model.max_pieces}});
        if (count > 0 && (records + more > kMaxBatchInstances || (count + 1) * bones > kMaxStreamedBones)) break;
        records += more;
        ++count;
      }
      const auto part = instances.first(count);
      instances = instances.subspan(count);
      const auto reserved = reserve_palettes(count * bones, batch.saved_units == nullptr);
      if (reserved.memory == nullptr) break;
      const std::span<BoneTexels> rows(reinterpret_cast<BoneTexels*>(reserved.memory), count * bones);
      for (std::size_t i = 0; i < count; ++i) {
        const Palette palette = palette_of(model.character, *part[i].posed);
        const auto row = rows.subspan(i * bones, bones);
        model.layout.is_3d ? gather_palette(model.layout, palette.in_3d, row)
                           : gather_palette(model.layout, palette.in_2d, {}, row);
      }
      streams.palettes.commit(static_cast<GLsizeiptr>(rows.size_bytes()));
      statistics.uploaded_bytes += rows.size_bytes();
      if (!batch.begin(records, records)) break;
      const auto first_bone = static_cast<std::uint32_t>(reserved.offset / static_cast<GLintptr>(sizeof(BoneTexels)));
      for (std::size_t i = 0; i < count; ++i) {
        const auto& [posed_as, appearance, applied] = part[i];
        if (posed_as->draw_list.empty()) continue;
        ++drawn;
        const auto row = static_cast<std::uint32_t>(first_bone + i * bones) * kFactorSteps;
        const Skin::Resources* const skin = applied != nullptr ? applied->resources_.get() : nullptr;
        assert(skin == nullptr || skin->model == &model);
        const std::uint32_t found = find_order(model.orders, posed_as->draw_list, order_number);
        if (found == DrawOrders::kNone) {
          add_runs(model, posed_as->draw_list, appearance, skin, row, batch.cursor);
          continue;
        }
        order_number = found;
        const DrawOrder order = model.orders.orders[found];
        const auto segments = std::span(model.orders.segments).subspan(order.first_segment, order.segment_count);
        const auto pieces = skin != nullptr ? skin->pieces_of(found) : std::span<const SkinPiece>{};
        add_records({.appearance = appearance, .skin = applied}, segments, pieces, stream_texture(), row, batch.cursor);
      }
      batch.flush();
    }
    statistics.instances = statistics.posed = drawn;
  }

  // Draws an instance whose draw order has no index list.
  void draw_unordered(const Model::Resources& model, Batch& batch, const Instance& instance) {
    sample(model.character, request_of(model.character, instance), posed.pose);
    update(model.character, posed);
    if (posed.draw_list.empty()) return;
    draw_posed(model, batch, palette_of(model.character, posed), posed.draw_list, instance.appearance, instance.skin);
  }

  template <typename Instances>
  void draw_instances(Model::Resources& parts, const Instances& instances, const VisibleArea& area, const Sight& sight,
                      StateHandling state, DepthMode depth) {
    assert(parts.space == space);
    statistics = {};
    const std::size_t count = count_of(instances);
    if (count == 0 || parts.orders.meshes.empty()) return;
    std::optional<SavedState> saved;
    if (state == StateHandling::restore) saved.emplace(*gl, parts.layout.is_3d || depth != DepthMode::off);
    set_state(*gl, parts, sight, depth);
    parts.palettes->begin_use();
    const std::uint64_t use = parts.palettes->use();
    std::uint64_t bake_bytes_left = std::max<std::uint64_t>(bake_bytes_per_draw, 1);
    std::uint32_t more_records = 0;  // Records minus instances. Wraps modulo 2^32 if skins hide everything.
    Batch batch = make_batch(parts, sight, depth, saved ? &*saved : nullptr);
    if (!begin(parts, batch, count)) return;
    for (std::size_t i = 0; i < count; ++i) {
      i += add_ready(parts, area, instances, i, batch.cursor);
      if (i == count) break;
      const Instance instance = shown_by(instance_at(parts.character, instances, i));
      assert(instance.skin == nullptr || instance.skin->resources_->model == &parts);
      const bool fades = instance.fade_weight > 0;
      const bool smooth = instance.position.factor > 0;
      const BakedClip* baked = fades ? nullptr : find_baked(parts, instance.clip, smooth);
      if (!fades && baked == nullptr && bake_bytes_left > 0) {
        // Draw the instances that use the clip's old rows before they are replaced.
        const BakedClip& clip = parts.clip(instance.clip);
        if (clip.in_use == use && !clip.not_smooth) {
          batch.flush();
          if (!begin(parts, batch, count - i)) return;
        }
        gl->ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
        baked = pchr::bake(parts, instance.clip, smooth, executor);
        if (baked != nullptr) {
          const std::uint64_t bytes = baked->rows.size() * parts.layout.row_bones() * sizeof(BoneTexels);
          bake_bytes_left -= std::min(bytes, bake_bytes_left);
        }
      }
      const BakedPlace place =
          baked != nullptr ? BakedRows(*baked).find(instance.position) : BakedPlace{&kNoSegment, nullptr, 0};
      const bool is_baked = place.box != nullptr;
      const bool shows_fade = instance.fade_weight >= 0.5F;
      const std::uint32_t order_number =
          parts.orders.of_frame(shows_fade ? instance.fade_clip : instance.clip,
                                shows_fade ? instance.fade_position.frame : instance.position.frame);
      if (order_number == DrawOrders::kNone) {
        batch.flush();
        draw_unordered(parts, batch, instance);
        if (!begin(parts, batch, count - i)) return;
        continue;
      }
      const DrawOrder order = parts.orders.orders[order_number];
      const auto segments = std::span(parts.orders.segments).subspan(order.first_segment, order.segment_count);
      std::span<const SkinPiece> pieces;
      if (instance.skin != nullptr) pieces = instance.skin->resources_->pieces_of(order_number);
      const std::size_t records = instance.skin != nullptr ? pieces.size() : segments.size();
      if (batch.cursor.room() < std::max<std::size_t>(records, 1)) {
        batch.flush();
        if (!begin(parts, batch, count - i)) return;
      }
      if (order.segment_count == 0) continue;
      if (is_baked && area.sees(*place.box, instance.appearance.placement) == 0) continue;
      if (!is_baked && !open_row(parts, batch, count - i)) return;
      const GLuint texture = is_baked ? baked->texture : stream_texture();
      const std::uint32_t row = is_baked ? baked->first_bone * kFactorSteps + place.packed
                                         : stream_row(parts, instance, batch.rows) * kFactorSteps;
      add_records(instance, segments, pieces, texture, row, batch.cursor);
      more_records += static_cast<std::uint32_t>(records) - 1;
    }
    batch.flush();
    statistics.instances -= more_records;
    statistics.culled = static_cast<std::uint32_t>(count) - statistics.instances;
  }

  static void add_records(const Instance& instance, std::span<const DrawSegment> segments,
                          std::span<const SkinPiece> pieces, GLuint texture, std::uint32_t row, BatchCursor& cursor) {
    const Appearance& appearance = instance.appearance;
    if (instance.skin == nullptr) {
      for (const DrawSegment& segment : segments) {
        cursor.enter_group(segment.image, texture, appearance.blend);
        cursor.add(appearance, row, segment);
      }
      return;
    }
    const bool plain = is_plain(appearance);
    for (const SkinPiece& piece : pieces) {
      if (plain && piece.only_tints) {
        cursor.enter_group(piece.segment.image, texture);
        cursor.add_if(1, appearance.placement, to_bytes(product(appearance.tint, piece.look.tint)), row, piece.segment);
        continue;
      }
      const Appearance look = combine(appearance, piece.look);
      cursor.enter_group(piece.segment.image, texture, look.blend);
      cursor.add(look, row, piece.segment);
    }
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
    heap_sort(order, std::ranges::less());
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
  (*loaded)->program_cache = options.program_cache;
  const std::shared_ptr<const Gl> gl = std::move(*loaded);
  const SavedBindings saved(*gl);
  const auto max_palette_bytes = static_cast<GLsizeiptr>(
      std::min(max_palette_bones(*gl), std::uint64_t{PaletteStore::kMaxPageBones}) * sizeof(BoneTexels));
  std::unique_ptr<Resources> resources(new Resources{gl,
                                                     std::make_shared<PaletteStore>(gl, options.palette_budget_bytes),
                                                     options.blend_space,
                                                     options.executor,
                                                     options.bake_bytes_per_draw,
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
  resources_->draw_instances(parts, instances, VisibleArea(camera), Resources::sight_of(parts, camera), state, depth);
}

void Renderer::draw(const Model& model, const Crowd& crowd, const Camera& camera, StateHandling state,
                    DepthMode depth) {
  assert(has_valid_lengths(crowd));
  Model::Resources& parts = *model.resources_;
  resources_->draw_instances(parts, has_valid_lengths(crowd) ? crowd : Crowd{}, VisibleArea(camera),
                             Resources::sight_of(parts, camera), state, depth);
}

void Renderer::draw_scene(const Model& model, std::span<const Instance> instances, const SceneView& view,
                          StateHandling state) {
  Model::Resources& parts = *model.resources_;
  assert(parts.layout.is_3d);
  if (!parts.layout.is_3d) instances = {};
  resources_->draw_instances(parts, instances, VisibleArea(), {kIdentity, view}, state, DepthMode::off);
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

void Renderer::draw(const Model& model, std::span<const PosedInstance> instances, const Camera& camera,
                    StateHandling state, DepthMode depth) {
  const Model::Resources& parts = *model.resources_;
  assert(std::ranges::all_of(instances, [&](const PosedInstance& instance) {
    return instance.posed != nullptr && instance.posed->palette.size() == parts.character.bones().size();
  }));
  resources_->draw_poses(parts, instances, Resources::sight_of(parts, camera), state, depth);
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

const std::shared_ptr<const Gl>& Renderer::gl() const noexcept { return resources_->gl; }

DrawStatistics Renderer::statistics() const noexcept { return resources_->statistics; }

std::uint64_t Renderer::gpu_bytes() const noexcept {
  const Streams& streams = resources_->streams;
  return resources_->palettes->gpu_bytes() +
         static_cast<std::uint64_t>(streams.records.capacity_bytes() + streams.looks.capacity_bytes() +
                                    streams.commands.capacity_bytes() + streams.palettes.capacity_bytes());
}

}  // namespace pchr
