import PlotTesting
import Testing

@testable import PlotCore

@Suite struct TemplateTests {
  static let museum = circle(
    "museum", fields: [CustomField(name: "Offer", value: "postcards"), CustomField(name: "price", value: "{{offer}}")])

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("{{offer}}", "postcards"), ("{{OFFER}}", "postcards"),
    ("a{{offer}}b", "apostcardsb"),
    ("{{ offer }}", "postcards"), ("{{   offer}}{{offer   }}", "postcardspostcards"), ("{{name}}", "Place museum"),
    ("{{NAME}}: {{offer}}", "Place museum: postcards"), ("{ {offer} }", "{ {offer} }"), ("}} {", "}} {"),
    ("{{price}}", "{{offer}}"), ("€{{offer}}😀", "€postcards😀"),
  ])
  func filled(_ source: String, _ text: String) throws {
    let template = try #require(Template(source))
    #expect(template.source == source)
    #expect(try template.filled(for: Self.museum) == text)
  }

  @Test(arguments: ["{{", "{{offer", "{{offer}", "{{offer} }", "a {{name}} {{", "{{}}", "{{ }}", "{{name}}{{  }}"])
  func refused(_ source: String) {
    #expect(Template(source) == nil)
  }

  @Test func aMissingFieldIsNamedAsItWasWritten() throws {
    let template = try #require(Template("{{name}} {{ Colour }} {{size}}"))
    #expect(throws: Template.MissingField(name: "Colour")) { try template.filled(for: Self.museum) }
  }

  @Test func aRegionWithoutNameLacksTheName() throws {
    let template = try #require(Template("{{name}}"))
    let nameless = Region(id: Identifier("a"), name: nil, shape: .circle(Circle(center: origin, radius: 1)))
    #expect(throws: Template.MissingField(name: "name")) { try template.filled(for: nameless) }
  }

  @Test func aCustomFieldCalledNameComesFirst() throws {
    let region = circle("a", fields: [CustomField(name: "NAME", value: "of its own")])
    #expect(try #require(Template("{{name}}")).filled(for: region) == "of its own")
  }
}
