import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The sentences of docs/reasons.json against the closed list of decisions, and their placeholders against the inputs.
@Suite struct SentenceTests {
  @Test func theLibraryHasTheFile() throws {
    let url = projectRoot.appendingPathComponent("docs/reasons.json")
    #expect(
      try String(contentsOf: url, encoding: .utf8) == ReasonData.json + "\n", "run scripts/decision_tables.py --write")
    let file = try JSONSerialization.jsonObject(with: Data(ReasonData.json.utf8)) as? [String: Any]
    #expect(file?["languages"] as? [String] == Sentences.languages)
  }

  @Test func eachDecisionHasASentenceInEachLanguage() throws {
    let rows = try table(of: "decisions.md", after: "# Decisions", number: 1)
    let pairs = Set(rows.map { "\(words($0[0])[0]).\(words($0[1])[0])" })
    let own = Set(Explanation.State.allCases.map { "explain.\($0.rawValue)" } + ["explain.next"])
    #expect(Set(Sentences.all.keys) == pairs.union(own))
    for (key, texts) in Sentences.all {
      #expect(Set(texts.keys) == Set(Sentences.languages), "\(key)")
      #expect(Set(texts.values).count == texts.count, "\(key) says the same in two languages")
      let names = Set(texts.values.map { placeholders($0).sorted() })
      #expect(names.count == 1, "\(key) has other placeholders in another language")
    }
  }

  @Test func placeholdersAreInputs() throws {
    let inputs = try InputsTests.table()
    for (key, texts) in Sentences.all where !key.hasPrefix("explain.") {
      let rows = inputs[key.replacingOccurrences(of: ".", with: " ")] ?? []
      for text in texts.values {
        #expect(text.hasSuffix("."))
        for name in placeholders(text) where name != "detail" {
          let row = rows.first { $0.key == name }
          #expect(row != nil, "\(key): {\(name)}")
          let isInBrackets = text.range(of: "\\[[^]]*\\{\(name)\\}", options: .regularExpression) != nil
          #expect(row?.isOptional == isInBrackets, "\(key): {\(name)}")
        }
      }
    }
  }

  /// Nothing is left open in what really happens.
  @Test func eachDecisionOfTheToursCanBeSaid() throws {
    for decision in try DecisionTour.all() + InputsTour.decisions() {
      for language in Sentences.languages {
        let sentence = decision.sentence(language)
        #expect(!sentence.contains("?") && !sentence.contains("{") && !sentence.contains("["), "\(sentence)")
      }
    }
  }

  @Test func aSentenceIsFilledIn() {
    var decision = Decision(
      time: 0, step: .caps, verdict: .drop, reason: .capped, detail: "all",
      inputs: ["count": .integer(3), "limit": .integer(3)])
    #expect(decision.sentence() == "The cap all is full: 3 of 3.")
    #expect(decision.sentence("de-AT") == "Die Obergrenze all ist erreicht: 3 von 3.")
    #expect(decision.sentence("xx") == decision.sentence("en"))
    #expect(decision.sentence("") == decision.sentence("en"))
    decision = Decision(
      time: 0, step: .repeat, verdict: .drop, reason: .campaignCooldown,
      inputs: ["lastShown": .time(90_500), "cooldown": .seconds(5400)])
    let said = "It was shown at 1970-01-01 00:01:30.500 UTC, and its own cooldown of 1 h 30 min has not passed."
    #expect(decision.sentence() == said)
    decision = Decision(time: 0, step: .presence, verdict: .hold, reason: .accuracy, inputs: ["accuracy": .double(120)])
    #expect(
      decision.sentence() == "The fix is too inaccurate to tell inside from outside of this region: 120 m.")
    decision.inputs = ["accuracy": .double(120.5), "limit": .double(100)]
    #expect(decision.sentence().hasSuffix("region: 120.5 m, not 100 m."))
  }

  private func placeholders(_ text: String) -> Set<String> {
    Set(text.components(separatedBy: "{").dropFirst().map { String($0.prefix { $0 != "}" }) })
  }
}
