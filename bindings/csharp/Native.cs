// SPDX-License-Identifier: MIT
// The functions and structs of pchr.h that Pchr.cs uses. Structs have the layout of those in C.
using System;
using System.Runtime.InteropServices;

namespace Pchr {

  /// <summary>An affine transform: x' = A*x + C*y + Tx and y' = B*x + D*y + Ty.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Affine { public float A, B, C, D, Tx, Ty; }

  /// <summary>A rectangle. If it is empty, Min is above Max.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Rect { public float MinX, MinY, MaxX, MaxY; }

  /// <summary>Straight RGBA, 0..1.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Color {
    public float R, G, B, A;
    public Color(float r, float g, float b, float a = 1) { R = r; G = g; B = b; A = a; }
    public static readonly Color White = new Color(1, 1, 1);
  }

  /// <summary>Straight RGB, 0..1.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Rgb {
    public float R, G, B;
    public Rgb(float r, float g, float b) { R = r; G = g; B = b; }
  }

  /// <summary>How drawn pixels combine with what is behind them.</summary>
  public enum Blend { Normal, Add, Multiply, Screen }

  /// <summary>Placement and look of one character. Start from Appearance.Default.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Appearance {
    internal uint StructSize;
    public Blend Blend;
    public Affine Placement;  // From character space to world space.
    public Color Tint;        // What white becomes, and opacity.
    public Rgb DarkTint;      // What black becomes.
    public Rgb Additive;      // Added to every color.
    internal float Effect0, Effect1, Depth;

    /// <summary>At the origin, drawn as authored.</summary>
    public static Appearance Default {
      get {
        Native.pchr_appearance_init(out Appearance appearance, (uint)Marshal.SizeOf<Appearance>());
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

  /// <summary>A vertex before skinning.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Vertex {
    public float X, Y;
    public float U, V;  // V = 0 is the top row of the image.
    public ushort Bone0, Bone1, Bone2, Bone3;
    public float Weight0, Weight1, Weight2, Weight3;
  }

  /// <summary>Values of one bone.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct BoneState {
    public float X, Y;
    public float RotationDegrees, ScaleX, ScaleY;
    public float Opacity;
    public int ZOrder;
    byte visible;
    public bool Visible { get { return visible != 0; } set { visible = (byte)(value ? 1 : 0); } }
  }

  /// <summary>A skinned vertex.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct StreamVertex {
    public float X, Y;  // World pixels, y up.
    public float U, V;  // V = 0 is the top row of the image.
    public byte R, G, B, A;  // Tint and opacity, premultiplied.
  }

  /// <summary>A range of triangles drawn with one image.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct StreamCommand {
    public uint Source;  // As passed to DrawStream.Add().
    public uint Image;   // Of that character or, past its images, of its skin.
    public uint FirstIndex, IndexCount;
    byte blend;
    public Blend Blend { get { return (Blend)blend; } }  // Normal, Multiply or Screen.
  }

  /// <summary>A hit on a mesh.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct Hit {
    internal uint StructSize;
    public uint Mesh, Bone, GoverningBone, Triangle;
    public float Barycentric0, Barycentric1, Barycentric2;
    public float U, V;
    public uint Alpha;
  }

  /// <summary>What happens at the end of a clip.</summary>
  public enum Loop { FromFile, Once, Forever, PingPong }

  /// <summary>How a layer mixes with the layers below.</summary>
  public enum LayerMode { Override, Additive }

  /// <summary>The type of an event.</summary>
  public enum EventKind { Started, Looped, Finished, Marker, Interrupted }

  /// <summary>Values of a bone that an override replaces.</summary>
  [Flags]
  public enum OverrideValues { X = 1, Y = 2, Rotation = 4, ScaleX = 8, ScaleY = 16, ZOrder = 32, Visible = 64 }

  /// <summary>Values that replace those of one bone after clips are mixed.</summary>
  [StructLayout(LayoutKind.Sequential)]
  public struct BoneOverride {
    internal uint StructSize;
    public uint Bone;
    public OverrideValues Values;
    public float X, Y;
    public float RotationDegrees, ScaleX, ScaleY;
    public int ZOrder;
    byte visible, relative;
    public float Keep;  // Share of the pose's values to keep.
    public bool Visible { get { return visible != 0; } set { visible = (byte)(value ? 1 : 0); } }
    public bool Relative { get { return relative != 0; } set { relative = (byte)(value ? 1 : 0); } }
  }

  static class Native {
    const string Library = "pchr_c";
    const CallingConvention C = CallingConvention.Cdecl;
    internal const uint None = 0xFFFFFFFF;
    internal const uint ApiVersion = 2;

    [StructLayout(LayoutKind.Sequential)]
    internal struct Error {
      [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] internal byte[] Code;
      [MarshalAs(UnmanagedType.ByValArray, SizeConst = 1016)] internal byte[] Message;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Clip {
      internal uint StructSize, FrameCount;
      internal IntPtr Name;
      internal double FramesPerSecond, DurationSeconds;
      internal uint LoopStart;
      internal byte Looping;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Image {
      internal uint StructSize, Width, Height;
      internal IntPtr Name;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Mesh {
      internal uint StructSize, Image;
      internal IntPtr Name;
      internal uint FirstVertex, VertexCount, FirstIndex, IndexCount, GoverningBone;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct SkinPart {
      internal uint StructSize;
      internal byte Visible;
      internal uint Image;
      internal Blend Blend;
      internal Color Tint;
      internal Rgb DarkTint, Additive;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct HitOptions {
      internal uint StructSize, MinAlpha;
      internal IntPtr Appearance, Skin;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct PlayOptions {
      internal uint StructSize, Layer;
      internal Loop Loop;
      internal double FadeSeconds, Speed, StartSeconds;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct LayerOptions {
      internal uint StructSize;
      internal LayerMode Mode;
      internal IntPtr Mask;
      internal float Weight;
      internal uint ReferenceClip, ReferenceFrame;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Marker {
      internal uint Clip, Frame;
      internal IntPtr Name;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Event {
      internal EventKind Kind;
      internal uint Layer;
      internal ulong Play, Count;
      internal double Seconds;
      internal IntPtr Marker;
      internal uint Clip;
      internal float Weight;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct StreamOptions {
      internal uint StructSize, Source;
      internal IntPtr Appearance, Skin, Camera;
      internal uint FirstItem, ItemCount;
      internal byte LinearLight;
      internal uint MaxVertices, MaxIndices;
    }

    // Options that a null pointer stands for have the type IntPtr. Text is UTF-8 and ends with a zero.
    [DllImport(Library, CallingConvention = C)] internal static extern IntPtr pchr_version();
    [DllImport(Library, CallingConvention = C)] internal static extern uint pchr_api_version();
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_load_file(byte[] path, IntPtr options, out Error error);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_load_memory(byte[] bytes, UIntPtr size, IntPtr options, out Error error);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_character_free(IntPtr character);
    [DllImport(Library, CallingConvention = C)]
    internal static extern uint pchr_warning_count(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_warning(CharacterHandle character, uint warning, out Error error);
    [DllImport(Library, CallingConvention = C)] internal static extern uint pchr_bone_count(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_bone_name(CharacterHandle character, uint bone);
    [DllImport(Library, CallingConvention = C)]
    internal static extern uint pchr_bone_parent(CharacterHandle character, uint bone);
    [DllImport(Library, CallingConvention = C)] internal static extern uint pchr_clip_count(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_get_clip(CharacterHandle character, uint clip, ref Clip clip_out);
    [DllImport(Library, CallingConvention = C)] internal static extern uint pchr_image_count(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_get_image(CharacterHandle character, uint image, ref Image image_out);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_decode_image(CharacterHandle character, uint image, [Out] byte[] rgba,
                                                  UIntPtr size, out Error error);
    [DllImport(Library, CallingConvention = C)] internal static extern uint pchr_mesh_count(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_get_mesh(CharacterHandle character, uint mesh, ref Mesh mesh_out);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_vertices(CharacterHandle character, out uint count);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_indices(CharacterHandle character, out uint count);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_clip_bounds(CharacterHandle character, uint clip, IntPtr executor,
                                                 out Rect bounds);
    [DllImport(Library, CallingConvention = C)]
    internal static extern Affine pchr_placement(float x, float y, float rotation_degrees, float scale,
                                                 [MarshalAs(UnmanagedType.I1)] bool flip_x);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_appearance_init(out Appearance appearance, uint struct_size);

    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_skin_create(CharacterHandle character, byte[] name);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_skin_free(IntPtr skin);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_skin_part_init(out SkinPart part, uint struct_size);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_skin_set_part(SkinHandle skin, uint mesh, ref SkinPart part);
    [DllImport(Library, CallingConvention = C)]
    internal static extern uint pchr_skin_add_image(SkinHandle skin, byte[] rgba, uint width, uint height);

    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_pose_create(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_pose_free(IntPtr pose);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_pose_bind(PoseHandle pose);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_pose_clip(PoseHandle pose, uint clip, double seconds, int sampling);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_pose_get_bone(PoseHandle pose, uint bone, out BoneState state);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_pose_set_bone(PoseHandle pose, uint bone, ref BoneState state);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_pose_update(PoseHandle pose);
    [DllImport(Library, CallingConvention = C)] internal static extern IntPtr pchr_pose_world(PoseHandle pose);
    [DllImport(Library, CallingConvention = C)] internal static extern IntPtr pchr_pose_palette(PoseHandle pose);
    [DllImport(Library, CallingConvention = C)] internal static extern Rect pchr_pose_bounds(PoseHandle pose);
    [DllImport(Library, CallingConvention = C)]
    internal static extern float pchr_pose_rotation_towards(PoseHandle pose, uint bone, float x, float y, float axis_x,
                                                            float axis_y);

    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_hit_images_create(CharacterHandle character, IntPtr executor, out Error error);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_hit_images_free(IntPtr images);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_hit_test(PoseHandle pose, HitImagesHandle images, float x, float y,
                                              ref HitOptions options, ref Hit hit);

    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_play_options_init(out PlayOptions options, uint struct_size);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_animator_create(CharacterHandle character);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_animator_free(IntPtr animator);
    [DllImport(Library, CallingConvention = C)]
    internal static extern ulong pchr_animator_play(AnimatorHandle animator, uint clip, ref PlayOptions options);
    [DllImport(Library, CallingConvention = C)]
    internal static extern ulong pchr_animator_queue(AnimatorHandle animator, uint clip, ref PlayOptions options);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_stop(AnimatorHandle animator, uint layer, double fade_seconds);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_queue_stop(AnimatorHandle animator, uint layer, double fade_seconds);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_play_speed(AnimatorHandle animator, ulong play, double speed);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_seek_play(AnimatorHandle animator, ulong play, double seconds);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_layer_options_init(out LayerOptions options, uint struct_size);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_layer(AnimatorHandle animator, uint layer, ref LayerOptions options);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_layer_weight(AnimatorHandle animator, uint layer, float weight);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_mask_subtree(CharacterHandle character, uint bone, [In, Out] byte[] mask);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_animator_set_speed(AnimatorHandle animator, double speed);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_animator_set_sampling(AnimatorHandle animator, int sampling);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_overrides(AnimatorHandle animator, BoneOverride[] overrides,
                                                            uint count);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_markers(AnimatorHandle animator, Marker[] markers, uint count);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_load_markers(AnimatorHandle animator, byte[] path, IntPtr files,
                                                           out Error error);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_animator_advance(AnimatorHandle animator, double seconds, out uint count);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_pose(AnimatorHandle animator, PoseHandle pose);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_root_motion(AnimatorHandle animator, uint bone,
                                                              [MarshalAs(UnmanagedType.I1)] bool along_x,
                                                              [MarshalAs(UnmanagedType.I1)] bool along_y);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_animator_take_root_motion(AnimatorHandle animator, out float x, out float y);

    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_rig_load(CharacterHandle character, byte[] path, IntPtr files, out Error error);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_rig_free(IntPtr rig);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_rig(AnimatorHandle animator, IntPtr rig);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_target(AnimatorHandle animator, byte[] name, float[] target,
                                                         float weight);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_animator_set_placement(AnimatorHandle animator, ref Affine placement,
                                                            [MarshalAs(UnmanagedType.I1)] bool teleport);
    [DllImport(Library, CallingConvention = C)]
    internal static extern void pchr_animator_reset_rig(AnimatorHandle animator);

    [DllImport(Library, CallingConvention = C)] internal static extern IntPtr pchr_stream_create(uint data);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_stream_free(IntPtr stream);
    [DllImport(Library, CallingConvention = C)] internal static extern void pchr_stream_clear(StreamHandle stream);
    [DllImport(Library, CallingConvention = C)]
    [return: MarshalAs(UnmanagedType.I1)]
    internal static extern bool pchr_stream_add(StreamHandle stream, PoseHandle pose, ref StreamOptions options);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_stream_vertices(StreamHandle stream, out uint count);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_stream_indices(StreamHandle stream, out uint count);
    [DllImport(Library, CallingConvention = C)]
    internal static extern IntPtr pchr_stream_commands(StreamHandle stream, out uint count);
  }

  abstract class Handle : SafeHandle {
    protected Handle(IntPtr handle) : base(IntPtr.Zero, true) {
      if (handle == IntPtr.Zero) throw new OutOfMemoryException();
      SetHandle(handle);
    }
    public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
  }
  sealed class CharacterHandle : Handle {
    internal CharacterHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_character_free(handle); return true; }
  }
  sealed class SkinHandle : Handle {
    internal SkinHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_skin_free(handle); return true; }
  }
  sealed class PoseHandle : Handle {
    internal PoseHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_pose_free(handle); return true; }
  }
  sealed class HitImagesHandle : Handle {
    internal HitImagesHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_hit_images_free(handle); return true; }
  }
  sealed class AnimatorHandle : Handle {
    internal AnimatorHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_animator_free(handle); return true; }
  }
  sealed class StreamHandle : Handle {
    internal StreamHandle(IntPtr handle) : base(handle) { }
    protected override bool ReleaseHandle() { Native.pchr_stream_free(handle); return true; }
  }
}
