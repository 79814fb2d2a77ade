/// @file
/// The classes of the extension.
#ifndef PCHR_GODOT_CLASSES_HPP
#define PCHR_GODOT_CLASSES_HPP

#include "godot.hpp"

#include <pchr.h>

#include <mutex>
#include <vector>

/// The nodes that use a resource. Threads can make and free nodes that share one.
template <class T>
class Users {
 public:
  void add(T* node) {
    const std::scoped_lock lock(mutex_);
    nodes_.push_back(node);
  }
  void remove(T* node) {
    const std::scoped_lock lock(mutex_);
    std::erase(nodes_, node);
  }
  /// Calls a function for each node, which can add and remove nodes.
  void each(auto&& function) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) function(*nodes_[i]);
  }

 private:
  std::recursive_mutex mutex_;
  std::vector<T*> nodes_;
};

/// Returns names as one text.
[[nodiscard]] std::string join(const godot::PackedStringArray& names);

/// Lets the inspector offer names for a property, with others if they are not `strict`.
void offer(GDExtensionPropertyInfo& info, const godot::PackedStringArray& names, bool strict);

struct PchrSprite2D;
struct PchrCrowd2D;

/// A character as a resource of the engine. Once it has data, it never changes, except when it is imported again.
struct PchrCharacter : godot::Instance {
  static constexpr const char* kClass = "PchrCharacter";
  ~PchrCharacter() override;

  /// Loads a file of any 2D format from res://, user:// or the file system. Null, with an error in the log, if it
  /// fails. `options` are those of the importer.
  static godot::Ref<PchrCharacter> open(const godot::String& path, const godot::Dictionary& options);

  godot::PackedByteArray get_data() const { return data; }
  void set_data(const godot::PackedByteArray& bytes);
  godot::String get_rig() const { return rig_text; }
  void set_rig(const godot::String& text);
  bool is_pixel_art() const { return pixel_art; }
  void set_pixel_art(bool value);
  godot::PackedStringArray get_clips() const;
  godot::PackedStringArray get_bones() const;
  godot::PackedStringArray get_meshes() const;
  godot::PackedStringArray get_warnings() const;
  /// Returns the files that open() looked for, whether they are there or not.
  godot::PackedStringArray get_files() const;
  std::int64_t clip_frames(const godot::String& clip) const;
  double clip_seconds(const godot::String& clip) const;
  godot::Rect2 get_bounds(const godot::String& clip) const;
  godot::TextureReference get_texture(std::int64_t image);
  /// Returns an image of one frame of a clip, or of the bind pose without a clip, that fits the bounds of the clip. It
  /// is drawn by the CPU, on any thread.
  godot::ImageReference render(const godot::String& clip, std::int64_t frame, std::int64_t width,
                               std::int64_t height) const;

  /// Returns the clip that nodes show at first: not one frame that only holds the bind pose if there are others.
  std::string first_clip() const;
  /// Returns the procedural layers, markers and masks, or null if there are none.
  const pchr_rig* rig();
  /// Returns the opaque parts of the images. They are made at the first call.
  const pchr_hit_images* hit_images();
  /// Returns the textures of the images, premultiplied by alpha. They are made at the first call.
  std::span<const godot::Rid> textures();
  /// Returns the bounds of all clips, which are computed at the first call.
  const godot::Rect2& reach();

  pchr_character* character = nullptr;  ///< Null without data.
  std::uint32_t version = 0;            ///< Increases when `character` or the rig is replaced.
  Users<PchrSprite2D> users;            ///< Drawn again then.
  Users<PchrCrowd2D> crowds;            ///< Drawn again then, too.

