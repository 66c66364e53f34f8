internal import PlotCore

extension Property {
  /// Under the key `proof` of the engine's own.
  static let proof: [Property] = [
    Property("maxAge", .integer(0...86_400), .integer(90)),
    Property("deadline", .integer(1...600), .integer(30)),
    Property("staleAfter", .integer(60...604_800), .integer(3600)),
  ]
}

extension ProofPolicy {
  init(_ values: [String: Property.Value]) {
    self.init()
    if let value = values["maxAge"]?.integer { maxAge = value * 1000 }
    if let value = values["deadline"]?.integer { deadline = value * 1000 }
    if let value = values["staleAfter"]?.integer { staleAfter = value * 1000 }
  }
}
