import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStory
@testable import PlotTracks

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct MapPictureTests {
  /// Gathers the texts and the names of a document; nil when it is not well-formed.
  private final class Reader: NSObject, XMLParserDelegate {
    var names: Set<String> = []
    var texts: [String] = []
    var isOpen = false

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      names.insert(name)
      isOpen = false
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if isOpen { texts[texts.count - 1] += text } else { texts.append(text) }
      isOpen = true
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { isOpen = false }
  }

  private func read(_ svg: String) -> Reader? {
    let reader = Reader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    return parser.parse() ? reader : nil
  }

  private func input(_ text: String, pins: Int = 2) -> MapInput {
    let points = (0..<5).map { TrackPoint(time: Int64($0) * 1000, latitude: 52 + Double($0) * 0.001, longitude: 4) }
    let marks = (0..<pins).map { index in
      MapMark(
        kind: index == 1 ? "geotrigger" : "notification", time: Int64(index) * 1000,
        place: Coordinate(latitude: 52, longitude: 4), region: "r", title: text)
    }
    return MapInput(
      title: text, points: points,
      regions: [
        MapRegion(id: "r", name: text, latitude: 52, longitude: 4.01, radius: 60),
        MapRegion(id: "b", name: text, latitude: 0, longitude: 0, radius: 0, isPlaced: false),
      ],
      marks: marks)
  }

  @Test(arguments: [
    "plain", "<script>alert(1)</script>", "]]>", "\"'&amp;",
    "a\u{0}\u{1B}b" + String(decoding: [0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF] as [UInt8], as: UTF8.self), "椿版画店\u{2028}x",
  ])
  func itIsXMLWhateverTheText(text: String) throws {
    let reader = try #require(read(MapPicture(theme: .light).render(input(text))))
    #expect(reader.names.isSubset(of: ["svg", "title", "rect", "text", "clipPath", "g", "path", "circle"]))
    for text in ["1", "2", "00:00:00", "Track", "Geotrigger", "100 m"] {
      #expect(reader.texts.contains(text), "\(text)")
    }
  }

  @Test func textStays() throws {
    let reader = try #require(read(MapPicture(theme: .light).render(input("a < b & c"))))
    #expect(reader.texts.filter { $0 == "a < b & c" }.count == 4)
    #expect(reader.texts.contains("Without a place: a < b & c"))
  }

  @Test func longListsAreCutWithACount() throws {
    let reader = try #require(read(MapPicture(theme: .light).render(input("hello", pins: 1_234))))
    #expect(reader.texts.contains("and 1,194 more, of 1,234 in all"))
    #expect(reader.texts.contains("40") && reader.texts.filter { $0 == "hello" }.count == 42)
  }

  @Test func emptyInput() throws {
    let svg = MapPicture(theme: .light).render(MapInput(title: "", points: [], regions: [], marks: []))
    #expect(read(svg) != nil && !svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func theSameBytesAgain() {
    let input = input("hello")
    #expect(MapPicture(theme: .light).render(input) == MapPicture(theme: .light).render(input))
    #expect(MapPage.render(input) == MapPage.render(input))
  }

  @Test func notificationsAndGeotriggersAreCountedApart() {
    let svg = MapPicture(theme: .light).render(input("hello", pins: 5))
    #expect(svg.contains("4 notifications · 1 geotrigger<"))
  }

  @Test func aDarkPictureHasNothingWhite() throws {
    let dark = MapPicture(theme: .dark).render(input("hello"))
    #expect(read(dark) != nil && dark.contains("hello") && !dark.contains("white") && !dark.contains("#f6f4ee"))
  }
}
