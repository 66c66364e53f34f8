import PlotTesting
import Testing

@testable import PlotCore

/// Languages, placeholders and plurals (docs/feed.md).
@Suite struct LanguageTests {
  @Test(
    arguments: [
      ("nl", "nl"), ("nl-BE", "nl"), ("NL_be", "nl"), ("de,nl", "nl"), ("fr-CA, en-GB", "en"), ("pt", nil),
      ("pt-BR", "pt-BR"),
      ("pt-br-x-mine", "pt-BR"), ("zh-Hant-TW", "zh-Hant"), ("zh", nil), ("", nil), (",,", nil), ("n", nil),
      ("nlx", nil),
    ] as [(String, String?)]) func theFirstThatSuits(_ wanted: String, _ expected: String?)
  {
    let tags = ["en", "nl", "pt-BR", "zh-Hant"]
    #expect(Languages.best(of: tags, for: wanted).map { tags[$0] } == expected)
  }

  @Test func tagsHaveAForm() {
    for tag in ["nl", "pt-BR", "zh-Hant-TW", "sr-Latn-RS", "de-CH-1996", "EN"] {
      #expect(Languages.isTag(tag), "\(tag)")
    }
    for tag in ["", "n", "nl-", "-nl", "nl_BE", "nl BE", "dutchlanguage", "n1", "é"] {
      #expect(!Languages.isTag(tag), "\(tag)")
    }
  }

  static func filling(_ change: (inout Filling) -> Void = { _ in }) -> Filling {
    var region = circle("a")
    region.values.customFields = [CustomField(name: "Offer", value: "Cake"), CustomField(name: "left", value: "3")]
    region.values.name = "De Kade"
    var filling = Filling(region: region)
    (filling.ordinal, filling.arrival, filling.now) = (2, utc("2026-05-16T09:05"), utc("2026-05-16T23:30"))
    filling.zone = .utc
    filling.properties = [
      Identifier("name"): .string("Ann"), Identifier("points"): .integer(1), Identifier("share"): .double(0.5),
      Identifier("member"): .boolean(true), Identifier("since"): .date(utc("2026-02-03T12:00")),
    ]
    change(&filling)
    return filling
  }

  @Test(arguments: [
    ("{{offer}} at {{name}}", "Cake at De Kade"), ("visit {{ visits }}", "visit 2"),
    ("{{arrival}}, {{time}}", "09:05, 23:30"),
    ("{{user.name}} {{user.points}} {{user.share}} {{user.member}}", "Ann 1 0.5 true"),
    ("{{user.since}}", "2026-02-03"), ("{{tea|our tea}}", "our tea"), ("{{tea|}}!", "!"), ("{{offer|our tea}}", "Cake"),
    ("{{user.none| you }}", " you "), ("{{tea|a|b}}", "a|b"),
    ("{{visits, plural, one {# visit} other {# visits}}}", "2 visits"),
    ("{{ user.points ,plural, one{# point}other{# points} }}.", "1 point."),
    ("{{visits, plural, =2 {again} one {#} other {#}}}", "again"), ("{{left, plural, other {# of #}}}", "3 of 3"),
    ("{{offer, plural, one {one} other {some #}}}", "some Cake"), ("{ {{visits}} }", "{ 2 }"),
  ]) func placeholdersAreFilled(_ source: String, _ expected: String) throws {
    let template = try #require(Template(source), "\(source)")
    #expect(try template.filled(Self.filling()) == expected)
    #expect(template.source == source && !template.isPlain)
  }

  @Test(arguments: [("{{tea}}", "tea"), ("{{user.none}}", "user.none"), ("{{none, plural, other {#}}}", "none")])
  func othersAreMissing(_ source: String, _ name: String) throws {
    let template = try #require(Template(source))
    #expect(throws: Template.MissingField(name: name)) { try template.filled(Self.filling()) }
  }

  @Test(arguments: [
    "{{", "{{}}", "{{ }}", "{{|x}}", "{{a", "{{visits, plural, one {#}}}", "{{visits, plural, }}",
    "{{visits, plural, other {#}",
    "{{visits, plural, other {#} other {#}}}", "{{visits, plural, lots {#} other {#}}}",
    "{{visits, plural, =x {#} other {#}}}",
    "{{, plural, other {#}}}", "{{visits, plural, other #}}",
  ]) func wrongOnesAreNone(_ source: String) { #expect(Template(source) == nil) }

  /// The fields of a region come before the engine's own names.
  @Test func fieldsOfTheRegionComeFirst() throws {
    let template = try #require(Template("{{time}} {{visits}} {{user.name}}"))
    let filling = Self.filling { filling in
      filling.region.values.customFields = [
        CustomField(name: "TIME", value: "tea time"), CustomField(name: "visits", value: "many"),
        CustomField(name: "user.name", value: "you"),
      ]
    }
    #expect(try template.filled(filling) == "tea time many you")
  }

  /// Whole numbers as CLDR 44 has them, in the languages of the demo.
  @Test(arguments: [
    ("en", 0, "other"), ("en", 1, "one"), ("en", 2, "other"), ("en", 1_000_000, "other"), ("nl", 1, "one"),
    ("nl", 0, "other"),
    ("de", 1, "one"), ("de-AT", 21, "other"), ("fr", 0, "one"), ("fr", 1, "one"), ("fr", 2, "other"),
    ("fr", 1_000_000, "many"), ("fr-CA", 3_000_000, "many"), ("fr", 1_000_001, "other"), ("es", 1, "one"),
    ("es", 0, "other"), ("es", 2_000_000, "many"), ("xx", 1, "one"), ("en", -1, "one"),
  ]) func pluralsAreThoseOfTheLanguage(_ language: String, _ number: Int64, _ expected: String) throws {
    let forms = PluralCategory.allCases.map { "\($0.rawValue) {\($0.rawValue)}" }.joined(separator: " ")
    let template = try #require(Template("{{user.n, plural, \(forms)}}"))
    let filling = Self.filling {
      $0.properties = [Identifier("n"): .integer(number)]
      $0.language = language
    }
    #expect(try template.filled(filling) == expected)
  }

  /// Of a message that is rewritten, only what has no room is left out, a plural as a field.
  @Test func whatHasNoRoomIsLeftOut() throws {
    let long = String(repeating: "x", count: TextLimit.bytes - 4)
    let value = String(repeating: "7", count: 5)
    for placeholder in ["{{n}}", "{{n, plural, other {#}}}"] {
      let template = try #require(Template(long + placeholder + "end"))
      #expect(template.filled { _ in value } == long + "end", "\(placeholder)")
      #expect(throws: Template.MissingField(name: "user.n")) {
        try Template(long + placeholder.replacing("n", with: "user.n", maxReplacements: 1))!.filled(
          Self.filling { $0.properties = [Identifier("n"): .string(value)] })
      }
    }
  }

  @Test func aTextStaysWithinItsLimit() throws {
    let long = String(repeating: "x", count: TextLimit.bytes - 10)
    let template = try #require(Template(long + "{{visits, plural, other {# visits to here}}}"))
    #expect(throws: Template.MissingField(name: "visits")) { try template.filled(Self.filling()) }
    #expect(throws: Template.MissingField(name: "user.t")) {
      try Template(long + "{{user.t}}")!.filled(
        Self.filling { $0.properties = [Identifier("t"): .string("twelve bytes")] })
    }
  }
}