 private:
  void replace(pchr_character* loaded);
  void change();
  void redraw_users();
  godot::PackedByteArray data;
  godot::String rig_text;
  std::string rig_path;  ///< The name of the rig in errors. If it is empty, that of the resource is used.
  pchr_rig* loaded_rig = nullptr;
  std::atomic<bool> rig_is_loaded = false;
  pchr_hit_images* opaque = nullptr;
  std::vector<std::string> warnings, sources;
  std::vector<godot::Reference> images;
  std::vector<godot::Rid> image_rids;
  bool pixel_art = false;  ///< Files of v1 do not say it.
  bool has_reach = false;
  godot::Rect2 bounds;
  std::recursive_mutex lazy;  ///< Held while something is made at its first use, by any thread.
};

/// Changes to the meshes of a character, by their names, for any number of nodes.
struct PchrSkin : godot::Instance {
  static constexpr const char* kClass = "PchrSkin";

  godot::PackedStringArray get_hidden_meshes() const { return hidden_meshes; }
  void set_hidden_meshes(const godot::PackedStringArray& meshes);
  godot::Dictionary get_tints() const { return tints; }
  void set_tints(const godot::Dictionary& meshes);
  godot::Dictionary get_textures() const { return textures; }
  void set_textures(const godot::Dictionary& meshes);

  /// The skin of one character.
  struct Fitted {
    godot::Ref<PchrCharacter> character;
    std::uint32_t version = 0;  ///< PchrCharacter::version.
    std::unique_ptr<pchr_skin, void (*)(pchr_skin*)> skin{nullptr, pchr_skin_free};
    std::vector<godot::Reference> textures;
    std::vector<godot::Rid> texture_rids;  ///< Of images past those of the character.
  };
  /// Returns the skin for a character, valid until the next call. Nodes with the same character share it.
  const Fitted& of(PchrCharacter& character);

  Users<PchrSprite2D> users;  ///< Drawn again after a change.

 private:
  void change();
  godot::PackedStringArray hidden_meshes;
  /// Scripts cannot change these, because that would not draw the nodes again.
  godot::Dictionary tints = godot::Dictionary().read_only(), textures = tints;
  std::vector<Fitted> fitted;
};

struct PchrBoneAttachment2D;
struct PchrStateMachine;

/// Triangles of a node on the GPU. While they stay the same, only what has moved is uploaded.
struct CanvasMesh {
  struct Attributes {  ///< As the engine stores them.
    std::array<std::uint8_t, 4> color;
    float u, v;
  };
  godot::Rid mesh;
  std::vector<std::uint32_t> corners;  ///< In the stream.
  std::uint32_t first = 0;             ///< The lowest of them.
  std::vector<Attributes> attributes;
};

/// Numbers with names in scripts. Scripts can pass others.
enum LoopMode : std::int64_t {};
enum BlendMode : std::int64_t {};
constexpr const char* enum_name(LoopMode) { return "PchrSprite2D.LoopMode"; }
constexpr const char* enum_name(BlendMode) { return "PchrSprite2D.BlendMode"; }

/// How a node is drawn.
struct SpriteCanvas {
  SpriteCanvas() = default;
  SpriteCanvas(const SpriteCanvas&) = delete;
  SpriteCanvas& operator=(const SpriteCanvas&) = delete;
  ~SpriteCanvas();
  std::vector<CanvasMesh> meshes;  ///< One per command of the stream.
  std::vector<godot::Rid> layers;  ///< Canvas items after that of the node, one per change of the blend mode.
  std::size_t used = 0;            ///< Of `layers`.
  bool had_look = false;           ///< The canvas item of the node has a dark tint or an additive color.
  bool on_screen = false;
  godot::Rect2 area;  ///< What the engine watches.
};

/// A node that plays the clips of a character. The functions from advance() on are in
/// animator.cpp, those that draw in drawing.cpp.
struct PchrSprite2D : godot::Instance {
  static constexpr const char* kClass = "PchrSprite2D";
  ~PchrSprite2D() override;

  void play(const godot::String& clip_name);
  void stop();
  void pause();
  void seek(double seconds);

