import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Every rule of docs/feed.md has an example that is refused, with its place.
@Suite struct FeedFaultTests {
  static func check(_ text: String, _ test: FaultCase, in prefix: String = "") throws {
    let error = try #require(fault(ofFeed: text), "taken: \(text)")
    #expect(error.pointer == prefix + test.pointer)
    #expect(error.expected == test.expected)
    #expect(error.found == test.found)
    let line = text.components(separatedBy: "\n")[error.line - 1]
    let rest = String(decoding: Array(line.utf8).dropFirst(error.column - 1), as: UTF8.self)
    #expect(rest.hasPrefix(test.at), "the place is at \(rest)")
  }

  // MARK: The document

  static let keys = "a key of a feed (version, revision, regions, campaigns, settings, categories, lists)"
  static let documents: [FaultCase] = [
    FaultCase("[]", "", "[]", "a feed: {\"version\": 1, \"regions\": […], \"campaigns\": […]}", "an array"),
    FaultCase("{}", "", "{}", "\"version\", the integer 1", "no such key"),
    FaultCase(#"{"version":2,"regions":[],"campaigns":[]}"#, "/version", "2", "the integer 1", "the number 2"),
    FaultCase(#"{"version":0,"regions":[],"campaigns":[]}"#, "/version", "0", "the integer 1", "the number 0"),
    FaultCase(#"{"version":1.0,"regions":[],"campaigns":[]}"#, "/version", "1.0", "the integer 1", "the number 1.0"),
    FaultCase(
      #"{"version":"1","regions":[],"campaigns":[]}"#, "/version", "\"1\"", "the integer 1", "the string \"1\""),
    FaultCase(#"{"version":null,"regions":[],"campaigns":[]}"#, "/version", "null", "the integer 1", "null"),
    FaultCase(#"{"version":1,"campaigns":[]}"#, "", "{", "\"regions\", an array of regions", "no such key"),
    FaultCase(#"{"version":1,"regions":[]}"#, "", "{", "\"campaigns\", an array of campaigns", "no such key"),
    FaultCase(#"{"version":1,"regions":{},"campaigns":[]}"#, "/regions", "{}", "an array of regions", "an object"),
    FaultCase(#"{"version":1,"regions":null,"campaigns":[]}"#, "/regions", "null", "an array of regions", "null"),
    FaultCase(
      #"{"version":1,"regions":[],"campaigns":""}"#, "/campaigns", "\"\"", "an array of campaigns", "the string \"\""),
    FaultCase(
      #"{"version":1,"revision":42,"regions":[],"campaigns":[]}"#, "/revision", "42", "a string", "the number 42"),
    FaultCase(#"{"version":1,"revision":null,"regions":[],"campaigns":[]}"#, "/revision", "null", "a string", "null"),
    FaultCase(
      #"{"version":1,"regions":[],"campaigns":[],"Regions":[]}"#, "/Regions", "[]}", keys, "the unknown key \"Regions\""
    ),
    FaultCase(#"{"version":1,"regions":[],"campaigns":[],"x":1}"#, "/x", "1}", keys, "the unknown key \"x\""),
    FaultCase(#"{"version":1,"regions":[],"campaigns":[],"X-a":1}"#, "/X-a", "1}", keys, "the unknown key \"X-a\""),
    FaultCase(
      #"{"version":1,"regions":[],"campaigns":[],"a/b~c":1}"#, "/a~1b~0c", "1}", keys, "the unknown key \"a/b~c\""),
    FaultCase(
      #"{"version":1,"regions":[5],"campaigns":[]}"#, "/regions/0", "5]", "a region, an object", "the number 5"),
    FaultCase(
      #"{"version":1,"regions":[],"campaigns":[null]}"#, "/campaigns/0", "null", "a campaign, an object", "null"),
    FaultCase(
      #"{"version":1,"regions":[],"regions":[]}"#, "", "\"regions\":[]}", "each key once", "the key \"regions\" again"),
    FaultCase(#"{"version":1,"regions":[],"campaigns":[],}"#, "", "}", "a key after the comma", "'}'"),
  ]

  @Test(arguments: documents)
  func documentsAreRefused(_ test: FaultCase) throws {
    try Self.check(test.text, test)
  }

  // MARK: Regions

  static let idForm = "a string of 1 to 255 bytes without ; and control characters"
  static let uuidForm = "a UUID, as in \"f7826da6-4fa2-4e98-8024-bc5b71e0893e\""
  static let geofenceKeys = "a key of a geofence (\(DocumentKeys.geofence.keys.joined(separator: ", ")))"
  static let beaconKeys = "a key of a beacon (\(DocumentKeys.beacon.keys.joined(separator: ", ")))"

  static func geofence(_ members: String) -> String {
    #"{"id":"a","type":"geofence","latitude":1,"longitude":2"# + members + "}"
  }

  static func beacon(_ members: String) -> String {
    #"{"id":"a","type":"beacon","proximityUUID":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","majorId":1"# + members + "}"
  }

  static func identified(_ id: String) -> String {
    #"{"id":\#(id),"type":"geofence","latitude":1,"longitude":2}"#
  }

  static func sighted(_ uuid: String) -> String { #"{"id":"a","type":"beacon","proximityUUID":\#(uuid),"majorId":1}"# }

  static let regions: [FaultCase] = [
    FaultCase(
      #"{"id":"a","latitude":1,"longitude":2}"#, "", "{", "\"type\", \"geofence\" or \"beacon\" or \"group\"",
      "no such key"),
    FaultCase(
      #"{"id":"a","type":"circle"}"#, "/type", "\"circle\"", "\"geofence\" or \"beacon\" or \"group\"",
      "the string \"circle\""),
    FaultCase(#"{"id":"a","type":null}"#, "/type", "null", "\"geofence\" or \"beacon\" or \"group\"", "null"),
    FaultCase(#"{"type":"geofence","latitude":1,"longitude":2}"#, "", "{", "\"id\", \(idForm)", "no such key"),
    FaultCase(identified("7"), "/id", "7", idForm, "the number 7"),
    FaultCase(identified("null"), "/id", "null", idForm, "null"),
    FaultCase(identified(#""""#), "/id", #""""#, idForm, "the string \"\""),
    FaultCase(identified(#""a;b""#), "/id", #""a;b""#, idForm, "the string \"a;b\""),
    FaultCase(identified(#""a\u001fb""#), "/id", #""a\u001fb""#, idForm, "the string \"a\u{1f}b\""),
    FaultCase(identified(#""a\n""#), "/id", #""a\n""#, idForm, "the string \"a\n\""),
    FaultCase(identified(#""a\u007f""#), "/id", #""a\u007f""#, idForm, "the string \"a\u{7f}\""),
    FaultCase(
      identified("\"\(String(repeating: "é", count: 128))\""), "/id", "\"é", idForm,
      "the string \"\(String(repeating: "é", count: 40))…\""),
    FaultCase(geofence(#","name":5"#), "/name", "5", "a string", "the number 5"),
    FaultCase(geofence(#","name":null"#), "/name", "null", "a string", "null"),
    // Circles.
    FaultCase(
      #"{"id":"a","type":"geofence","longitude":2}"#, "", "{", "\"latitude\", a number from -90 to 90", "no such key"),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":2}"#, "", "{", "\"longitude\", a number from -180 to 180",
      "no such key"),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":90.0001,"longitude":2}"#, "/latitude", "90.0001",
      "a number from -90 to 90", "the number 90.0001"),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":-91,"longitude":2}"#, "/latitude", "-91", "a number from -90 to 90",
      "the number -91"),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":"1","longitude":2}"#, "/latitude", "\"1\"", "a number from -90 to 90",
      "the string \"1\""),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":1,"longitude":180.5}"#, "/longitude", "180.5",
      "a number from -180 to 180", "the number 180.5"),
    FaultCase(
      #"{"id":"a","type":"geofence","latitude":1,"longitude":-181}"#, "/longitude", "-181",
      "a number from -180 to 180", "the number -181"),
    FaultCase(geofence(#","radius":0"#), "/radius", "0}", "metres, above 0 and at most 100000", "the number 0"),
    FaultCase(geofence(#","radius":-5"#), "/radius", "-5", "metres, above 0 and at most 100000", "the number -5"),
    FaultCase(
      geofence(#","radius":100000.5"#), "/radius", "1", "metres, above 0 and at most 100000", "the number 100000.5"),
    FaultCase(
      geofence(#","radius":"200""#), "/radius", "\"", "metres, above 0 and at most 100000", "the string \"200\""),
    FaultCase(geofence(#","radius":null"#), "/radius", "null", "metres, above 0 and at most 100000", "null"),
    FaultCase(geofence(#","majorId":1"#), "/majorId", "1", geofenceKeys, "the unknown key \"majorId\""),
    FaultCase(geofence(#","minorId":1"#), "/minorId", "1", geofenceKeys, "the unknown key \"minorId\""),
    FaultCase(geofence(#","range":"far""#), "/range", "\"far", geofenceKeys, "the unknown key \"range\""),
    FaultCase(
      geofence(#","proximityUUID":"""#), "/proximityUUID", "\"\"", geofenceKeys, "the unknown key \"proximityUUID\""),
    FaultCase(
      geofence(#","dwelingMinutes":5"#), "/dwelingMinutes", "5", geofenceKeys, "the unknown key \"dwelingMinutes\""),
    // Beacons.
    FaultCase(beacon(#","radius":5"#), "/radius", "5", beaconKeys, "the unknown key \"radius\""),
    FaultCase(beacon(#","latitude":5"#), "/latitude", "5", beaconKeys, "the unknown key \"latitude\""),
    FaultCase(beacon(#","longitude":5"#), "/longitude", "5", beaconKeys, "the unknown key \"longitude\""),
    FaultCase(#"{"id":"a","type":"beacon","majorId":1}"#, "", "{", "\"proximityUUID\", \(uuidForm)", "no such key"),
    FaultCase(sighted("7"), "/proximityUUID", "7", uuidForm, "the number 7"),
    FaultCase(sighted(#""f7826da6""#), "/proximityUUID", "\"f", uuidForm, "the string \"f7826da6\""),
    FaultCase(
      sighted(#""g7826da6-4fa2-4e98-8024-bc5b71e0893e""#), "/proximityUUID", "\"g", uuidForm,
      "the string \"g7826da6-4fa2-4e98-8024-bc5b71e0893e\""),
    FaultCase(
      sighted(#""f7826da64fa2-4e98-8024-bc5b71e0-893e""#), "/proximityUUID", "\"f", uuidForm,
      "the string \"f7826da64fa2-4e98-8024-bc5b71e0-893e\""),
    FaultCase(
      #"{"id":"a","type":"beacon","proximityUUID":"f7826da6-4fa2-4e98-8024-bc5b71e0893e"}"#, "", "{",
      "\"majorId\", an integer from 0 to 65535", "no such key"),
    FaultCase(beacon(#","minorId":65536"#), "/minorId", "65536", "an integer from 0 to 65535", "the number 65536"),
    FaultCase(beacon(#","minorId":-1"#), "/minorId", "-1", "an integer from 0 to 65535", "the number -1"),
    FaultCase(beacon(#","minorId":1.5"#), "/minorId", "1.5", "an integer from 0 to 65535", "the number 1.5"),
    FaultCase(
      beacon(#","range":"Far""#), "/range", "\"Far", "\"immediate\" or \"near\" or \"far\"", "the string \"Far\""),
    // Custom fields.
    FaultCase(
      geofence(#","customFields":[]"#), "/customFields", "[]", "an object of strings, numbers and booleans",
      "an array"),
    FaultCase(
      geofence(#","customFields":{"a":[1]}"#), "/customFields/a", "[1]", "a string, a number or a boolean", "an array"),
    FaultCase(
      geofence(#","customFields":{"a":{}}"#), "/customFields/a", "{}", "a string, a number or a boolean", "an object"),
    FaultCase(
      geofence(#","customFields":{"a":null}"#), "/customFields/a", "null", "a string, a number or a boolean", "null"),
    FaultCase(
      geofence(#","customFields":{"Offer":1,"oFFER":2}"#), "/customFields/oFFER", "2",
      "names that differ in more than case", "\"oFFER\" again"),
    FaultCase(
      geofence(#","customFields":{"É":1,"é":2}"#), "/customFields/é", "2", "names that differ in more than case",
      "\"é\" again"),
    FaultCase(
      geofence(#","customFields":{"a":1,"a":2}"#), "!", "\"a\":2", "each key once", "the key \"a\" again"),
  ]

  @Test(arguments: regions)
  func regionsAreRefused(_ test: FaultCase) throws {
    let good = Self.geofence("").replacingOccurrences(of: #""a""#, with: #""good""#)
    let text = "{\"version\":1,\n\"regions\":[\(good),\n\(test.text)],\n\"campaigns\":[]}"
    if test.pointer == "!" {
      var test = test
      test.pointer = ""
      try Self.check(text, test)
    } else {
      try Self.check(text, test, in: "/regions/1")
    }
  }

  @Test func idsAreUnique() throws {
    let region = Self.geofence("")
    let text = "{\"version\":1,\"regions\":[\(region),\(Self.beacon(""))],\"campaigns\":[]}"
    try Self.check(text, FaultCase("", "/regions/1/id", "\"a\"", "an id of its own", "\"a\", which element 0 has"))
    let campaign = #"{"id":"c","type":"geotrigger","name":"n","regions":["a"]}"#
    let twice = "{\"version\":1,\"regions\":[\(region)],\"campaigns\":[\(campaign),\n\(campaign)]}"
    try Self.check(twice, FaultCase("", "/campaigns/1/id", "\"c\"", "an id of its own", "\"c\", which element 0 has"))
    // The same id for a region and a campaign is fine; so are ids that differ in their bytes only.
    let bytes = [Self.identified("\"caf\u{e9}\""), Self.identified("\"cafe\u{301}\"")].joined(separator: ",")
    #expect(fault(ofFeed: "{\"version\":1,\"regions\":[\(bytes)],\"campaigns\":[]}") == nil)
  }

  /// An error says which key, or which word, was most likely meant, and only where one is spelt almost so.
  @Test(
    arguments: [
      (#""radios":1"#, #"the unknown key "radios"; did you mean "radius"?"#),
      (#""colour":1"#, #"the unknown key "colour""#),
      (#""initial":"entr""#, #"the string "entr"; did you mean "enter"?"#),
      (#""initial":"always""#, #"the string "always""#),
      (#""initial":1"#, "the number 1"),
    ])
  func nearestWords(_ member: String, _ end: String) throws {
    let text = "{\"version\":1,\"regions\":[\(Self.geofence("," + member))],\"campaigns\":[]}"
    let error = #expect(throws: DocumentError.self) { try Feed.parse(text) }
    #expect(error?.message.hasSuffix(", found \(end)") == true, "\(error?.message ?? "")")
  }
}
