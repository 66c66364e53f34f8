public import PlotCore

extension Explanation {
  /// One sentence: what stands in the way, and when it could be shown at the earliest, with times of a zone. English where the language is not
  /// known.
  public func sentence(_ language: String = "en", in zone: ZoneRules = .utc) -> String {
    let text =
      switch cause {
      case .decision(let decision): decision.sentence(language, in: zone)
      case .state(let state, let inputs):
        Sentences.sentence("explain.\(state.rawValue)", language) { inputs[$0].map { Sentences.text($0, in: zone) } }
      }
    guard let nextPossible else { return text }
    let start = text.hasSuffix(".") ? String(text.dropLast()) : text
    return Sentences.sentence("explain.next", language) { name in
      name == "sentence" ? start : name == "next" ? Sentences.time(nextPossible, in: zone) : nil
    }
  }

  /// One JSON object, keys in the order of docs/explain.md.
  public func json(_ language: String = "en") -> String {
    var json = JSONText()
    json.object { json in
      json.member("campaign", campaign.text)
      json.member("region", region.text)
      json.member("sentence", sentence(language))
      switch cause {
      case .decision(let decision):
        json.member("step", decision.step.rawValue)
        json.member("reason", decision.reason.rawValue)
        json.member("verdict", decision.verdict.rawValue)
        json.member("time", Timestamp.text(time))
        json.member("detail", decision.detail)
        decision.inputs.write(to: &json)
      case .state(let state, let inputs):
        json.member("step", "explain")
        json.member("reason", state.rawValue)
        json.member("verdict", state.verdict.rawValue)
        json.member("time", Timestamp.text(time))
        inputs.write(to: &json)
      }
      json.member("nextPossible", nextPossible.map(Timestamp.text))
    }
    return json.text
  }
}

extension ListDocument {
  public static func decisions(_ decisions: [Decision]) -> String {
    "[" + decisions.map(\.json).joined(separator: ",") + "]"
  }
}