  godot::Ref<PchrCharacter> get_character() const { return character; }
  void set_character(const godot::Ref<PchrCharacter>& value);
  godot::String get_clip() const { return godot::String(clip); }
  void set_clip(const godot::String& name);
  godot::String get_autoplay() const { return godot::String(autoplay); }
  void set_autoplay(const godot::String& name) { autoplay = name.utf8(); }
  bool is_playing() const { return playing && !finished; }
  void set_playing(bool value);
  double get_speed_scale() const { return speed_scale; }
  void set_speed_scale(double value);
  LoopMode get_loop() const { return static_cast<LoopMode>(loop); }
  void set_loop(LoopMode mode);
  bool is_smooth() const { return smooth; }
  void set_smooth(bool value);
  double get_time();
  std::int64_t get_frame();
  void set_frame(std::int64_t frame);
  bool is_flip_h() const { return flip_h; }
  void set_flip_h(bool value);
  bool is_flip_v() const { return flip_v; }
  void set_flip_v(bool value);
  godot::Vector2 get_offset() const { return offset; }
  void set_offset(const godot::Vector2& value);
  godot::Ref<PchrSkin> get_skin() const { return skin; }
  void set_skin(const godot::Ref<PchrSkin>& value);
  godot::Color get_tint() const { return tint; }
  void set_tint(const godot::Color& value);
  godot::Color get_dark_tint() const { return dark_tint; }
  void set_dark_tint(const godot::Color& value);
  godot::Color get_additive_color() const { return additive_color; }
  void set_additive_color(const godot::Color& value);
  BlendMode get_blend_mode() const { return static_cast<BlendMode>(blend_mode); }
  void set_blend_mode(BlendMode mode);
  godot::Rect2 get_rect();

  void advance(double seconds);
  void crossfade(const godot::String& name, double seconds);
  void queue(const godot::String& name, double fade_seconds);
  void play_layer(std::int64_t layer, const godot::String& name, double fade_seconds, LoopMode mode, double speed);
  void queue_layer(std::int64_t layer, const godot::String& name, double fade_seconds, LoopMode mode, double speed);
  void stop_layer(std::int64_t layer, double fade_seconds);
  void set_layer(std::int64_t layer, double weight, bool additive, const godot::Variant& mask,
                 const godot::String& reference);
  void set_layer_weight(std::int64_t layer, double weight);
  godot::String get_layer_clip(std::int64_t layer);

  bool is_rig_enabled() const { return rig_enabled; }
  void set_rig_enabled(bool value);
  godot::Vector2 get_wind() const { return wind; }
  void set_wind(const godot::Vector2& value);
  void set_target(const godot::String& name, const godot::Vector2& global_position, double weight);
  void clear_target(const godot::String& name);
  void reset_rig();

  godot::String get_root_motion() const { return godot::String(root_motion); }
  void set_root_motion(const godot::String& bone);
  std::int64_t get_root_motion_axes() const { return root_motion_axes; }
  void set_root_motion_axes(std::int64_t value);
  godot::Vector2 take_root_motion();

  void set_bone_position(const godot::String& bone, const godot::Vector2& position, bool relative);
  void set_bone_rotation(const godot::String& bone, double radians, bool relative);
  void set_bone_scale(const godot::String& bone, const godot::Vector2& scale, bool relative);
  void set_bone_visible(const godot::String& bone, bool visible);
  void clear_bone(const godot::String& bone);
  godot::Transform2D get_bone_transform(const godot::String& bone);
  godot::Rect2 get_bounds();
  godot::String hit_test(const godot::Vector2& point);
  PchrStateMachine* get_state_machine() const { return machine; }

  void notification(int what);
  bool set(const godot::StringName& name, const godot::Variant& value);
  bool validate_property(const godot::StringName& name, GDExtensionPropertyInfo& info);

