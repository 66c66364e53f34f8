import Testing

@testable import PlotDocuments

/// `sync` of plotconfig.json.
@Suite struct SyncSettingsTests {
  static let key = String(repeating: "A", count: 43)
  static let others =
    #""sync":{"url":"https://campaigns.example.com/shop","app":"shop","feedKeys":["\#(key)"],"interval":60,"gone":"clear","largestFeed":1024,"#
    + #""events":{"send":false,"include":["coordinates","advertisingIdentifier"],"count":1,"maxAge":0}}"#

  @Test func everyKeyIsReadAndWritten() throws {
    let configuration = try Configuration(parsing: Array("{\"publicToken\":\"t\",\(Self.others)}".utf8))
    #expect(configuration.warnings.isEmpty)
    var wanted = SyncSettings(url: "https://campaigns.example.com/shop", token: "t")
    (wanted.app, wanted.feedKeys, wanted.interval, wanted.gone) = ("shop", [Self.key], 60, .clear)
    (wanted.largestFeed, wanted.sendsEvents, wanted.eventCount, wanted.eventAge) = (1024, false, 1, 0)
    wanted.includes = [.coordinates, .advertisingIdentifier]
    #expect(configuration.sync == wanted)
    #expect(configuration.json.contains(Self.others))
    #expect(try Configuration(parsing: Array(configuration.json.utf8)).json == configuration.json)
    #expect(!configuration.recordedJSON.contains("campaigns.example.com"))
  }

  @Test func defaults() throws {
    let configuration = try Configuration(
      parsing: Array(#"{"publicToken":"t","quickSyncDisabled":true,"sync":{"url":"http://127.0.0.1:8080"}}"#.utf8))
    var wanted = SyncSettings(url: "http://127.0.0.1:8080", token: "t")
    wanted.hasQuickSync = false
    #expect(configuration.sync == wanted)
    #expect(try Configuration(parsing: Array("{}".utf8)).sync == nil)
  }

  @Test(arguments: [
    "ftp://a.example", "https://", "https:///x", "https://a.example/", "https://u@a.example", "https://a.example?x",
    "a.example", "https://a b",
  ]) func aBadURLIsRefused(url: String) {
    #expect(throws: DocumentError.self) { try Configuration(parsing: Array("{\"sync\":{\"url\":\"\(url)\"}}".utf8)) }
  }

  @Test func slipsAreSaid() throws {
    let odd = try Configuration(
      parsing: Array(#"{"sync":{"url":"http://a","intervall":3,"events":{"age":1}}}"#.utf8))
    #expect(odd.warnings.count == 2)
    for text in [#"{"feedKeys":["short"]}"#, #"{"events":{"include":["places"]}}"#, #"{"gone":"never"}"#] {
      #expect(throws: DocumentError.self) { try Configuration(parsing: Array("{\"sync\":\(text)}".utf8)) }
    }
  }
}
