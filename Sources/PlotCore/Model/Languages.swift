/// The languages of a device, and the choice among the texts of a campaign (RFC 4647, Lookup).
public enum Languages {
  /// The property with the device's languages: tags with commas between them, the most wanted first.
  public static let property = Identifier("languages")
  /// Of texts that do not say.
  static let standard = "en"

  /// A tag of BCP 47 by its form, as in `nl` or `pt-BR`.
  public static func isTag(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    guard let first = parts.first, (2...8).contains(first.count), first.allSatisfy(isLetter) else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }
  }

  /// The place of the text that suits best: of the first wanted language for which there is one, each without its last parts, one after
  /// another, until there is. Nil where none suits.
  public static func best(of tags: [String], for wanted: String) -> Int? {
    let known = tags.map { $0.lowercased() }
    for tag in wanted.lowercased().split(separator: ",") {
      var parts = tag.split(whereSeparator: { $0 == "-" || $0 == "_" || $0 == " " }).map(String.init)
      while !parts.isEmpty {
        let range = parts.joined(separator: "-")
        if let place = known.firstIndex(of: range) { return place }
        parts.removeLast()
        // A single letter is no tag without what follows it.
        if parts.last?.count == 1 { parts.removeLast() }
      }
    }
    return nil
  }
}

/// The texts of a campaign in another language. Those that are nil are as the campaign has them.
public struct Translation: Equatable, Sendable {
  /// A tag of BCP 47.
  public var language: String
  public var message: Template
  public var title: Template?
  public var subtitle: Template?
  public var body: Template?

  public init(language: String, message: Template) { (self.language, self.message) = (language, message) }
}

/// A category of plurals (Unicode CLDR).
enum PluralCategory: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other
}

/// A form of a plural is for one number, or for those of a category.
enum PluralSelector: Equatable, Sendable {
  case exactly(String)
  case category(PluralCategory)

  /// `=0`, or the name of a category; nil for others.
  init?(_ text: String) {
    if text.utf8.first == UInt8(ascii: "=") {
      guard let number = Int64(text.dropFirst()) else { return nil }
      self = .exactly(String(number))
    } else {
      guard let category = PluralCategory(rawValue: text) else { return nil }
      self = .category(category)
    }
  }

  /// Those that suit a number, the best first. CLDR's rules for whole numbers in the languages of the demo; others have those of English.
  static func matching(_ text: String, in language: String) -> [PluralSelector] {
    guard let number = Int64(text) else { return [.category(.other)] }
    let size = number.magnitude
    let isMillions = size != 0 && size % 1_000_000 == 0
    let category: PluralCategory =
      switch language.lowercased().prefix(while: { $0 != "-" }) {
      case "fr": size <= 1 ? .one : isMillions ? .many : .other
      case "es": size == 1 ? .one : isMillions ? .many : .other
      default: size == 1 ? .one : .other
      }
    return [.exactly(String(number)), .category(category), .category(.other)]
  }
}
