internal import FoundationEssentials

/// A format in XML: what its elements say of a track.
protocol XMLTrackGrammar {
  /// The outermost element.
  static var root: String { get }
  /// The format's name in a sentence.
  static var title: String { get }
  var name: String? { get }
  var track: TrackCollector { get }
  var warnings: [String] { get }

  init(ignoresTimes: Bool)

  /// An element begins; `path` has the open elements by local name, outermost first, and ends with it.
  mutating func start(
    _ path: [String], _ attributes: [String: String], at place: TrackError.Place
  ) throws(TrackError)
  /// It ends; `text` is what stood in it since the last tag, and `place` where that begins.
  mutating func end(_ path: [String], _ text: String, at place: TrackError.Place) throws(TrackError)
}

/// Hands a document to its grammar, element by element.
private final class XMLTrackDocument<Grammar: XMLTrackGrammar> {
  private(set) var grammar: Grammar
  /// The first fault; reading stops there.
  private(set) var fault: TrackError?
  private var path: [String] = []
  private var text = ""
  private var isTextBlank = true
  /// Where the text begins, without its blanks.
  private var textPlace = TrackError.Place.file

  init(_ grammar: Grammar) { self.grammar = grammar }

  func take(_ part: XMLReader.Part, _ reader: XMLReader) {
    switch part {
    case .start(let name, let attributes): start(reader, localName(name), attributes)
    case .text(let more):
      // Each line comes by itself: what has come before is not looked at again.
      if isTextBlank {
        textPlace = reader.place
        isTextBlank = more.trimmingBlanks().isEmpty
      }
      text += more
    case .end: end(reader)
    case .fault(let fault):
      fail(reader, TrackError(at: reader.place, expected: "well-formed XML", found: found(fault)))
    }
  }

  private func start(_ reader: XMLReader, _ element: String, _ attributes: [String: String]) {
    guard !path.isEmpty || element == Grammar.root else {
      let found = "<\(clean(element))>"
      return fail(reader, TrackError(at: reader.place, expected: "the element <\(Grammar.root)>", found: found))
    }
    path.append(element)
    forgetText()
    textPlace = reader.place
    do throws(TrackError) { try grammar.start(path, attributes, at: reader.place) } catch { fail(reader, error) }
  }

  private func end(_ reader: XMLReader) {
    guard !path.isEmpty else { return }
    do throws(TrackError) { try grammar.end(path, text, at: textPlace) } catch { fail(reader, error) }
    path.removeLast()
    forgetText()
  }

  private func forgetText() {
    text = ""
    isTextBlank = true
  }

  private func found(_ fault: XMLReader.Fault) -> String {
    switch fault {
    case .ended:
      path.last.map { "the end of the file within <\(clean($0))>" }
        ?? "an empty document, or a tag, a comment or the like that does not end"
    case .tagMismatch: path.last.map { "an end tag that does not close <\(clean($0))>" } ?? "an end tag too many"
    case .entityDeclared(let name): "a declaration of the entity \(TrackError.quote(name))"
    case .entityUnknown: "an entity that is not declared"
    case .encodingUnknown: "an encoding that is not known (docs/tracks.md lists those that are)"
    case .textAfterEnd: "text after its end"
    case .other(let words): words
    }
  }

  private func fail(_ reader: XMLReader, _ error: TrackError) {
    guard fault == nil else { return }
    fault = error
    reader.stop()
  }

  private func localName(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func clean(_ name: String) -> String { String(TrackError.quote(name).dropFirst().dropLast()) }
}

extension TrackReader {
  /// Reads a track in XML.
  static func readXML<Grammar: XMLTrackGrammar>(
    _ data: Data, _ grammar: Grammar.Type, ignoresTimes: Bool
  ) throws(TrackError) -> Track {
    guard !data.isEmpty else {
      throw TrackError(
        at: .position(line: 1, column: 1), expected: "a \(Grammar.title) document", found: "an empty file")
    }
    let document = XMLTrackDocument(Grammar(ignoresTimes: ignoresTimes))
    XMLReader(document.take).read(data)
    if let fault = document.fault { throw fault }
    return try finish(document.grammar.track, name: document.grammar.name, warnings: document.grammar.warnings)
  }

  /// The time of an element's text.
  static func time(_ text: String, at place: TrackError.Place) throws(TrackError) -> Int64? {
    guard !text.trimmingBlanks().isEmpty else { return nil }
    guard let milliseconds = CalendarTime.parse(text) else {
      throw TrackError(at: place, expected: CalendarTime.expectedText, found: CalendarTime.found(text))
    }
    return milliseconds
  }

  /// A quantity in an element's text.
  static func value(
    _ text: String, _ field: TrackField, at place: TrackError.Place
  ) throws(TrackError) -> Double {
    guard let value = field.value(of: text) else {
      throw TrackError(at: place, expected: field.expected, found: TrackError.quoteOrNothing(text))
    }
    return value
  }
}
