// SPDX-License-Identifier: MIT
// Uses the C# binding as a program would: test.exe CHARACTER. "layout" prints the layout of its structs instead, and
// "facts CHARACTER RIG" what tests/c/facts.c prints.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
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

  static string Milli(params double[] values) {
    return string.Join(" ", values.Select(value => (long)(value * 1000 + (value < 0 ? -0.5 : 0.5))));
  }

  static int SumOf(byte[] bytes) {
    int sum = 0;
    foreach (byte b in bytes) sum = (sum * 31 + b) % 65521;
    return sum;
  }

  static int SumOf<T>(T[] elements, int count) {
    var bytes = new byte[count * Marshal.SizeOf<T>()];
    GCHandle pinned = GCHandle.Alloc(elements, GCHandleType.Pinned);
    Marshal.Copy(pinned.AddrOfPinnedObject(), bytes, 0, bytes.Length);
    pinned.Free();
    return SumOf(bytes);
  }

  static string Of(Rect r) { return " within " + Milli(r.MinX, r.MinY, r.MaxX, r.MaxY); }

  static void PrintParts(Character hero) {
    foreach (Bone bone in hero.Bones) Console.WriteLine("bone {0} of {1}", bone.Name, (int?)bone.Parent ?? -1);
    foreach (Clip clip in hero.Clips) {
      Console.WriteLine("clip {0}: {1} frames, {2} per second, {3} s, loop {4} from {5},{6}", clip.Name,
                        clip.FrameCount, Milli(clip.FramesPerSecond), Milli(clip.DurationSeconds), clip.Looping ? 1 : 0,
                        clip.LoopStart, Of(hero.ClipBounds(clip.Name)));
    }
    foreach (Mesh mesh in hero.Meshes) {
      Console.WriteLine("mesh {0}: image {1}, vertices {2}+{3}, indices {4}+{5}, bone {6}", mesh.Name, mesh.Image,
                        mesh.FirstVertex, mesh.VertexCount, mesh.FirstIndex, mesh.IndexCount, mesh.GoverningBone);
    }
    for (int i = 0; i < hero.Images.Count; ++i) {
      Console.WriteLine("image {0}: {1} x {2}, sum {3}", hero.Images[i].Name, hero.Images[i].Width,
                        hero.Images[i].Height, SumOf(hero.DecodeImage((uint)i)));
    }
    Vertex[] vertices = hero.Vertices();
    ushort[] indices = hero.Indices();
    Console.WriteLine("{0} vertices, sum {1}, {2} indices, sum {3}, {4} warnings", vertices.Length,
                      SumOf(vertices, vertices.Length), indices.Length, SumOf(indices, indices.Length),
                      hero.Warnings.Count);
  }

  static void Print(DrawStream stream) {
    StreamVertex[] vertices = null;
    int[] indices = null;
    StreamCommand[] commands = null;
    int vertexCount = stream.Vertices(ref vertices), indexCount = stream.Indices(ref indices);
    Console.WriteLine("stream of {0} vertices, sum {1}, and {2} indices, sum {3}", vertexCount,
                      SumOf(vertices, vertexCount), indexCount, SumOf(indices, indexCount));
    int count = stream.Commands(ref commands);
    foreach (StreamCommand c in commands.Take(count)) {
      Console.WriteLine("command: source {0}, image {1}, indices {2}+{3}, blend {4}", c.Source, c.Image, c.FirstIndex,
                        c.IndexCount, (int)c.Blend);
    }
    stream.Clear();
  }

  static void Print(Pose pose, string bone) {
    BoneState b = pose[bone];
    Affine[] world = null;
    pose.World(ref world);
    Affine w = world[pose.Character.FindBone(bone)];
    Console.WriteLine("bone at {0}, {1} degrees, scale {2}, opacity {3}, order {4}, visible {5}", Milli(b.X, b.Y),
                      Milli(b.RotationDegrees), Milli(b.ScaleX, b.ScaleY), Milli(b.Opacity), b.ZOrder,
                      b.Visible ? 1 : 0);
    Console.WriteLine("world {0},{1}", Milli(w.A, w.B, w.C, w.D, w.Tx, w.Ty), Of(pose.Bounds()));
  }

  static void PrintPoses(Character hero, Pose pose, DrawStream stream) {
    uint head = hero.FindBone("head");
    Print(pose, "head");
    pose.Clip("walk", 0.3);
    Print(pose, "head");
    pose.Clip("walk", 0.31, true);
    Print(pose, "head");
    Appearance placed = Appearance.At(100, -50, 30, 2, true);
    placed.Tint = new Color(1, 0.5f, 0.25f, 0.5f);
    placed.Blend = Blend.Multiply;
    stream.Add(pose, placed, source: 7);
    BoneState state = pose[head];
    state.RotationDegrees = pose.RotationTowards(head, 1000, 300);
    state.Opacity = 0.5f;
    pose[head] = state;
    pose.Update();
    Print(pose, "head");
    stream.Add(pose);
    Print(stream);
  }

  static void PrintHit(string what, bool found, Hit hit) {
    Console.WriteLine(what + (found ? ": mesh {0}, bone {1}, alpha {2}" : ": nothing"), hit.Mesh, hit.Bone, hit.Alpha);
  }

  static void PrintSkins(Character hero, Pose pose, DrawStream stream) {
    pose.Bind();
    Affine[] world = null;
    pose.World(ref world);
    float x = world[hero.FindBone("head")].Tx, y = world[hero.FindBone("head")].Ty + 10;
    PrintHit("head", pose.HitTest(x, y, out Hit head), head);
    PrintHit("beside it", pose.HitTest(x + 500, y, out Hit hit), hit);
    PrintHit("placed there", pose.HitTest(x + 500, y, out hit, Appearance.At(500, 0)), hit);
    using (var skin = new Skin(hero, "red")) {
      uint red = skin.AddImage(new byte[] {255, 0, 0, 255}, 1, 1);
      skin.Set(head.Mesh, image: red, tint: new Color(1, 1, 1, 0.5f), blend: Blend.Screen);
      stream.Add(pose, skin: skin);
      Print(stream);
      for (uint i = 0; i < hero.Meshes.Count; ++i) skin.Set(i, visible: false);
      PrintHit("hidden", pose.HitTest(x, y, out hit, skin: skin), hit);
    }
  }

  static void PrintEvents(Animator animator, double seconds) {
    foreach (AnimatorEvent e in animator.Advance(seconds)) {
      Console.WriteLine("{0}: layer {1}, play {2}, clip {3}, marker {4}, at {5}, times {6}, weight {7}",
                        e.Kind.ToString().ToLowerInvariant(), e.Layer, e.Play, e.Clip, e.Marker ?? "-",
                        Milli(e.Seconds), e.Count, Milli(e.Weight));
    }
  }

  static PlayOptions Options(uint layer = 0, double start = -1, Loop loop = Loop.FromFile, double fade = 0,
                             double speed = 1) {
    PlayOptions options = PlayOptions.Default;
    options.Layer = layer;
    options.StartSeconds = start;
    options.Loop = loop;
    options.FadeSeconds = fade;
    options.Speed = speed;
    return options;
  }

  static void PrintAnimation(Character hero, Pose pose, DrawStream stream) {
    uint walk = hero.FindClip("walk");
    using (var animator = new Animator(hero)) {
      animator.SetMarkers(new Marker(walk, 4, "left"), new Marker(walk, 16, "right"));
      animator.Smooth = true;
      animator.SetRootMotion(hero.FindBone("hips"), true, true);
      animator.SetLayer(1, 0.75f, bones: new[] {hero.FindBone("chest")});
      animator.SetLayer(2, mode: LayerMode.Additive, referenceClip: walk, referenceFrame: 3);
      animator.SetLayerWeight(2, 0.5f);
      animator.Play("wave", Options(layer: 1));
      animator.Play("walk", Options(layer: 2, start: 0.5));
      animator.Play(walk);
      ulong jump = animator.Play("jump", Options(loop: Loop.Once, fade: 0.25));
      ulong last = animator.Queue(walk, Options(loop: Loop.Forever, fade: 0.25, speed: 1.5));
      for (int step = 0; step < 6; ++step) {
        PrintEvents(animator, 0.4);
        if (step == 0) {
          Console.WriteLine("seek {0} {1} {2}", animator.Seek(jump, 0.1) ? 1 : 0,
                            animator.SetPlaySpeed(jump, 2) ? 1 : 0, animator.Seek(last + 1, 0) ? 1 : 0);
        }
        var turn = new BoneOverride {
          Bone = hero.FindBone("head"), Values = OverrideValues.Rotation | OverrideValues.ScaleX, RotationDegrees = 30,
          ScaleX = 1.25f, Keep = 0.5f
        };
        animator.SetOverrides(step == 4 ? new[] {turn} : new BoneOverride[0]);
        animator.Pose(pose);
        Print(pose, "head");
        stream.Add(pose);
        Print(stream);
      }
      animator.TakeRootMotion(out float x, out float y);
      Console.WriteLine("moved " + Milli(x, y));
      animator.Stop(1);
      animator.QueueStop(0, 0.1);
      animator.Speed = -1;
      PrintEvents(animator, 0.01);
    }
  }

  static void PrintRig(Character hero, Pose pose, string file) {
    using (var animator = new Animator(hero)) {
      animator.LoadRig(file);
      animator.SetLayer(1, mask: "arm");
      animator.SetTarget("look", 1000, 300);
      animator.Play("walk");
      PlayOptions options = PlayOptions.Default;
      options.Layer = 1;
      animator.Play("wave", options);
      for (int step = 0; step < 10; ++step) {
        animator.SetPlacement(Appearance.At(20 * step, 0).Placement);
        PrintEvents(animator, 1.0 / 60);
        animator.Pose(pose);
      }
      Print(pose, "head");
      Print(pose, "tail_1");
      Print(pose, "near_upper_arm");
    }
  }

  static void PrintStates(Animator animator) {
    foreach (StateEvent e in animator.StateEvents()) {
      Console.WriteLine("{0} {1}: layer {2}, state {3}, at {4}", e.Kind.ToString().ToLowerInvariant(), e.Name, e.Layer,
                        e.State, Milli(e.Seconds));
    }
    for (uint layer = 0; layer < animator.StateLayerCount; ++layer) {
      StateStatus s = animator.State(layer);
      Console.WriteLine("{0}: {1}, {2} of {3} from {4}, phase {5}", s.Layer, s.Name, Milli(s.Progress),
                        (int?)s.Transition ?? -1, s.From ?? "-", Milli(s.Phase));
    }
    foreach (Parameter p in animator.Parameters()) Console.WriteLine("{0} is {1}", p.Name, Milli(p.Value));
  }

  static void PrintMachine(Character hero, Pose pose, string file) {
    using (var animator = new Animator(hero)) {
      Throws<InvalidOperationException>(() => animator.PlayStates());
      animator.LoadRig(file);
      animator.PlayStates();
      Console.WriteLine(animator.StateLayerCount + " layers");
      foreach (Parameter p in animator.Parameters()) {
        Console.WriteLine("{0} {1}: {2} from {3} to {4}, key {5}", p.Kind.ToString().ToLowerInvariant(), p.Name,
                          Milli(p.Value), Milli(p.Min), Milli(p.Max), p.Key);
      }
      for (int step = 0; step < 10; ++step) {
        if (step == 1) animator.SetParameter("speed", 0.25f);
        if (step == 3) animator.SetParameter("wînkt", true);
        if (step == 4) animator.SetParameter("speed", 7);
        if (step == 5) animator.Fire("jump");
        PrintEvents(animator, 0.3);
        PrintStates(animator);
        animator.Pose(pose);
        Print(pose, "head");
        Print(pose, "near_forearm");
      }
      animator.EnterState("jump", 0, 0.1);
      Throws<KeyNotFoundException>(() => animator.EnterState("fly"));
      foreach (string name in new[] { "fly", "speed", null }) {
        Throws<KeyNotFoundException>(() => animator.Fire(name));
      }
      Throws<ArgumentOutOfRangeException>(() => animator.State(2));
      Console.WriteLine("enter 1 0");
      PrintEvents(animator, 0.7);
      PrintStates(animator);
      string saved = animator.SaveStates();
      byte[] bytes = Encoding.UTF8.GetBytes(saved);
      Console.WriteLine("saved {0}, sum {1}", bytes.Length, SumOf(bytes, bytes.Length));
      PrintEvents(animator, 0.7);
      foreach (string text in new[] { "nothing", "", null }) {
        Throws<ArgumentException>(() => animator.RestoreStates(text));
      }
      animator.RestoreStates(saved);
      Console.WriteLine("restore 0 1");
      PrintEvents(animator, 0.3);
      PrintStates(animator);
      animator.StopStates();
      Console.WriteLine(animator.StateLayerCount + " layers");
    }
  }

  static void PrintFacts(string character, string rig) {
    using (Character hero = Character.Load(character))
    using (var pose = new Pose(hero))
    using (var stream = new DrawStream()) {
      PrintParts(hero);
      PrintPoses(hero, pose, stream);
      PrintSkins(hero, pose, stream);
      PrintAnimation(hero, pose, stream);
      PrintRig(hero, pose, rig);
      PrintMachine(hero, pose, rig);
    }
    foreach (Action load in new Action[] {() => Character.Load("nowhere.pchr"),
                                          () => Character.Load(Encoding.ASCII.GetBytes("PCHR"))}) {
      try {
        load();
      } catch (LoadException e) {
        Console.WriteLine(e.Code + " " + e.Message);
      }
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

  static void MistakesThrow() {
    using (Character hero = Character.Load(path))
    using (Character other = Character.Load(path))
    using (var animator = new Animator(hero))
    using (var wrong = new Pose(other))
    using (var skin = new Skin(hero)) {
      Throws<KeyNotFoundException>(() => hero.FindClip("fly"));
      Throws<ArgumentOutOfRangeException>(() => hero.ClipBounds(99));
      Throws<ArgumentOutOfRangeException>(() => animator.Play(99));
      Throws<ArgumentOutOfRangeException>(() => animator.Stop(64));
      Throws<ArgumentException>(() => animator.Pose(wrong));
      Throws<LoadException>(() => animator.LoadRig("no/such/rig.json"));
      Throws<LoadException>(() => animator.LoadMarkers("no/such/markers.json"));
      Throws<KeyNotFoundException>(() => animator.SetTarget("listen", 0, 0));
      Throws<KeyNotFoundException>(() => animator.SetLayer(1, mask: "leg"));
      Throws<ArgumentException>(() => skin.AddImage(new byte[3], 1, 1));
      Throws<ArgumentOutOfRangeException>(() => skin.Set(9999));
    }
  }

  static void PalettesAndPointersAreThoseOfTheLibrary() {
    using (Character hero = Character.Load(System.IO.File.ReadAllBytes(path)))
    using (var bind = new Pose(hero))
    using (var stream = new DrawStream()) {
      Affine[] palette = null;
      bind.Palette(ref palette);
      Require(palette.All(p => Math.Abs(p.A - 1) < 1e-4 && Math.Abs(p.Tx) < 1e-2), "palette");
      stream.Add(bind);
      StreamVertex[] vertices = null;
      int count = stream.Vertices(ref vertices);
      Require(stream.VerticesPointer(out uint same) != IntPtr.Zero && same == count, "vertices");
      Require(stream.IndicesPointer(out same) != IntPtr.Zero && same > count, "indices");
      StreamVertex[] before = vertices;
      stream.Clear();
      stream.Add(bind);
      Require(stream.Vertices(ref vertices) == count && vertices == before, "the array is reused");
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

  static void SettingParametersDoesNotAllocate() {
    using (Character hero = Character.Load(path))
    using (var animator = new Animator(hero)) {
      animator.LoadRig(System.IO.File.ReadAllBytes(System.IO.Path.ChangeExtension(path, "rig.json")));
      animator.PlayStates();
      uint speed = animator.FindParameter("speed"), jump = animator.FindParameter("jump");
      Require(animator.Parameters()[speed].Name == "speed" && animator.Parameters()[jump].Name == "jump", "numbers");
      Action frame = () => {
        animator.SetParameter(speed, 1);
        animator.SetParameter("speed", 2);
        animator.Fire(jump);
        animator.Fire("jump");
      };
      frame();
      Require(animator.Parameters()[speed].Value == 2 && animator.Parameters()[jump].Value == 1, "values");
      int before = GC.CollectionCount(0);
      // A byte per call would fill the nursery of the collector.
      for (int i = 0; i < 100000; ++i) frame();
      Require(GC.CollectionCount(0) == before, "collections");
      Throws<ArgumentOutOfRangeException>(() => animator.Fire(speed));
      Throws<ArgumentOutOfRangeException>(() => animator.Fire(99));
      Throws<ArgumentOutOfRangeException>(() => animator.SetParameter(99, 1));
      Throws<KeyNotFoundException>(() => animator.FindParameter("fly"));
      Throws<LoadException>(() => animator.LoadRig(new byte[] { 0x7b }));
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
      Type native = binding.GetType("Pchr.Native+" + type.Name) ?? type;
      if (others.Contains(type) || native != type) continue;
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
    if (arguments[0] == "facts") {
      PrintFacts(arguments[1], arguments[2]);
      return 0;
    }
    path = arguments[0];
    var tests = new Action[] {
      AFileThatDoesNotLoadThrows, MistakesThrow, PalettesAndPointersAreThoseOfTheLibrary, WarmFramesDoNotAllocate,
      SettingParametersDoesNotAllocate,
      ObjectsCanBeLeftToTheCollector
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