  /// Shows what a game or the editor has changed.
  void redraw();
  /// Shows what has moved since the last pose, unless it is off screen.
  void redraw_moved();
  /// Returns the pose of this moment, or null without a character. It is made at the first call after a change.
  const pchr_pose* current_pose();
  /// Returns where a bone is, relative to the node, with y down.
  godot::Transform2D bone_transform(std::uint32_t bone) const;
  /// Advances the animator and keeps the signals for send().
  void step(double seconds);
  /// Plays `clip` instead of state machines.
  void leave_states();

  godot::Ref<PchrCharacter> character;
  pchr_animator* animator = nullptr;  ///< Null without a character.
  pchr_pose* pose = nullptr;          ///< What current_pose() returned last.
  std::uint64_t base_play = 0;        ///< The play of `clip` in layer 0.
  std::vector<PchrBoneAttachment2D*> attachments;
  PchrStateMachine* machine = nullptr;

 private:
  void refresh();
  void start(double seconds, double fade_seconds = 0);
  void change_clip(const std::string& name, double fade_seconds);
  pchr_affine placement() const;

  // In drawing.cpp:
  void draw();
  void watch_screen();
  void forget_screen();
  void enter_screen();
  void exit_screen();
  godot::Rect2 placed(godot::Rect2 rect) const;

  void configure();
  void adopt_queued();
  void send();
  void run();
  void update_processing();
  void place_rig();
  bool has_rig();
  bool apply_target(const std::string& name, const godot::Vector2& position, double weight);
  void apply_overrides();
  void override_bone(const char* function, const godot::String& bone, const pchr_bone_override& values);
  bool read_mask(const godot::Variant& given, std::vector<std::uint8_t>& mask);
  std::uint32_t find_clip(const char* function, const std::string& name);
  std::uint32_t find_bone(const char* function, const std::string& name);
  void report_unknown(const char* function, const char* kind, const std::string& name,
                      godot::PackedStringArray (PchrCharacter::*names)() const);
  bool is_layer(const char* function, std::int64_t layer, std::int64_t first);
  void begin(const char* function, std::int64_t layer, const godot::String& name, double fade_seconds,
             std::int64_t mode, double speed, bool queued);

  std::string clip, autoplay;
  std::string missing_clip;  ///< What `clip` was before a character without it, which can be undone in the editor.
  bool playing = false;
  double speed_scale = 1;
  std::int64_t loop = PCHR_LOOP_FROM_FILE;
  bool smooth = true;
  bool flip_h = false, flip_v = false;
  godot::Vector2 offset;
  godot::Color tint, dark_tint{0, 0, 0, 1}, additive_color{0, 0, 0, 1};
  std::int64_t blend_mode = PCHR_BLEND_NORMAL;
  godot::Ref<PchrSkin> skin;
  std::uint32_t version = 0;  ///< PchrCharacter::version of what `animator` plays.
  SpriteCanvas canvas;

  struct Target {
    std::string name;
    godot::Vector2 position;
    double weight;
  };
  struct Override {
    std::string bone;
    pchr_bone_override values;
  };
  struct Signal {
    const char* name;
    std::vector<godot::Variant> arguments;
    bool of_machine = false;
  };
  std::vector<Signal> signals;           ///< To be sent. Receivers can change anything.
  bool deleted = false;                  ///< The engine is about to free the node.
  bool finished = false;                 ///< `clip` has ended.
  bool processing = false;               ///< What the engine was told.
  bool posed = false;                    ///< `pose` is that of this moment.
  std::uint32_t posed_clip = PCHR_NONE;  ///< The only clip in `pose`, if there is one.
  pchr_clip_time posed_time{};
  bool teleported = true;  ///< The next placement is no movement.
  bool rig_enabled = true;
  godot::Vector2 wind;
  std::vector<Target> targets;
  std::vector<Override> overrides;
  std::string root_motion;
  std::int64_t root_motion_axes = 3;  ///< 1 is x, 2 is y.
};

/// A node that follows a bone of its parent.
struct PchrBoneAttachment2D : godot::Instance {
  static constexpr const char* kClass = "PchrBoneAttachment2D";
  ~PchrBoneAttachment2D() override;

