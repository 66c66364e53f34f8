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
    for (list, keys) in [("campaigns", EditPaths.campaign), ("regions", EditPaths.region)] {
      let elements = names { feed in list == "campaigns" ? feed.campaigns.map(\.id.text) : feed.regions.map(\.id.text) }
        .map { "\(list)[\($0)]." }
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
    names { PropertyNames($0).names.sorted() }.map { $0 + "=" }.filter { $0.hasPrefix(typed) }
  }

  /// Names in the feed of the command line, without one nothing.
  private func names(_ names: (Feed) -> [String]) -> [String] {
    guard let option = words.firstIndex(of: "--feed"), words.indices.contains(option + 1),
      let feed = try? Feed.open(path: words[option + 1])
    else { return [] }
    return names(feed).filter { name in
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
}
