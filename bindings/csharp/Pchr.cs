// SPDX-License-Identifier: MIT
// Loads and animates Pachario characters, through the shared library pchr_c. For Unity, Godot and anything else that
// runs C# 7. Needs no unsafe code.
//
//   using (var hero = Character.Load("hero.pchr"))
//   using (var animator = new Animator(hero))
//   using (var pose = new Pose(hero))
//   using (var stream = new DrawStream()) {
//     animator.Play("walk");
//     foreach (AnimatorEvent e in animator.Advance(deltaTime)) Console.WriteLine(e.Kind);
//     animator.Pose(pose);
//     stream.Clear();
//     stream.Add(pose, Appearance.At(100, 50));
//   }
//
// Clips, bones and meshes are numbers from 0. Methods that take a name throw KeyNotFoundException for an unknown one,
// and those that take a number ArgumentOutOfRangeException. Objects can be disposed in any order, or left to the
// collector. Names such as Animator, Mesh and Color are those of many engines: beside one, leave out "using Pchr;" and
// write Pchr.Animator, or an alias such as "using PuppetAnimator = Pchr.Animator;".
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Pchr {

  /// <summary>A file that does not load.</summary>
  public sealed class LoadException : Exception {
    /// <summary>Code from docs/errors.md, such as "E114".</summary>
    public string Code { get; }
    /// <summary>The place in the file, such as "meshes[3].vertices[17]", or empty.</summary>
    public string Path { get; }
    /// <summary>What the author of the file can do. Null if the problem is not in a file.</summary>
    public string Hint { get; }
    internal LoadException(Native.Error error) : base(Text.Of(error.Message)) {
      Code = Text.Of(error.Code);
      Path = Text.Of(error.Path);
      Hint = Text.Of(error.Hint);
    }
  }

  /// <summary>Straight RGBA, 0..1.</summary>
  public struct Color {
    public float R, G, B, A;
    public Color(float r, float g, float b, float a = 1) { R = r; G = g; B = b; A = a; }
    public static readonly Color White = new Color(1, 1, 1);
  }

  /// <summary>Straight RGB, 0..1.</summary>
  public struct Rgb {
    public float R, G, B;
    public Rgb(float r, float g, float b) { R = r; G = g; B = b; }
  }

  public partial struct Appearance {
    /// <summary>At the origin, drawn as authored.</summary>
    public static Appearance Default {
      get {
        Native.pchr_appearance_init(out Appearance appearance, Sizes<Appearance>.Bytes);
        return appearance;
      }
    }

    /// <summary>Mirrors if <paramref name="flipX"/>, scales, rotates counter-clockwise, then moves.</summary>
    public static Appearance At(float x, float y, float rotationDegrees = 0, float scale = 1, bool flipX = false) {
      Appearance appearance = Default;
      appearance.Placement = Native.pchr_placement(x, y, rotationDegrees, scale, flipX);
      return appearance;
    }
  }

  public partial struct PlayOptions {
    /// <summary>Layer 0, no fade, speed 1, from the start, looping if the clip is marked so.</summary>
    public static PlayOptions Default {
      get {
        Native.pchr_play_options_init(out PlayOptions options, Sizes<PlayOptions>.Bytes);
        return options;
      }
    }
  }

  /// <summary>Information about a bone.</summary>
  public struct Bone {
    public string Name;
    public uint? Parent;  // An earlier bone.
  }

  /// <summary>Information about a clip.</summary>
  public struct Clip {
    public string Name;
    public double FramesPerSecond, DurationSeconds;
    public uint FrameCount, LoopStart;
    public bool Looping;
  }

  /// <summary>Information about an image.</summary>
  public struct Image {
    public string Name;
    public uint Width, Height;
  }

  /// <summary>Information about a mesh: a range of vertices and triangles drawn with one image.</summary>
  public struct Mesh {
    public string Name;
    public uint Image, FirstVertex, VertexCount, FirstIndex, IndexCount, GoverningBone;
  }

  /// <summary>A loaded character. It never changes, and any number of threads can use it.</summary>
  public sealed class Character : IDisposable {
    internal readonly CharacterHandle Handle;
    HitImagesHandle hitImages;
    readonly Dictionary<string, uint> boneNumbers, clipNumbers, meshNumbers;

    /// <summary>The parts of the character. Their numbers are their places in these lists.</summary>
    public IReadOnlyList<Bone> Bones { get; }
    public IReadOnlyList<Clip> Clips { get; }
    public IReadOnlyList<Mesh> Meshes { get; }
    public IReadOnlyList<Image> Images { get; }
    /// <summary>Warnings from loading.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>Loads a character of any format from a file.</summary>
    public static Character Load(string path) {
      Native.LoadOptions options = default(Native.LoadOptions);
      IntPtr handle = Native.pchr_load_file(Text.From(path), ref options, out Native.Error error);
      return new Character(handle, error);
    }

    /// <summary>Loads a character from the bytes of a file, such as a TextAsset of Unity.</summary>
    public static Character Load(byte[] bytes) {
      Native.LoadOptions options = default(Native.LoadOptions);
      IntPtr handle = Native.pchr_load_memory(bytes, (UIntPtr)bytes.Length, ref options, out Native.Error error);
      return new Character(handle, error);
    }

    Character(IntPtr handle, Native.Error error) {
      if (Native.pchr_api_version() != Native.ApiVersion) {
        throw new NotSupportedException("pchr_c has API version " + Native.pchr_api_version() + ", expected " +
                                        Native.ApiVersion);
      }
      if (handle == IntPtr.Zero) throw new LoadException(error);
      Handle = new CharacterHandle(handle);
      Bones = List(Native.pchr_bone_count(Handle), i => {
        uint parent = Native.pchr_bone_parent(Handle, i);
        return new Bone { Name = Text.Of(Native.pchr_bone_name(Handle, i)),
                          Parent = parent == Native.None ? (uint?)null : parent };
      });
      Clips = List(Native.pchr_clip_count(Handle), i => {
        var clip = new Native.Clip { StructSize = Sizes<Native.Clip>.Bytes };
        Native.pchr_get_clip(Handle, i, ref clip);
        return new Clip { Name = Text.Of(clip.Name), FramesPerSecond = clip.FramesPerSecond,
                          DurationSeconds = clip.DurationSeconds, FrameCount = clip.FrameCount,
                          LoopStart = clip.LoopStart, Looping = clip.Looping };
      });
      Meshes = List(Native.pchr_mesh_count(Handle), i => {
        var mesh = new Native.Mesh { StructSize = Sizes<Native.Mesh>.Bytes };
        Native.pchr_get_mesh(Handle, i, ref mesh);
        return new Mesh { Name = Text.Of(mesh.Name), Image = mesh.Image, FirstVertex = mesh.FirstVertex,
                          VertexCount = mesh.VertexCount, FirstIndex = mesh.FirstIndex, IndexCount = mesh.IndexCount,
                          GoverningBone = mesh.GoverningBone };
      });
      Images = List(Native.pchr_image_count(Handle), i => {
        var image = new Native.Image { StructSize = Sizes<Native.Image>.Bytes };
        Native.pchr_get_image(Handle, i, ref image);
        return new Image { Name = Text.Of(image.Name), Width = image.Width, Height = image.Height };
      });
      Warnings = List(Native.pchr_warning_count(Handle), i => {
        Native.pchr_warning(Handle, i, out Native.Error warning);
        return Text.Of(warning.Message);
      });
      boneNumbers = Numbers(Bones, bone => bone.Name);
      clipNumbers = Numbers(Clips, clip => clip.Name);
      meshNumbers = Numbers(Meshes, mesh => mesh.Name);
    }

    /// <summary>Returns the first part with that name.</summary>
    public uint FindBone(string name) => Find(boneNumbers, name, "bone");
    public uint FindClip(string name) => Find(clipNumbers, name, "clip");
    public uint FindMesh(string name) => Find(meshNumbers, name, "mesh");

    /// <summary>Decodes an image: width * height * 4 bytes, premultiplied RGBA, top row first.</summary>
    public byte[] DecodeImage(uint image) {
      var rgba = new byte[Images[(int)image].Width * Images[(int)image].Height * 4];
      if (!Native.pchr_decode_image(Handle, image, rgba, (UIntPtr)rgba.Length, out Native.Error error))
        throw new LoadException(error);
      return rgba;
    }

    /// <summary>Returns the vertices of all meshes in the bind pose, for skinning on your side.</summary>
    public Vertex[] Vertices() {
      IntPtr vertices = Native.pchr_vertices(Handle, out uint count);
      return Memory.ToArray<Vertex>(vertices, count, this);
    }

    /// <summary>Returns the indices of all meshes, each relative to its mesh's first vertex.</summary>
    public ushort[] Indices() {
      IntPtr indices = Native.pchr_indices(Handle, out uint count);
      return Memory.ToArray<ushort>(indices, count, this);
    }

    /// <summary>Computes the exact bounds of a clip.</summary>
    public Rect ClipBounds(uint clip) {
      Check.Number(Native.pchr_clip_bounds(Handle, clip, IntPtr.Zero, out Rect bounds), nameof(clip), clip);
      return bounds;
    }
    public Rect ClipBounds(string clip) => ClipBounds(FindClip(clip));

    internal HitImagesHandle HitImages() {
      if (hitImages == null) {
        IntPtr images = Native.pchr_hit_images_create(Handle, IntPtr.Zero, out Native.Error error);
        if (images == IntPtr.Zero) throw new LoadException(error);
        hitImages = new HitImagesHandle(images);
      }
      return hitImages;
    }

    public void Dispose() {
      hitImages?.Dispose();
      Handle.Dispose();
    }

    static IReadOnlyList<T> List<T>(uint count, Func<uint, T> get) {
      var list = new T[count];
      for (uint i = 0; i < count; ++i) list[i] = get(i);
      return Array.AsReadOnly(list);
    }

    static Dictionary<string, uint> Numbers<T>(IReadOnlyList<T> parts, Func<T, string> name) {
      var numbers = new Dictionary<string, uint>();
      for (int i = parts.Count - 1; i >= 0; --i) numbers[name(parts[i])] = (uint)i;
      return numbers;
    }

    static uint Find(Dictionary<string, uint> numbers, string name, string kind) {
      if (numbers.TryGetValue(name, out uint number)) return number;
      throw new KeyNotFoundException("the character has no " + kind + " named \"" + name + "\"");
    }
  }

  /// <summary>Changes to the meshes of one character: hidden, tinted or with other images.</summary>
  public sealed class Skin : IDisposable {
    internal readonly SkinHandle Handle;
    /// <summary>The character that the skin is for.</summary>
    public Character Character { get; }

    public Skin(Character character, string name = "") {
      Character = character;
      Handle = new SkinHandle(Native.pchr_skin_create(character.Handle, Text.From(name)));
    }

    /// <summary>Adds an image: premultiplied RGBA, top row first. Returns its number for Set().</summary>
    public uint AddImage(byte[] rgba, uint width, uint height) {
      if (rgba.LongLength != 4L * width * height)
        throw new ArgumentException(rgba.LongLength + " bytes instead of width * height * 4", nameof(rgba));
      uint image = Native.pchr_skin_add_image(Handle, rgba, width, height);
      return image != Native.None ? image : throw new OutOfMemoryException();
    }

    /// <summary>Sets what the skin does to a mesh.</summary>
    public void Set(uint mesh, bool visible = true, Color? tint = null, uint? image = null, Rgb darkTint = default(Rgb),
                    Rgb additive = default(Rgb), Blend blend = Blend.Normal) {
      Native.pchr_skin_part_init(out SkinPart part, Sizes<SkinPart>.Bytes);
      part.Visible = visible;
      part.Tint = tint ?? Color.White;
      part.Image = image ?? Native.None;
      part.DarkTint = darkTint;
      part.Additive = additive;
      part.Blend = blend;
      Check.Number(Native.pchr_skin_set_part(Handle, mesh, ref part), nameof(mesh), mesh);
    }

    public void Dispose() => Handle.Dispose();
  }

  /// <summary>A posed character. Starts with the bind pose.</summary>
  public sealed class Pose : IDisposable {
    internal readonly PoseHandle Handle;
    readonly Appearance[] appearance = new Appearance[1];
    /// <summary>The posed character.</summary>
    public Character Character { get; }

    public Pose(Character character) {
      Character = character;
      Handle = new PoseHandle(Native.pchr_pose_create(character.Handle));
    }

    /// <summary>Shows the bind pose.</summary>
    public void Bind() => Native.pchr_pose_bind(Handle);

    /// <summary>Shows a clip at a time.</summary>
    public void Clip(uint clip, double seconds, bool smooth = false) {
      Sampling sampling = smooth ? Sampling.Smooth : Sampling.Step;
      Check.Number(Native.pchr_pose_clip(Handle, clip, seconds, sampling), nameof(clip), clip);
    }
    public void Clip(string clip, double seconds, bool smooth = false) =>
      Clip(Character.FindClip(clip), seconds, smooth);

    /// <summary>The values of a bone. After setting the last one, call Update().</summary>
    public BoneState this[uint bone] {
      get {
        Check.Number(Native.pchr_pose_get_bone(Handle, bone, out BoneState state), nameof(bone), bone);
        return state;
      }
      set { Check.Number(Native.pchr_pose_set_bone(Handle, bone, ref value), nameof(bone), bone); }
    }
    public BoneState this[string bone] {
      get { return this[Character.FindBone(bone)]; }
      set { this[Character.FindBone(bone)] = value; }
    }

    /// <summary>Recomputes transforms and the draw list after changes to bones.</summary>
    public void Update() => Native.pchr_pose_update(Handle);

    /// <summary>Returns the rotation that points a bone at a world point.</summary>
    public float RotationTowards(uint bone, float x, float y) =>
      Native.pchr_pose_rotation_towards(Handle, bone, x, y, 0, 1);

    /// <summary>Copies the world transforms, one per bone, to an array that grows if necessary.</summary>
    public void World(ref Affine[] world) =>
      Memory.Copy(Native.pchr_pose_world(Handle), (uint)Character.Bones.Count, ref world, this);

    /// <summary>Copies the skinning palette: one transform per bone, from the bind pose to this pose.</summary>
    public void Palette(ref Affine[] palette) =>
      Memory.Copy(Native.pchr_pose_palette(Handle), (uint)Character.Bones.Count, ref palette, this);

    /// <summary>Returns the bounds of the visible vertices.</summary>
    public Rect Bounds() => Native.pchr_pose_bounds(Handle);

    /// <summary>Finds the topmost mesh at a world point.</summary>
    public bool HitTest(float x, float y, out Hit hit, Appearance? placed = null, Skin skin = null) {
      appearance[0] = placed ?? Appearance.Default;
      GCHandle pinned = GCHandle.Alloc(appearance, GCHandleType.Pinned);
      var options = new Native.HitOptions {
        StructSize = Sizes<Native.HitOptions>.Bytes,
        Appearance = pinned.AddrOfPinnedObject(),
        Skin = skin == null ? IntPtr.Zero : skin.Handle.DangerousGetHandle()
      };
      hit = new Hit { StructSize = Sizes<Hit>.Bytes };
      bool found = Native.pchr_hit_test(Handle, Character.HitImages(), x, y, ref options, ref hit);
      pinned.Free();
      GC.KeepAlive(skin);
      return found;
    }

    public void Dispose() => Handle.Dispose();
  }

  /// <summary>Something that happened in one step of time.</summary>
  public struct AnimatorEvent {
    public EventKind Kind;
    public uint Layer;
    public uint? Clip;      // Null if a reload dropped it.
    public ulong Play;
    public ulong Count;     // Above 1 only if it happened several times in the step.
    public double Seconds;  // Time since the start of the step.
    public float Weight;    // Weight of the play in its layer.
    public string Marker;   // Null for other kinds.
  }

  /// <summary>A parameter of a character's state machines.</summary>
  public struct Parameter {
    public string Name, Key;  // The key of the keyboard for it, such as "space", or empty.
    public ParameterKind Kind;
    public float Value, Min, Max;
  }

  /// <summary>Where one layer of the state machines is.</summary>
  public struct StateStatus {
    public string Layer, Name, From;  // Names of the layer, its state and the state that still fades out, or null.
    public uint? Transition;          // The transition that fades, in the order of the file.
    public float Progress;            // 0..1, of the fade.
    public double Phase;              // Durations of the state's clip since it was entered.
  }

  /// <summary>What the state machines did in one step of time.</summary>
  public struct StateEvent {
    public StateEventKind Kind;
    public uint Layer, State;
    public string Name;     // The state's or, if the kind is Named, the event's.
    public double Seconds;  // Time since the start of the step.
  }

  /// <summary>A named frame of a clip.</summary>
  public struct Marker {
    public uint Clip, Frame;
    public string Name;
    public Marker(uint clip, uint frame, string name) { Clip = clip; Frame = frame; Name = name; }
  }

  /// <summary>Plays clips on one instance of a character.</summary>
  public sealed class Animator : IDisposable {
    internal readonly AnimatorHandle Handle;
    readonly List<AnimatorEvent> events = new List<AnimatorEvent>();
    readonly List<StateEvent> stateEvents = new List<StateEvent>();
    RigHandle rig;
    Native.Event[] buffer = new Native.Event[8];
    Native.StateEvent[] stateBuffer = new Native.StateEvent[8];
    readonly float[] targetPoint = new float[2];
    readonly Dictionary<string, byte[]> names = new Dictionary<string, byte[]>();
    double speed = 1;
    bool smooth;
    /// <summary>The animated character.</summary>
    public Character Character { get; }

    public Animator(Character character) {
      Character = character;
      Handle = new AnimatorHandle(Native.pchr_animator_create(character.Handle));
    }

    /// <summary>Starts a clip now and clears its layer's queue. Returns the id of this play.</summary>
    public ulong Play(uint clip, PlayOptions? options = null) {
      PlayOptions given = options ?? PlayOptions.Default;
      return Started(Native.pchr_animator_play(Handle, clip, ref given), clip, given.Layer);
    }
    public ulong Play(string clip, PlayOptions? options = null) => Play(Character.FindClip(clip), options);

    /// <summary>Starts a clip when the layer's last play ends. Returns the id of that play.</summary>
    public ulong Queue(uint clip, PlayOptions? options = null) {
      PlayOptions given = options ?? PlayOptions.Default;
      return Started(Native.pchr_animator_queue(Handle, clip, ref given), clip, given.Layer);
    }
    public ulong Queue(string clip, PlayOptions? options = null) => Queue(Character.FindClip(clip), options);

    /// <summary>Fades out a layer and clears its queue.</summary>
    public void Stop(uint layer = 0, double fadeSeconds = 0) =>
      Check.Number(Native.pchr_animator_stop(Handle, layer, fadeSeconds), nameof(layer), layer);
    /// <summary>Fades out a layer when Queue() would start a clip.</summary>
    public void QueueStop(uint layer = 0, double fadeSeconds = 0) =>
      Check.Number(Native.pchr_animator_queue_stop(Handle, layer, fadeSeconds), nameof(layer), layer);

    /// <summary>Moves a play to a clip time. Returns false if it does not show.</summary>
    public bool Seek(ulong play, double seconds) => Native.pchr_animator_seek_play(Handle, play, seconds);
    /// <summary>Sets the speed of a play. Returns false if it does not show.</summary>
    public bool SetPlaySpeed(ulong play, double value) => Native.pchr_animator_set_play_speed(Handle, play, value);

    /// <summary>Sets how a layer mixes, and on which bones: these and their descendants, those of a mask of the loaded
    /// rig, or all.</summary>
    public void SetLayer(uint layer, float weight = 1, LayerMode mode = LayerMode.Override,
                         IEnumerable<uint> bones = null, uint? referenceClip = null, uint referenceFrame = 0,
                         string mask = null) {
      Native.pchr_layer_options_init(out Native.LayerOptions options, Sizes<Native.LayerOptions>.Bytes);
      options.Weight = weight;
      options.Mode = mode;
      options.ReferenceClip = referenceClip ?? Native.None;
      options.ReferenceFrame = referenceFrame;
      byte[] included = bones != null || mask != null ? new byte[Character.Bones.Count] : null;
      foreach (uint bone in bones ?? Array.Empty<uint>())
        Check.Number(Native.pchr_mask_subtree(Character.Handle, bone, included), nameof(bones), bone);
      if (mask != null && (rig == null || !Native.pchr_rig_mask(rig, Text.From(mask), included)))
        throw new KeyNotFoundException("the rig has no mask named \"" + mask + "\"");
      GCHandle pinned = GCHandle.Alloc(included, GCHandleType.Pinned);
      options.Mask = pinned.AddrOfPinnedObject();
      bool done = Native.pchr_animator_set_layer(Handle, layer, ref options);
      pinned.Free();
      Check.Number(done, nameof(layer), layer);
    }
    /// <summary>Sets only the weight of a layer.</summary>
    public void SetLayerWeight(uint layer, float weight) =>
      Check.Number(Native.pchr_animator_set_layer_weight(Handle, layer, weight), nameof(layer), layer);

    /// <summary>The speed of all plays, fades and queues. Negative plays backwards.</summary>
    public double Speed {
      get { return speed; }
      set { Native.pchr_animator_set_speed(Handle, speed = value); }
    }
    /// <summary>Interpolates between frames.</summary>
    public bool Smooth {
      get { return smooth; }
      set { Native.pchr_animator_set_sampling(Handle, (smooth = value) ? Sampling.Smooth : Sampling.Step); }
    }

    /// <summary>Replaces values of bones after clips are mixed.</summary>
    public void SetOverrides(params BoneOverride[] overrides) {
      for (int i = 0; i < overrides.Length; ++i) overrides[i].StructSize = Sizes<BoneOverride>.Bytes;
      Native.pchr_animator_set_overrides(Handle, overrides, (uint)overrides.Length);
    }

    /// <summary>Replaces the markers.</summary>
    public void SetMarkers(params Marker[] markers) {
      var native = new Native.Marker[markers.Length];
      try {
        for (int i = 0; i < markers.Length; ++i) {
          native[i].Clip = markers[i].Clip;
          native[i].Frame = markers[i].Frame;
          byte[] name = Text.From(markers[i].Name);
          native[i].Name = Marshal.AllocHGlobal(name.Length);
          Marshal.Copy(name, 0, native[i].Name, name.Length);
        }
        Native.pchr_animator_set_markers(Handle, native, (uint)native.Length);
      } finally {
        foreach (Native.Marker marker in native) Marshal.FreeHGlobal(marker.Name);
      }
    }
    /// <summary>Replaces the markers with those of a file.</summary>
    public void LoadMarkers(string path) {
      if (!Native.pchr_animator_load_markers(Handle, Text.From(path), IntPtr.Zero, out Native.Error error))
        throw new LoadException(error);
    }

    /// <summary>Sets the procedural layers, markers and masks of a file such as hero.rig.json.</summary>
    public void LoadRig(string path) {
      IntPtr loaded = Native.pchr_rig_load(Character.Handle, Text.From(path), IntPtr.Zero, out Native.Error error);
      SetRig(loaded, error);
    }
    /// <summary>Does so from the bytes of such a file, such as a TextAsset of Unity.</summary>
    public void LoadRig(byte[] bytes) {
      IntPtr loaded =
        Native.pchr_rig_from_memory(Character.Handle, bytes, (UIntPtr)bytes.Length, out Native.Error error);
      SetRig(loaded, error);
    }
    void SetRig(IntPtr loaded, Native.Error error) {
      if (loaded == IntPtr.Zero) throw new LoadException(error);
      rig?.Dispose();
      rig = new RigHandle(loaded);
      if (!Native.pchr_animator_set_rig(Handle, rig)) throw new OutOfMemoryException();
    }

    /// Returns a name as the library wants it, without allocating in every frame.
    byte[] NameOf(string name) {
      if (!names.TryGetValue(name ?? "", out byte[] text)) names.Add(name ?? "", text = Text.From(name));
      return text;
    }

    /// <summary>Sets the world point that an aim or limb of the rig points at or reaches for.</summary>
    public void SetTarget(string name, float x, float y, float weight = 1) {
      targetPoint[0] = x;
      targetPoint[1] = y;
      Target(name, targetPoint, weight);
    }
    /// <summary>Returns an aim or limb of the rig to its target bone.</summary>
    public void ClearTarget(string name, float weight = 1) => Target(name, null, weight);
    void Target(string name, float[] target, float weight) {
      if (!Native.pchr_animator_set_target(Handle, NameOf(name), target, weight))
        throw new KeyNotFoundException("the rig has no aim or limb named \"" + name + "\"");
    }

    /// <summary>Tells the procedural layers where the character is drawn, which swings its springs.</summary>
    public void SetPlacement(Affine placement, bool teleport = false) =>
      Native.pchr_animator_set_placement(Handle, ref placement, teleport);
    /// <summary>Puts springs and feet at rest.</summary>
    public void ResetRig() => Native.pchr_animator_reset_rig(Handle);

    /// <summary>Lets the state machines of the loaded rig play the clips: Advance() then advances them. After another
    /// rig, it keeps values of parameters and current states of the same names.</summary>
    public void PlayStates() {
      if (rig == null) throw new InvalidOperationException("call LoadRig() first");
      if (!Native.pchr_animator_set_states(Handle, rig, out Native.Error error)) throw new LoadException(error);
    }
    /// <summary>Removes the state machines. What plays continues.</summary>
    public void StopStates() => RemoveStates(Handle, IntPtr.Zero, IntPtr.Zero);
    [DllImport(Native.Library, CallingConvention = CallingConvention.Cdecl, EntryPoint = "pchr_animator_set_states")]
    static extern byte RemoveStates(AnimatorHandle animator, IntPtr rig, IntPtr error);

    /// <summary>Returns the parameters of the state machines, with their current values.</summary>
    public Parameter[] Parameters() {
      var list = new Parameter[Native.pchr_animator_parameter_count(Handle)];
      var found = new Native.Parameter { StructSize = Sizes<Native.Parameter>.Bytes };
      for (uint i = 0; i < list.Length && Native.pchr_animator_get_parameter(Handle, i, ref found); ++i) {
        list[i] = new Parameter { Name = Text.Of(found.Name), Key = Text.Of(found.Key), Kind = found.Kind,
                                  Value = found.Value, Min = found.Min, Max = found.Max };
      }
      return list;
    }
    /// <summary>Returns the number of a parameter: its place in Parameters().</summary>
    public uint FindParameter(string name) {
      uint parameter = Native.pchr_animator_find_parameter(Handle, NameOf(name));
      if (parameter != Native.None) return parameter;
      throw new KeyNotFoundException("the state machines have no parameter named \"" + name + "\"");
    }
    /// <summary>Sets a number, which is kept within its range, for the next Advance().</summary>
    public void SetParameter(uint parameter, float value) =>
      Check.Number(Native.pchr_animator_set_parameter(Handle, parameter, value), nameof(parameter), parameter);
    public void SetParameter(string name, float value) => SetParameter(FindParameter(name), value);
    /// <summary>Sets a boolean.</summary>
    public void SetParameter(uint parameter, bool value) => SetParameter(parameter, value ? 1 : 0);
    public void SetParameter(string name, bool value) => SetParameter(FindParameter(name), value ? 1 : 0);
    /// <summary>Sets a trigger.</summary>
    public void Fire(uint trigger) => Check.Number(TryFire(trigger), nameof(trigger), trigger);
    public void Fire(string trigger) {
      if (!TryFire(Native.pchr_animator_find_parameter(Handle, NameOf(trigger))))
        throw new KeyNotFoundException("the state machines have no trigger named \"" + trigger + "\"");
    }
    bool TryFire(uint number) {
      var found = new Native.Parameter { StructSize = Sizes<Native.Parameter>.Bytes };
      return Native.pchr_animator_get_parameter(Handle, number, ref found) && found.Kind == ParameterKind.Trigger &&
             Native.pchr_animator_set_parameter(Handle, number, 1);
    }

    /// <summary>The number of layers of the state machines.</summary>
    public uint StateLayerCount { get { return Native.pchr_animator_state_layer_count(Handle); } }
    /// <summary>Returns where a layer of the state machines is.</summary>
    public StateStatus State(uint layer = 0) {
      var found = new Native.StateStatus { StructSize = Sizes<Native.StateStatus>.Bytes };
      Check.Number(Native.pchr_animator_get_state(Handle, layer, ref found), nameof(layer), layer);
      return new StateStatus { Layer = Text.Of(found.LayerName), Name = Text.Of(found.Name),
                               From = Text.Of(found.FromName), Progress = found.Progress, Phase = found.Phase,
                               Transition = found.Transition == Native.None ? (uint?)null : found.Transition };
    }
    /// <summary>Enters a state at once, whatever the transitions.</summary>
    public void EnterState(string name, uint layer = 0, double fadeSeconds = 0) {
      if (!Native.pchr_animator_enter_state(Handle, layer, NameOf(name), fadeSeconds))
        throw new KeyNotFoundException("layer " + layer + " has no state named \"" + name + "\"");
    }
    /// <summary>Returns what the state machines did in the last Advance(), in order. The next call reuses the list.
    /// </summary>
    public List<StateEvent> StateEvents() {
      IntPtr first = Native.pchr_animator_state_events(Handle, out uint count);
      Memory.Copy(first, count, ref stateBuffer, this);
      stateEvents.Clear();
      for (uint i = 0; i < count; ++i) {
        Native.StateEvent e = stateBuffer[i];
        stateEvents.Add(new StateEvent { Kind = e.Kind, Layer = e.Layer, State = e.State, Name = Text.Of(e.Name),
                                         Seconds = e.Seconds });
      }
      return stateEvents;
    }
    /// <summary>Returns values and states as text for a saved game.</summary>
    public string SaveStates() {
      var saved = new byte[(int)Native.pchr_animator_save_states(Handle, null, UIntPtr.Zero) + 1];
      Native.pchr_animator_save_states(Handle, saved, (UIntPtr)saved.Length);
      return Text.Of(saved);
    }
    /// <summary>Continues from such a text, without fades that were under way.</summary>
    public void RestoreStates(string saved) {
      if (!Native.pchr_animator_restore_states(Handle, Text.From(saved)))
        throw new ArgumentException("the text is not of SaveStates(), or no state machines play", nameof(saved));
    }

    /// <summary>Advances and returns everything that happened, in order. The next call reuses the list.</summary>
    public List<AnimatorEvent> Advance(double seconds) {
      IntPtr first = Native.pchr_animator_advance(Handle, seconds, out uint count);
      Memory.Copy(first, count, ref buffer, this);
      events.Clear();
      for (uint i = 0; i < count; ++i) {
        Native.Event e = buffer[i];
        events.Add(new AnimatorEvent {
          Kind = e.Kind, Layer = e.Layer, Clip = e.Clip == Native.None ? (uint?)null : e.Clip, Play = e.Play,
          Count = e.Count, Seconds = e.Seconds, Weight = e.Weight,
          Marker = Text.Of(e.Marker)
        });
      }
      return events;
    }

    /// <summary>Poses the character as the animator shows it.</summary>
    public void Pose(Pose pose) {
      if (!Native.pchr_animator_pose(Handle, pose.Handle))
        throw new ArgumentException("the pose belongs to another character", nameof(pose));
    }

    /// <summary>Takes a bone's movement out of the pose. Null stops that.</summary>
    public void SetRootMotion(uint? bone, bool alongX = true, bool alongY = false) =>
      Native.pchr_animator_set_root_motion(Handle, bone ?? Native.None, alongX, alongY);
    /// <summary>Returns that movement since the last call.</summary>
    public void TakeRootMotion(out float x, out float y) => Native.pchr_animator_take_root_motion(Handle, out x, out y);

    public void Dispose() {
      rig?.Dispose();
      Handle.Dispose();
    }

    static ulong Started(ulong play, uint clip, uint layer) {
      if (play != 0) return play;
      throw new ArgumentOutOfRangeException("clip", "clip " + clip + " or layer " + layer + " does not exist");
    }
  }

  /// <summary>Skinned triangles of any number of characters, for any renderer.</summary>
  public sealed class DrawStream : IDisposable {
    internal readonly StreamHandle Handle = new StreamHandle(Native.pchr_stream_create(0));
    readonly Appearance[] appearance = new Appearance[1];

    /// <summary>Removes everything but keeps the memory.</summary>
    public void Clear() => Native.pchr_stream_clear(Handle);

    /// <summary>Appends a posed character on top. Give each character and skin its own source. Colors are decoded to
    /// linear light on request, for sRGB textures and framebuffers.</summary>
    public void Add(Pose pose, Appearance? placed = null, Skin skin = null, uint source = 0, bool linearLight = false) {
      appearance[0] = placed ?? Appearance.Default;
      GCHandle pinned = GCHandle.Alloc(appearance, GCHandleType.Pinned);
      var options = new Native.StreamOptions {
        StructSize = Sizes<Native.StreamOptions>.Bytes, Source = source, Appearance = pinned.AddrOfPinnedObject(),
        LinearLight = linearLight,
        Skin = skin == null ? IntPtr.Zero : skin.Handle.DangerousGetHandle()
      };
      bool added = Native.pchr_stream_add(Handle, pose.Handle, ref options);
      pinned.Free();
      GC.KeepAlive(skin);
      if (!added) throw new ArgumentException("the skin does not fit the pose", nameof(skin));
    }

    /// <summary>Copy the triangles to arrays that grow if necessary, and return how many elements are used.</summary>
    public int Vertices(ref StreamVertex[] vertices) =>
      Memory.Copy(Native.pchr_stream_vertices(Handle, out uint count), count, ref vertices, this);
    public int Indices(ref int[] indices) =>
      Memory.Copy(Native.pchr_stream_indices(Handle, out uint count), count, ref indices, this);
    public int Commands(ref StreamCommand[] commands) =>
      Memory.Copy(Native.pchr_stream_commands(Handle, out uint count), count, ref commands, this);

    /// <summary>Return the library's own memory, valid until the stream changes, for spans and native arrays.</summary>
    public IntPtr VerticesPointer(out uint count) => Native.pchr_stream_vertices(Handle, out count);
    public IntPtr IndicesPointer(out uint count) => Native.pchr_stream_indices(Handle, out count);

    public void Dispose() => Handle.Dispose();
  }

  abstract class Handle : SafeHandle {
    protected Handle(IntPtr handle) : base(IntPtr.Zero, true) {
      if (handle == IntPtr.Zero) throw new OutOfMemoryException();
      SetHandle(handle);
    }
    public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
  }

  static class Sizes<T> {
    internal static readonly uint Bytes = (uint)Marshal.SizeOf<T>();
  }

  static class Check {
    internal static void Number(bool done, string name, uint value) {
      if (!done) throw new ArgumentOutOfRangeException(name, value + " does not exist");
    }
  }

  static class Text {
    internal static byte[] From(string text) => Encoding.UTF8.GetBytes(text + "\0");

    internal static string Of(byte[] text) {
      int length = Array.IndexOf(text, (byte)0);
      return Encoding.UTF8.GetString(text, 0, length);
    }

    internal static string Of(IntPtr text) {
      if (text == IntPtr.Zero) return null;
      int length = 0;
      while (Marshal.ReadByte(text, length) != 0) ++length;
      var bytes = new byte[length];
      Marshal.Copy(text, bytes, 0, length);
      return Encoding.UTF8.GetString(bytes);
    }
  }

  static class Memory {
    [ThreadStatic] static byte[] scratch;

    /// Copies structs without unsafe code, which can only copy bytes from memory that is not managed, and to it.
    internal static int Copy<T>(IntPtr from, uint count, ref T[] to, object owner) where T : struct {
      if (to == null || to.Length < count) to = new T[Math.Max(count, to == null ? 0 : 2L * to.Length)];
      if (count == 0) return 0;
      int size = checked((int)(count * Sizes<T>.Bytes));
      if (scratch == null || scratch.Length < size) scratch = new byte[2 * size];
      Marshal.Copy(from, scratch, 0, size);
      GC.KeepAlive(owner);
      GCHandle pinned = GCHandle.Alloc(to, GCHandleType.Pinned);
      Marshal.Copy(scratch, 0, pinned.AddrOfPinnedObject(), size);
      pinned.Free();
      return (int)count;
    }

    internal static T[] ToArray<T>(IntPtr from, uint count, object owner) where T : struct {
      T[] array = null;
      Copy(from, count, ref array, owner);
      return array;
    }
  }
}
