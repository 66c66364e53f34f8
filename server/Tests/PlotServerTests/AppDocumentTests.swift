import Foundation
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// An app as a document (docs/server.md, Configuration as code).
@Suite struct AppDocumentTests {
  private static func document(_ feed: String, name: String = "Shop") throws -> AppDocument {
    try AppDocument(parsing: Array(#"{"app":"shop","name":"\#(name)","pollAfter":900,"feed":\#(feed)}"#.utf8))
  }

  private static let museum = #"{"id":"museum","type":"geofence","latitude":52.36,"longitude":4.885}"#
  private static let welcome = #"{"id":"welcome","type":"notification","message":"Hello","regions":["museum"]}"#
  private static let old = #"{"version":1,"regions":[\#(museum)],"campaigns":[\#(welcome)]}"#

  @Test func eachObjectHasALine() throws {
    let new = #"""
      {"version":1,"regions":[{"id":"museum","type":"geofence","latitude":52.36,"longitude":4.885,"radius":300},
       {"id":"shop","type":"geofence","latitude":1,"longitude":2}],
       "campaigns":[{"id":"hello","type":"notification","message":"Hi","regions":["shop"]}],"settings":{"slots":{"count":2}}}
      """#
    let changes = try Self.document(new, name: "Shops").changes(from: Self.document(Self.old))
    #expect(
      changes == [
        #"~ app shop: /name "Shop" → "Shops""#, "~ region museum: /radius 300 added", "+ region shop",
        "+ campaign hello", "- campaign welcome", "+ settings",
      ])
    #expect(try Self.document(Self.old).changes(from: Self.document(Self.old)).isEmpty)
    #expect(
      try Self.document(Self.old).changes(from: nil) == ["+ app shop", "+ region museum", "+ campaign welcome"])
    let other = Self.old.replacingOccurrences(of: "Hello", with: "Welcome")
    #expect(
      try Self.document(other).changes(from: Self.document(Self.old))
        == [#"~ campaign welcome: /message "Hello" → "Welcome""#])
  }

  @Test func whatItWritesItReads() throws {
    let document = try Self.document(Self.old)
    let again = try AppDocument(parsing: Array(document.text.utf8))
    #expect(again.feed.text == Self.old && again.text == document.text)
    #expect(document.text.contains(#"        "regions": ["museum"]"#))
  }

  @Test func whatIsRefusedSaysWhere() {
    for (text, pointer) in [
      ("[]", ""), (#"{"app":"shop"}"#, "/feed"), (#"{"app":"a b","feed":{}}"#, "/app"),
      (#"{"app":"shop","feed":\#(Self.old),"pollAfter":1}"#, "/pollAfter"),
      (#"{"app":"shop","feed":\#(Self.old),"nam":"x"}"#, "/nam"),
      (#"{"app":"shop","feed":{"version":1,"regions":[{}],"campaigns":[]}}"#, "/feed/regions/0"),
    ] {
      #expect(throws: DocumentError.self, "\(text)") { try AppDocument(parsing: Array(text.utf8)) }
      do throws(DocumentError) {
        _ = try AppDocument(parsing: Array(text.utf8))
      } catch {
        #expect(error.pointer.hasPrefix(pointer), "\(text): \(error.pointer)")
      }
    }
  }
}
