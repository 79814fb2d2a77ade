// SPDX-License-Identifier: MIT
// Uses the C# binding as a program would. "layout" instead of a character prints the layout of its structs.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Pchr;

static class Test {
  static string path;

  static void Require(bool condition, string what) {
    if (!condition) throw new Exception(what);
  }

  static void Throws<T>(Action action) where T : Exception {
    try {
      action();
    } catch (T) {
      return;
    }
    throw new Exception("expected " + typeof(T).Name);
  }

  static void ACharacterListsItsParts() {
    using (Character hero = Character.Load(path)) {
      uint walk = hero.FindClip("walk");
      Require(hero.Clips[(int)walk].Name == "walk" && hero.Clips[(int)walk].DurationSeconds > 0, "walk");
      Require(hero.Bones[0].Parent == null, "root");
      for (int i = 1; i < hero.Bones.Count; ++i) Require(hero.Bones[i].Parent < i, hero.Bones[i].Name);
      Vertex[] vertices = hero.Vertices();
      Require(hero.Meshes.Sum(mesh => mesh.VertexCount) == vertices.Length, "vertices");
      Require(hero.Meshes.Sum(mesh => mesh.IndexCount) == hero.Indices().Length, "indices");
      foreach (Vertex v in vertices) {
        Require(Math.Abs(v.Weight0 + v.Weight1 + v.Weight2 + v.Weight3 - 1) < 1e-3, "weights");
        Require(v.Bone0 < hero.Bones.Count, "bones");
      }
      Require(hero.DecodeImage(0).Length == hero.Images[0].Width * hero.Images[0].Height * 4, "image");
      Require(hero.ClipBounds("walk").MaxY > hero.ClipBounds("walk").MinY, "bounds");
      Require(hero.Warnings.Count == 0, "warnings");
      Throws<KeyNotFoundException>(() => hero.FindClip("fly"));
      Throws<ArgumentOutOfRangeException>(() => hero.ClipBounds(99));
    }
  }

  static void AFileThatDoesNotLoadThrows() {
    try {
      Character.Load("no/such/fílé.pchr");
    } catch (LoadException e) {
      Require(e.Code.StartsWith("E") && e.Message.Contains("no/such/fílé.pchr"), e.Message);
      Throws<LoadException>(() => Character.Load(new byte[] {1, 2, 3}));
      return;
    }
    throw new Exception("it loaded");
  }

  static void EventsComeInOrder() {
    using (Character hero = Character.Load(System.IO.File.ReadAllBytes(path)))
    using (var animator = new Animator(hero)) {
      uint walk = hero.FindClip("walk"), jump = hero.FindClip("jump");
      animator.SetMarkers(new Marker(walk, 3, "stép"), new Marker(jump, 1, "takeoff"));
      ulong first = animator.Play("walk");
      PlayOptions once = PlayOptions.Default;
      once.Loop = Loop.Once;
      ulong second = animator.Play("jump", once);
      ulong third = animator.Queue(walk);
      List<AnimatorEvent> events = animator.Advance(hero.Clips[(int)jump].DurationSeconds + 0.5);
      string seen = string.Join(", ", events.Select(e => e.Kind + " " + (e.Play - first) + " " + e.Clip + e.Marker));
      string expected = string.Format("Started 0 {0}, Interrupted 0 {0}, Started 1 {1}, Marker 1 {1}takeoff, " +
                                      "Finished 1 {1}, Started 2 {0}, Marker 2 {0}stép", walk, jump);
      Require(second == first + 1 && third == first + 2 && seen == expected, seen);
      Require(animator.Seek(third, 0.1) && animator.SetPlaySpeed(third, 2) && !animator.Seek(second, 0), "plays");
      Throws<ArgumentOutOfRangeException>(() => animator.Play(99));
      Throws<ArgumentOutOfRangeException>(() => animator.Stop(64));
    }
  }