  godot::String get_bone() const { return godot::String(bone); }
  void set_bone(const godot::String& name);
  bool is_follow_rotation() const { return follow_rotation; }
  void set_follow_rotation(bool value);
  bool is_follow_scale() const { return follow_scale; }
  void set_follow_scale(bool value);
  godot::PackedStringArray configuration_warnings();
  void notification(int what);
  bool validate_property(const godot::StringName& name, GDExtensionPropertyInfo& info);

  /// Finds the bone in the character of the sprite.
  void find_bone();
  /// Moves to the bone in the pose of the sprite.
  void follow();

  PchrSprite2D* sprite = nullptr;

 private:
  void change();
  std::string bone;
  std::uint32_t index = PCHR_NONE;
  bool follow_rotation = true, follow_scale = true;
};

/// A node that lets the state machines of a character play its parent.
struct PchrStateMachine : godot::Instance {
  static constexpr const char* kClass = "PchrStateMachine";
  ~PchrStateMachine() override;

  bool is_active() const { return active; }
  void set_active(bool value);
  void set_parameter(const godot::String& name, const godot::Variant& value);
  godot::Variant get_parameter(const godot::String& name);
  void fire(const godot::String& trigger);
  godot::PackedStringArray get_parameters() const;
  godot::PackedStringArray get_layers() const;
  godot::String get_state(std::int64_t layer) const;
  double get_phase(std::int64_t layer) const;
  void enter(const godot::String& state, std::int64_t layer, double fade_seconds);
  godot::String save_states() const;
  bool restore_states(const godot::String& saved);
  godot::PackedStringArray configuration_warnings() const;
  void notification(int what);
  bool set(const godot::StringName& name, const godot::Variant& value);
  bool get(const godot::StringName& name, godot::Variant& value) const;
  std::vector<godot::Property> property_list() const;

  /// Makes the animator of the sprite fit this node.
  void attach();

  PchrSprite2D* sprite = nullptr;

 private:
  void begin();
  const pchr_animator* animator() const;
  std::uint32_t find(const std::string& name) const;
  bool change(const std::string& name, const godot::Variant& value);
  godot::Variant value_of(const std::string& name) const;
  bool find_layer(const char* function, std::int64_t layer, pchr_state_status& status) const;
  void report(const char* function, const std::string& what, const godot::PackedStringArray& known) const;
  bool active = true;
  std::vector<std::pair<std::string, float>> values;  ///< Numbers and booleans that were set, by their names.
  std::string problem;                                ///< Why nothing plays, or empty.
};

/// Returns an Image of RGBA8 pixels.
godot::Reference make_image(std::int64_t width, std::int64_t height, const godot::PackedByteArray& rgba);

/// Gives the editor the reference pages of doc_classes.
void load_documentation();
/// What crowd.gdshaderinc has.
extern const char* const kCrowdShader;

/// A node that draws many instances of a character in one call. Their bones move on the GPU.
struct PchrCrowd2D : godot::Instance {
  static constexpr const char* kClass = "PchrCrowd2D";
  PchrCrowd2D();
  ~PchrCrowd2D() override;

  godot::Ref<PchrCharacter> get_character() const { return character; }
  void set_character(const godot::Ref<PchrCharacter>& value);
  godot::String get_clip() const { return godot::String(clip); }
  void set_clip(const godot::String& name);
  bool is_smooth() const { return smooth; }
  void set_smooth(bool value);
  bool is_playing() const { return playing; }
  void set_playing(bool value);
  double get_speed_scale() const { return speed_scale; }
  void set_speed_scale(double value) { speed_scale = value; }
  double get_time() const { return seconds; }
  void set_time(double value);

