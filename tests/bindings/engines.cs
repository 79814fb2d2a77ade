// SPDX-License-Identifier: MIT
// Stands in for engines that have classes of the same names.
namespace UnityEngine {
  public class MonoBehaviour { }
  public class TextAsset { public byte[] bytes = null; }
  public class Animator { }
  public class Mesh { }
  public struct Color { public static readonly Color white = default(Color); }
  public static class Time { public static float deltaTime { get { return 0; } } }
}

namespace Microsoft.Xna.Framework {
  public struct Color { }
}