  static void AnimatorsMixLayersAndOverrides() {
    using (Character hero = Character.Load(path))
    using (Character other = Character.Load(path))
    using (var animator = new Animator(hero))
    using (var pose = new Pose(hero))
    using (var bind = new Pose(hero)) {
      uint head = hero.FindBone("head");
      animator.Smooth = true;
      animator.Speed = 2;
      animator.SetLayer(1, 0.5f, bones: new[] {hero.FindBone("chest")});
      PlayOptions above = PlayOptions.Default;
      above.Layer = 1;
      animator.Play("wave", above);
      animator.Advance(0.5);
      animator.Pose(pose);
      Require(pose[0].RotationDegrees == bind[0].RotationDegrees, "root");
      Require(pose[head].RotationDegrees != bind[head].RotationDegrees, "head");
      animator.SetOverrides(new BoneOverride {Bone = head, Values = OverrideValues.Rotation, RotationDegrees = 30});
      animator.Pose(pose);
      Require(pose["head"].RotationDegrees == 30, "override");
      BoneState state = pose[head];
      state.RotationDegrees = pose.RotationTowards(head, 1000, 0);
      pose[head] = state;
      pose.Update();
      Affine[] world = null;
      pose.World(ref world);
      Affine w = world[head];
      Require(Math.Abs(Math.Atan2(w.D, w.C) - Math.Atan2(-w.Ty, 1000 - w.Tx)) < 1e-4, "rotation");
      Affine[] palette = null;
      bind.Palette(ref palette);
      Require(palette.All(p => Math.Abs(p.A - 1) < 1e-4 && Math.Abs(p.Tx) < 1e-2), "palette");
      animator.SetRootMotion(hero.FindBone("hips"), true, true);
      animator.SetLayerWeight(1, 0);
      animator.Play("jump");
      animator.Advance(0.2);
      animator.TakeRootMotion(out float x, out float y);
      Require(x != 0 || y != 0, "root motion");
      animator.QueueStop(1, 0.1);
      using (var wrong = new Pose(other)) Throws<ArgumentException>(() => animator.Pose(wrong));
    }
  }

  static void RigsMoveBonesAfterTheClips() {
    string file = System.IO.Path.GetTempFileName();
    System.IO.File.WriteAllText(file, "{\"aim\": [{\"name\": \"look\", \"bone\": \"head\"}], " +
                                      "\"springs\": [{\"bones\": \"tail_1\"}]}");
    using (Character hero = Character.Load(path))
    using (var animator = new Animator(hero))
    using (var pose = new Pose(hero)) {
      animator.LoadRig(file);
      System.IO.File.Delete(file);
      Throws<LoadException>(() => animator.LoadRig(file));
      animator.SetTarget("look", 1000, 300);
      animator.Advance(1 / 60.0);
      animator.Pose(pose);
      Affine[] world = null;
      pose.World(ref world);
      Affine w = world[hero.FindBone("head")];
      Require(Math.Abs(Math.Atan2(w.D, w.C) - Math.Atan2(300 - w.Ty, 1000 - w.Tx)) < 1e-3, "aim");
      float still = pose["tail_1"].RotationDegrees;
      for (int step = 1; step <= 10; ++step) {
        animator.SetPlacement(Appearance.At(20 * step, 0).Placement);
        animator.Advance(1 / 60.0);
        animator.Pose(pose);
      }
      Require(Math.Abs(pose["tail_1"].RotationDegrees - still) > 1, "spring");
      animator.ResetRig();
      animator.ClearTarget("look");
      Throws<KeyNotFoundException>(() => animator.SetTarget("listen", 0, 0));
    }
  }

  static void AStreamHasTriangles() {
    using (Character hero = Character.Load(path))
    using (var pose = new Pose(hero))
    using (var stream = new DrawStream()) {
      pose.Clip("walk", 0.25, true);
      Rect bounds = pose.Bounds();
      Appearance placed = Appearance.At(100, 50, scale: 2);
      placed.Tint = new Color(1, 0, 0, 0.5f);
      stream.Add(pose, placed, source: 7);
      StreamVertex[] vertices = null;
      int[] indices = null;
      StreamCommand[] commands = null;
      int count = stream.Vertices(ref vertices);
      Require(count > 1000 && stream.VerticesPointer(out uint same) != IntPtr.Zero && same == count, "count");
      Require(Math.Abs(vertices.Take(count).Max(v => v.X) - (100 + 2 * bounds.MaxX)) < 0.01, "x");
      Require(Math.Abs(vertices.Take(count).Min(v => v.Y) - (50 + 2 * bounds.MinY)) < 0.01, "y");
      Require(vertices.Take(count).All(v => v.R == 128 && v.G == 0 && v.A == 128), "color");
      int used = stream.Indices(ref indices);
      Require(used % 3 == 0 && indices.Take(used).All(i => i >= 0 && i < count), "indices");
      int drawn = stream.Commands(ref commands);
      Require(commands.Take(drawn).Sum(c => c.IndexCount) == used && commands[0].Source == 7, "commands");
      StreamVertex[] before = vertices;
      stream.Clear();
      stream.Add(pose);
      Require(stream.Vertices(ref vertices) == count && vertices == before, "the array is reused");
      Require(vertices[0].R == 255, "tint");
    }
  }

