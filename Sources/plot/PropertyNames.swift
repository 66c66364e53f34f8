internal import PlotCore
internal import PlotDocuments

/// The properties of the person that a feed asks for: in conditions and holdouts, in placeholders, and for its languages.
struct PropertyNames {
  private(set) var names: Set<String> = []

  init(_ feed: Feed) {
    if let value = try? JSONValue(parsing: Array(feed.json.utf8)) { add(value) }
  }

  private mutating func add(_ value: JSONValue) {
    switch value {
    case .object(let members):
      for (key, value) in members {
        if key == "property", case .string(let name) = value { names.insert(name) }
        if key == "holdout", value["property"] == nil { names.insert(Holdout.standardProperty.text) }
        if key == "messages", case .object = value { names.insert(Languages.property.text) }
        add(value)
      }
    case .array(let items): for item in items { add(item) }
    case .string(let text):
      names.formUnion((Template(text)?.fields ?? []).compactMap(Placeholder.property))
    case .integer, .real, .boolean, .null: break
    }
  }

  /// Throws a fault for a property that the feed does not ask for: it would change nothing.
  func check(_ name: String) throws(InputFault) {
    guard !names.contains(name) else { return }
    let near = Spelling.nearest(to: name, of: names.sorted())
    let cure =
      near.map { "did you mean \"\($0)\"?" }
      ?? (names.isEmpty ? "it asks for none" : "it asks for \(names.sorted().joined(separator: ", "))")
    throw InputFault("--property \(name): the feed asks for no such property; \(cure)")
  }
}

extension JSONEdit {
  /// Throws a fault where these edits of a configuration bring keys that it does not know: they would change nothing.
  static func check(_ edits: [JSONEdit], from before: [UInt8], to after: [UInt8]) throws(InputFault) {
    func unknown(_ text: [UInt8]) -> [String] {
      Lint.findings(configuration: text, feed: nil).filter { $0.code == .unknownProperty }
        .map { ($0.sentence.replacing("it is ignored", with: "it would change nothing") + " " + $0.remedy) }
    }
    guard !edits.isEmpty else { return }
    let known = Set(unknown(before))
    guard let fault = unknown(after).first(where: { !known.contains($0) }) else { return }
    throw InputFault("--set \(edits.map(\.text).joined(separator: " --set ")): \(fault)")
  }
}
