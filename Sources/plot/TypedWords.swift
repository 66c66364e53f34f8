internal import PlotCore
internal import PlotDocuments

/// The words of a command line that is not finished yet: what can follow `--set` and `--property` in it. The shell asks.
///
/// bash takes what it is given for a text of its own language, in which `$(…)` is a command. So names of a feed that are more than letters,
/// digits and `._:-` are left out.
struct TypedWords {
  private let words: [String]
  /// The beginning of the argument.
  private let typed: String

  init(_ words: [String], at place: Int) {
    self.words = words
    typed = words.indices.contains(place) ? words[place] : ""
  }

  /// The arguments of `--set`: each path, with each of its values.
  var edits: [String] {
    var all = EditPaths.configuration + EditPaths.settings
    let lists = ["campaigns[", "regions["]
    // Reading a large feed takes its time.
    let feed = lists.contains { $0.hasPrefix(typed) || typed.hasPrefix($0) } ? self.feed : nil
    for (list, ids, keys) in [
      (lists[0], feed?.campaigns.map(\.id.text), EditPaths.campaign),
      (lists[1], feed?.regions.map(\.id.text), EditPaths.region),
    ] {
      let elements = (ids ?? []).filter(Self.isHarmless).map { "\(list)\($0)]." }
      if let element = elements.first(where: typed.hasPrefix) {
        all += keys.map { (element + $0.path, $0.values) }
      } else {
        all += elements.map { ($0, []) }
      }
    }
    return all.flatMap { path, values in
      values.isEmpty ? [path.hasSuffix(".") ? path : path + "="] : values.map { "\(path)=\($0)" }
    }.filter { $0.hasPrefix(typed) }
  }

  /// Those of `--property`: the names that the feed asks for.
  var properties: [String] {
    let names = feed.map { PropertyNames($0).names.sorted() } ?? []
    return names.filter(Self.isHarmless).map { $0 + "=" }.filter { $0.hasPrefix(typed) }
  }

  /// The feed of the command line, if it names one that can be read.
  private var feed: Feed? {
    guard let option = words.firstIndex(of: "--feed"), words.indices.contains(option + 1) else { return nil }
    return try? Feed.open(path: words[option + 1])
  }

  private static func isHarmless(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._:-".utf8.contains(byte)
        }
      }
  }
}
