/// Words that are spelt almost alike.
public enum Spelling {
  /// The nearest of at most two changes, in words of three letters one and of six letters two.
  public static func nearest(to word: String, of known: [String]) -> String? {
    // No word of ours is so long.
    guard word.utf8.count <= 64 else { return nil }
    let word = word.lowercased()
    var best: (name: String, changes: Int)?
    for name in known {
      let changes = distance(Array(word.utf8), Array(name.lowercased().utf8))
      guard changes <= 2, changes * 3 <= word.utf8.count, changes < best?.changes ?? .max else { continue }
      best = (name, changes)
    }
    return best?.name
  }

  /// How many bytes must be added, left out, changed, or put in each other's place.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard abs(a.count - b.count) <= 2 else { return 3 }
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