  // Arrays with an element per instance, back to front. Those of positions and transforms set the number of instances.
  godot::PackedVector2Array get_positions() const;
  void set_positions(const godot::PackedVector2Array& value);
  godot::Array get_transforms() const;
  void set_transforms(const godot::Array& value);
  godot::PackedInt32Array get_clips() const;
  void set_clips(const godot::PackedInt32Array& value);
  godot::PackedFloat32Array get_phases() const;
  void set_phases(const godot::PackedFloat32Array& value);
  godot::PackedFloat32Array get_speeds() const;
  void set_speeds(const godot::PackedFloat32Array& value);
  godot::PackedColorArray get_tints() const;
  void set_tints(const godot::PackedColorArray& value);

  std::int64_t get_instance_count() const { return static_cast<std::int64_t>(members.size()); }
  std::int64_t add_instance(const godot::Transform2D& transform, const godot::String& clip_name);
  void remove_instance(std::int64_t index);
  void play(std::int64_t index, const godot::String& clip_name);
  godot::Transform2D get_instance_transform(std::int64_t index);
  void set_instance_transform(std::int64_t index, const godot::Transform2D& transform);
  void set_instance_speed(std::int64_t index, double speed);
  void set_instance_tint(std::int64_t index, const godot::Color& tint);
  godot::Rect2 get_rect();
  /// Uploads the instances again before the next frame.
  void change();

  void notification(int what);
  bool set(const godot::StringName& name, const godot::Variant& value);
  bool validate_property(const godot::StringName& name, GDExtensionPropertyInfo& info);

 private:
  struct Member {
    godot::Transform2D transform;
    godot::Color tint;
    double phase = 0;        ///< Time in the clip when that of the crowd is 0.
    float speed = 1;         ///< Has the precision of what the shader gets.
    std::int32_t clip = -1;  ///< Negative: that of the crowd.
  };
  struct Clip {
    double duration = 0, frames_per_second = 0;
    bool loops = false;
    // Set by bake():
    bool is_baked = false;
    int steps = 0;                   ///< Rows per frame, or 0 if frames are held.
    std::vector<float> draw_orders;  ///< One per frame.
    std::vector<float> texels;
    pchr_rect bounds{1, 1, 0, 0};
  };
  void refresh();
  std::size_t clip_of(const Member& member) const;
  void bake(std::size_t index);
  void upload_palettes();
  void upload_mesh();
  void set_parameter(const char* name, const godot::Variant& value);
  void set_parameters();
  void update();
  void draw();
  Member* find(std::int64_t index);
  template <class Packed, class Field>
  Packed all(Field Member::* field) const;
  template <class Packed, class Field>
  void assign(Packed values, const char* name, Field Member::* field);

  godot::Ref<PchrCharacter> character;
  std::string clip;
  bool smooth = true, playing = true;
  double speed_scale = 1, seconds = 0;
  double base = 0;  ///< What the time was when instances were uploaded.
  std::vector<Member> members;
  std::vector<Clip> clips;            ///< One per clip, and the bind pose.
  std::vector<std::uint32_t> orders;  ///< Draw orders of the baked clips.
  pchr_gpu_geometry* geometry = nullptr;
  static constexpr std::uint32_t kStale = UINT32_MAX;
  std::uint32_t version = kStale;  ///< PchrCharacter::version of what was baked.
  bool changed = true;
  std::size_t allocated = 0;
  godot::Rect2 rect;
  godot::Rid mesh, multimesh, material, palettes, layers;
  godot::Reference own_material;  ///< A ShaderMaterial of the user, or null.
};

/// Registers all classes. Each file registers its own.
void register_classes();
void register_character();
void register_skin();
void register_sprite();
void register_attachment();
void register_machine();
/// Adds what animator.cpp defines to the description of PchrSprite2D.
void describe_animator(godot::Class<PchrSprite2D>& sprite);
void register_crowd();

/// How triangles are drawn over what is behind them. Screen takes two passes.
enum class Blend { normal, multiply, screen_1, screen_2 };
/// Returns the material for a blend mode, made at the first call. See the shader in drawing.cpp.
godot::Rid material_of(Blend blend);
/// Frees what all nodes share.
void free_shared();
void free_crowd_shaders();

#endif
