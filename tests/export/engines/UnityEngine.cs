// SPDX-License-Identifier: MIT
// What the component of docs/sheets.md uses of Unity. Prints each sprite that it shows, and how long.
//
//   player.exe JSON CLIP COUNT
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;

namespace UnityEngine {

public class TextAsset { public string text; }

public class Sprite { public string name; }

public class SpriteRenderer {
  public readonly List<KeyValuePair<string, double>> Shown = new List<KeyValuePair<string, double>>();
  public Sprite sprite { set { Shown.Add(new KeyValuePair<string, double>(value.name, Time.timeAsDouble)); } }
}

public static class Time { public static double timeAsDouble; }

public class RequireComponent : Attribute {
  public RequireComponent(Type type) {}
}

public class MonoBehaviour {
  public readonly SpriteRenderer Renderer = new SpriteRenderer();
  public T GetComponent<T>() where T : class { return Renderer as T; }
}

/// Reads JSON into public fields, without escapes in names.
public static class JsonUtility {
  public static T FromJson<T>(string text) {
    var tokens = Regex.Matches(text, @"""[^""]*""|[{}\[\]]|[^\s,:{}\[\]""]+").Cast<Match>();
    return (T)Read(new Queue<string>(tokens.Select(token => token.Value)), typeof(T));
  }

  static object Read(Queue<string> tokens, Type type) {
    var token = tokens.Dequeue();
    if (token == "[") {
      var items = new ArrayList();
      while (tokens.Peek() != "]") items.Add(Read(tokens, type.GetElementType()));
      tokens.Dequeue();
      return items.ToArray(type.GetElementType());
    }
    if (token == "{") {
      var result = Activator.CreateInstance(type);
      while (tokens.Peek() != "}") {
        var field = type.GetField(tokens.Dequeue().Trim('"'));
        field.SetValue(result, Read(tokens, field.FieldType));
      }
      tokens.Dequeue();
      return result;
    }
    return Convert.ChangeType(token.Trim('"'), type);
  }
}

public static class Program {
  public static void Main(string[] arguments) {
    var text = File.ReadAllText(arguments[0]);
    var names = JsonUtility.FromJson<Sheet>(text).clips.SelectMany(clip => clip.frames).Select(frame => frame.sprite);
    var player = new SheetPlayer {
      sheet = new TextAsset { text = text },
      sprites = names.Select(name => new Sprite { name = name }).ToArray(),
      clip = arguments[1],
    };
    var start = typeof(SheetPlayer).GetMethod("Start", BindingFlags.Instance | BindingFlags.NonPublic);
    var frames = (IEnumerator)start.Invoke(player, null);
    var shown = player.Renderer.Shown;
    var count = int.Parse(arguments[2]);
    // Updates are shorter than a millisecond, so that each sprite is shown for as long as it should be.
    for (var update = 1; frames.MoveNext() && shown.Count <= count; ++update) Time.timeAsDouble = update / 4000.0;
    for (var i = 0; i < Math.Min(count, shown.Count); ++i) {
      var end = i + 1 < shown.Count ? shown[i + 1].Value : Time.timeAsDouble;
      Console.WriteLine(shown[i].Key + " " + Math.Round((end - shown[i].Value) * 1000));
    }
  }
}

}
