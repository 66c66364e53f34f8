public import PlotCore

/// Sentences about decisions, in several languages (docs/reasons.json).
public enum Sentences {
  /// English first.
  public static let languages = ["en", "nl", "de", "fr", "es"]

  /// By `step.reason` and language.
  static let all: [String: [String: String]] = {
    var all: [String: [String: String]] = [:]
    guard let reader = try? JSONReader(Array(ReasonData.json.utf8)) else { return all }
    _ = try? reader.member(reader.root, "sentences") { (node) throws(DocumentError) in
      for key in reader.keys(node) {
        _ = try reader.member(node, key) { (entry) throws(DocumentError) in
          for language in languages {
            let text = try reader.member(entry, language) { (node) throws(DocumentError) in
              try reader.string(node)
            }
            if let text { all[key, default: [:]][language] = text }
          }
        }
      }
    }
    return all
  }()

  /// The sentence of a step and a reason, filled in. English where the language is not known. `nl-BE` is `nl`.
  static func sentence(_ key: String, _ language: String, _ value: (String) -> String?) -> String {
    let short = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map { $0.lowercased() } ?? ""
    let texts = all[key] ?? [:]
    return fill(texts[short] ?? texts["en"] ?? key, value)
  }

  /// `{name}` stands for a value; what is in brackets is left out where it lacks one.
  static func fill(_ text: String, _ value: (String) -> String?) -> String {
    var result = ""
    var optional: String?
    var isComplete = true
    var name: String?
    func add(_ part: String) { if optional != nil { optional? += part } else { result += part } }
    for character in text {
      switch character {
      case "[" where name == nil: (optional, isComplete) = ("", true)
      case "]" where name == nil:
        if isComplete { result += optional ?? "" }
        optional = nil
      case "{": name = ""
      case "}":
        let found = value(name ?? "")
        if found == nil { isComplete = false }
        add(found ?? "?")
        name = nil
      default:
        if name != nil { name?.append(character) } else { add(String(character)) }
      }
    }
    return result
  }

  /// A value as people read it: `2026-05-16 12:00 UTC`, `1 h 30 min`. In another zone than UTC a time does not name it.
  static func text(_ input: InputValue, in zone: ZoneRules) -> String {
    switch input {
    case .integer(let number): "\(number)"
    case .seconds(let seconds): length(seconds)
    case .double(let number):
      abs(number) < 1e15 ? Int64(exactly: number).map { "\($0)" } ?? "\(number)" : "\(number)"
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    case .time(let time): self.time(time, in: zone)
    case .boolean(let flag): flag ? "true" : "false"
    }
  }

  static func time(_ time: Milliseconds, in zone: ZoneRules) -> String {
    let text = Array(Timestamp.text(zone.local(time).milliseconds).utf8)
    let isWhole = time % 60_000 == 0
    // People who read a clock do not count milliseconds.
    let end = isWhole ? 16 : zone == .utc ? text.count - 1 : 19
    return String(decoding: text[..<10], as: UTF8.self) + " " + String(decoding: text[11..<end], as: UTF8.self)
      + (zone == .utc ? " UTC" : "")
  }

  private static func length(_ seconds: Int64) -> String {
    guard seconds > 0 else { return "\(seconds) s" }
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension Decision {
  /// The decision in one sentence, with times of a zone. English where the language is not known.
  public func sentence(_ language: String = "en", in zone: ZoneRules = .utc) -> String {
    Sentences.sentence("\(step.rawValue).\(reason.rawValue)", language) { name in
      name == "detail" ? detail : inputs[name].map { Sentences.text($0, in: zone) }
    }
  }
}
