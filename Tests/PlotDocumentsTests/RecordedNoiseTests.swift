import PlotCore
import PlotFiles
import Testing

@testable import PlotDocuments

/// Noise policies in a recording: all their values, so that it means the same after a preset has changed.
@Suite struct RecordedNoiseTests {
  static let feed =
    #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":2,"radius":50,"noise":"NAME"}],"campaigns":[]}"#

  /// Whether a JSON text has a noise policy that is a name.
  static func hasName(_ json: String) -> Bool { json.contains(#""noise":""#) }

  @Test(arguments: NoisePolicy.presets.map(\.name) + NoisePolicy.permanent.map(\.name))
  func everyValueIsWritten(_ name: String) throws {
    let configuration = try Configuration(#"{"engine":{"noise":"\#(name)"}}"#)
    #expect(!Self.hasName(configuration.recordedJSON) && configuration.recordedJSON.contains(#""noise":{"#))
    let again = try Configuration(recorded: configuration.recordedJSON, .present)
    #expect(again.noise == configuration.noise && again.recordedJSON == configuration.recordedJSON)

    let feed = try Feed.parse(Array(Self.feed.replacing("NAME", with: name).utf8))
    let json = feed.recordedJSON(.present)
    #expect(!Self.hasName(json) && Self.hasName(feed.json))
    #expect(try Feed.parse(Array(json.utf8)).regions.map(\.noise) == feed.regions.map(\.noise))
  }

  /// A recording of number 1 has names, with the meaning of the first releases, and is written with them again.
  @Test(arguments: ["default", "exact", "walking", "driving", "indoor", "conservative"])
  func theFirstRecordingsMeanWhatTheyMeant(_ name: String) throws {
    let then = try #require(NoisePolicy.preset(name, .first))
    let permanent = name == "exact" ? .exact : NoisePolicy.permanent.first { $0.name == name + "-1" }?.policy
    #expect(then == permanent)
    let configuration = try Configuration(recorded: #"{"engine":{"noise":"\#(name)"}}"#, .first)
    #expect(configuration.noise == then && configuration.recordedJSON.contains(#""noise":"\#(name)""#))
    let text = Self.feed.replacing("NAME", with: name)
    let feed = try Feed(keptJSON: text, digest: "d", zones: ZoneFiles(), .first)
    #expect(feed.recordedJSON(.first).contains(#""noise":"\#(name)""#))
  }

  @Test func whatTheFirstRecordingsLeaveOut() throws {
    for json in ["{}", #"{"engine":{}}"#, #"{"engine":{"noise":{}}}"#] {
      let configuration = try Configuration(recorded: json, .first)
      #expect(configuration.noise == NoisePolicy.preset("default-1") && configuration.initial == .none, "\(json)")
    }
    let own = Self.feed.replacing(#""NAME""#, with: #"{"margin":7}"#)
    var expected = try #require(NoisePolicy.preset("default-1"))
    expected.margin = 7
    let feed = try Feed(keptJSON: own, digest: "d", zones: ZoneFiles(), .first)
    #expect(feed.regions.map(\.noise) == [expected])
  }
}