  // Arrays that were allocated in every frame would fill the nursery of the collector.
  static void WarmFramesDoNotAllocate() {
    using (Character hero = Character.Load(path))
    using (var animator = new Animator(hero))
    using (var pose = new Pose(hero))
    using (var stream = new DrawStream()) {
      StreamVertex[] vertices = null;
      int[] indices = null;
      StreamCommand[] commands = null;
      animator.Play("walk");
      Action frame = () => {
        foreach (AnimatorEvent e in animator.Advance(1.0 / 60)) Require(e.Kind != EventKind.Marker, "marker");
        animator.Pose(pose);
        stream.Clear();
        stream.Add(pose, Appearance.At(10, 20));
        stream.Vertices(ref vertices);
        stream.Indices(ref indices);
        stream.Commands(ref commands);
      };
      for (int i = 0; i < 10; ++i) frame();
      int before = GC.CollectionCount(0);
      for (int i = 0; i < 200; ++i) frame();
      Require(GC.CollectionCount(0) == before, "collections");
    }
  }

  static void SkinsChangeWhatIsDrawnAndHit() {
    using (Character hero = Character.Load(path))
    using (var pose = new Pose(hero))
    using (var stream = new DrawStream())
    using (var skin = new Skin(hero, "red")) {
      Affine[] world = null;
      pose.World(ref world);
      float x = world[hero.FindBone("head")].Tx, y = world[hero.FindBone("head")].Ty + 10;
      Require(pose.HitTest(x, y, out Hit hit) && hit.Alpha >= 128, "hit");
      Require(!pose.HitTest(x + 500, y, out Hit none), "no hit");
      Require(pose.HitTest(x + 500, y, out Hit moved, Appearance.At(500, 0)) && moved.Mesh == hit.Mesh, "placed hit");
      uint red = skin.AddImage(new byte[] {255, 0, 0, 255}, 1, 1);
      Throws<ArgumentException>(() => skin.AddImage(new byte[3], 1, 1));
      skin.Set(hit.Mesh, image: red, blend: Blend.Screen);
      stream.Add(pose, skin: skin);
      StreamCommand[] commands = null;
      int count = stream.Commands(ref commands);
      Require(commands.Take(count).Any(c => c.Image == red && c.Blend == Blend.Screen), "image");
      for (uint i = 0; i < hero.Meshes.Count; ++i) skin.Set(i, visible: false);
      Require(!pose.HitTest(x, y, out none, skin: skin), "hidden");
      Throws<ArgumentOutOfRangeException>(() => skin.Set(9999));
    }
  }

  static void ObjectsCanBeLeftToTheCollector() {
    for (int i = 0; i < 50; ++i) {
      var hero = Character.Load(path);
      var animator = new Animator(hero);
      animator.Play("walk");
      animator.Advance(0.5);
      animator.Pose(new Pose(hero));
    }
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }

  // Names are without underscores. Arrays of C are numbered members here: their first one is printed with the array's
  // name, but perhaps without an s.
  static void PrintLayout() {
    var others = new[] {typeof(Bone), typeof(AnimatorEvent), typeof(Color), typeof(Rgb)};
    Assembly binding = typeof(Character).Assembly;
    foreach (Type type in binding.GetTypes().Where(t => t.IsValueType && !t.IsEnum && t.Namespace == "Pchr")) {
      if (others.Contains(type) || binding.GetType("Pchr.Native+" + type.Name) is Type native && native != type) continue;
      string name = "pchr" + type.Name.ToLowerInvariant();
      Console.WriteLine(name + " " + Marshal.SizeOf(type));
      const BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
      foreach (FieldInfo field in type.GetFields(all)) {
        string member = Regex.Replace(field.Name.ToLowerInvariant().TrimEnd('_'), "^r$", "color");
        if (Regex.IsMatch(member, type == typeof(StreamVertex) ? "^[gba]$" : "[1-9]0?$")) continue;
        Console.WriteLine(name + "." + member.TrimEnd('0') + " " + Marshal.OffsetOf(type, field.Name));
      }
    }
  }

  static int Main(string[] arguments) {
    if (arguments[0] == "layout") {
      PrintLayout();
      return 0;
    }
    path = arguments[0];
    var tests = new Action[] {
      ACharacterListsItsParts, AFileThatDoesNotLoadThrows, EventsComeInOrder, AnimatorsMixLayersAndOverrides,
      RigsMoveBonesAfterTheClips, AStreamHasTriangles, WarmFramesDoNotAllocate,
      SkinsChangeWhatIsDrawnAndHit, ObjectsCanBeLeftToTheCollector
    };
    int failed = 0;
    foreach (Action test in tests) {
      try {
        test();
      } catch (Exception e) {
        ++failed;
        Console.WriteLine(test.Method.Name + ": " + e);
      }
    }
    Console.WriteLine((tests.Length - failed) + " passed, " + failed + " failed");
    return failed == 0 ? 0 : 1;
  }
}
