import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotDocuments

@Suite struct ConfigurationFaultTests {
  static let tokenForm = "a string that is not empty"

  /// A text; its fault as `line:column pointer | expected | found`.
  static let faults: [(String, String)] = [
    // The token.
    (#"{"publicToken": ""}"#, "1:17 /publicToken | \(tokenForm) | an empty string"),
    (#"{"publicToken": 4711}"#, "1:17 /publicToken | \(tokenForm) | another type of value"),
    (#"{"publicToken": ["4711"]}"#, "1:17 /publicToken | \(tokenForm) | another type of value"),
    (#"{"publicToken": {"4711": 1}}"#, "1:17 /publicToken | \(tokenForm) | another type of value"),
    (#"{"publicToken": false}"#, "1:17 /publicToken | \(tokenForm) | another type of value"),
    // The document.
    ("[]", "1:1  | an object, as in {\"cooldownPeriod\": 600} | an array"),
    ("null", "1:1  | an object, as in {\"cooldownPeriod\": 600} | null"),
    ("\n\"t\"", "2:1  | an object, as in {\"cooldownPeriod\": 600} | the string \"t\""),
    (
      #"{"publicToken": "t", "engine": {"capabilities": {"suppress": 1}}}"#,
      "1:62 /engine/capabilities/suppress | true or false | the number 1"
    ),
    (
      #"{"publicToken": "t", "engine": {"capabilities": {"messageDeadline": 2}}}"#,
      "1:69 /engine/capabilities/messageDeadline | an integer from 3 to 86400 | the number 2"
    ),
    (
      #"{"publicToken": "t", "engine": {"capabilities": {"fallback": "show"}}}"#,
      "1:62 /engine/capabilities/fallback | \"placeholder\" or \"silent\" | the string \"show\""
    ),
    (#"{"publicToken": "t", "engine": {"capabilities": []}}"#, "1:49 /engine/capabilities | an object | an array"),
    (#"{"publicToken": "t", "engine": []}"#, "1:32 /engine | an object | an array"),
    (#"{"publicToken": "t", "engine": "exact"}"#, "1:32 /engine | an object | the string \"exact\""),
    // Properties.
    (
      #"{"publicToken": "t", "maxRegionsMonitored": 4}"#,
      "1:45 /maxRegionsMonitored | an integer from 5 to 20 | the number 4"
    ),
    (
      #"{"publicToken": "t", "maxRegionsMonitored": 21}"#,
      "1:45 /maxRegionsMonitored | an integer from 5 to 20 | the number 21"
    ),
    (
      #"{"publicToken": "t", "askPermissionAgainAfterDays": -2}"#,
      "1:53 /askPermissionAgainAfterDays | an integer from -1 to 36500 | the number -2"
    ),
    (
      "{\n  \"publicToken\": \"t\",\n\n  \"engine\": {\n    \"earliestTime\": -1\n  }\n}",
      "5:21 /engine/earliestTime | an integer from 0 to 253402300799999 | the number -1"
    ),
    (
      "{\n  \"publicToken\": \"t\",\n\n  \"engine\": {\n    \"filterDeadline\": 0\n  }\n}",
      "5:23 /engine/filterDeadline | an integer from 1 to 86400 | the number 0"
    ),
    (
      "{\r\n  \"publicToken\": \"t\",\r\n  \"notificationSmallIcon\": \"é\", \"debug\": 1}",
      "3:43 /debug | true or false | the number 1"
    ),
    (
      #"{"publicToken": "t", "debug": "0123456789012345678901234567890123456789x"}"#,
      "1:31 /debug | true or false | the string \"0123456789012345678901234567890123456789…\""
    ),
    // The same key twice.
    (#"{"publicToken": "t", "debug": true, "debug": true}"#, "1:37  | each key once | the key \"debug\" again"),
    (
      "{\"publicToken\": \"t\",\n\"engine\": {\n \"noise\": \"exact\",\n\n  \"noise\": \"exact\"}}",
      "5:3  | each key once | the key \"noise\" again"
    ),
    (#"{"publicToken": "t", "x": [{"é": 1, "é": 2}]}"#, "1:38  | each key once | the key \"é\" again"),
    // Bad JSON.
    ("{\"publicToken\": \"t\",\n}", "2:1  | a key after the comma | '}'"),
    (
      "{\n\"publicToken\": \"t\",\n\n\"debug\": true,\n}", "5:1  | a key after the comma | '}'"
    ),
    (#"{"publicToken": "t", "x": [1, ]}"#, "1:31  | a value after the comma | ']'"),
    (#"{"publicToken": "t" "debug": true}"#, "1:21  | '}' | a string"),
    (#"{"publicToken": "t", "debug" true}"#, "1:30  | ':' | 'true'"),
    ("{publicToken: true}", "1:2  | string or '}' | 'publicToken'"),
    (#"{"publicToken": "t", "x": [1 2]}"#, "1:30  | ']' | '2'"),
    (#"{"publicToken": "t", "x": 01}"#, "1:27  | a JSON value | '0'"),
    (#"{"publicToken": "t", "x": tru}"#, "1:27  | a JSON value | 'tru'"),
    (#"{"publicToken": "t", "x": NaN}"#, "1:27  | a JSON value | 'NaN'"),
    (#"{"publicToken": "t"} x"#, "1:22  | end of file | 'x'"),
    (#"{"publicToken": "t"}{}"#, "1:21  | end of file | '{'"),
    ("{\"publicToken\": \"t\"}\n\n\n\n,", "5:1  | end of file | ','"),
    (#"{"publicToken": "t""#, "1:20  | '}' | the end of the text"),
    ("{", "1:2  | string or '}' | the end of the text"),
  ]

  @Test(arguments: faults)
  func faultsInFull(_ text: String, _ expected: String) throws {
    let error = try #require(fault(ofConfiguration: Array(text.utf8)), "\(text) is taken")
    #expect(short(error) == expected)
    let pointer = error.pointer.isEmpty ? "" : "\(error.pointer): "
    #expect(
      error.message
        == "line \(error.line), column \(error.column): \(pointer)expected \(error.expected), found \(error.found)")
  }

  /// Faults whose sentence is the JSON library's own: their place, and a word of it.
  static let syntax: [(String, Int, Int, String)] = [
    (#"{"publicToken": "t", "x": "abc"#, 1, 27, "premature end"),
    ("{\"publicToken\": \"t\",\n\"x\": \"a\nb\"}", 2, 6, "newline"),
    (#"{"publicToken": "t", "x": "\q"}"#, 1, 27, "escape"),
    (#"{"publicToken": "t", "x": "a\u0000b"}"#, 1, 27, "\\u0000"),
    (#"{"publicToken": "t", "x\u0000": 1}"#, 1, 22, "NUL"),
    (#"{"publicToken": "t", "x": "\ud800"}"#, 1, 27, "Unicode"),
    (#"{"publicToken": "t", "x": 1e400}"#, 1, 27, "overflow"),
    (#"{"publicToken": "t", "x": -1e400}"#, 1, 27, "overflow"),
    (#"{"publicToken": "t", "x": 9223372036854775808}"#, 1, 27, "too big"),
  ]

  /// Jansson quotes short tokens and names no long ones; either may be the token.
  @Test(arguments: [
    #"{"publicToken" "SECRETSECRET"}"#, #"{"publicToken": "SECRETSECRET"#, #"{"publicToken": "SECRET\q"}"#,
    #"{"publicToken": "x" "SECRETSECRETSECRETSECRETSECRETSECRET"}"#, #"{"publicToken": "SECRET", "SECRET", 1}"#,
  ])
  func aTokenIsNeverQuoted(_ text: String) throws {
    let error = try #require(fault(ofConfiguration: Array(text.utf8)))
    #expect(!error.message.contains("SECRET") && error.line == 1 && error.column > 1)
  }

  @Test func longTokensHaveTheirPlaceAndName() throws {
    let key = "enableCombinedMonitoring"
    let error = try #require(
      fault(ofConfiguration: Array(#"{"publicToken": "t", "\#(key)": true, "\#(key)": true}"#.utf8)))
    #expect(error.column == 56 && error.expected == "each key once")
    #expect(error.found == #"the key "\#(key)" again"#)
  }

  @Test(arguments: syntax)
  func faultsOfTheText(_ text: String, _ line: Int, _ column: Int, _ word: String) throws {
    let error = try #require(fault(ofConfiguration: Array(text.utf8)), "\(text) is taken")
    #expect(error.line == line && error.column == column, "\(text)")
    #expect(error.pointer == "")
    #expect(error.found.contains(word), "\(error.found)")
  }

  static let token = Array(#"{"publicToken": "t"}"#.utf8)

  @Test func badBytes() throws {
    let cases: [([UInt8], Int, Int, String)] = [
      (Array("{\"publicToken\": \"t\",\n\"x\": \"a".utf8) + [0xFF] + Array("b\"}".utf8), 2, 8, "0xff"),
      (Array("{\"publicToken\": \"é".utf8) + [0xE2, 0x82] + Array("b\"}".utf8), 1, 20, "0xe2"),
      (Array("{\"publicToken\": \"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8), 1, 18, "0xed"),
      (Array("{\"publicToken\": \"".utf8) + [0xC0, 0x80] + Array("\"}".utf8), 1, 18, "0xc0"),
      (Self.token + [0xC3], 1, 21, "0xc3"), ([0x80], 1, 1, "0x80"),
    ]
    for (bytes, line, column, byte) in cases {
      let error = try #require(fault(ofConfiguration: bytes), "\(bytes) are taken")
      #expect(short(error) == "\(line):\(column)  | UTF-8 text | the byte \(byte)")
    }
  }

  @Test func noText() throws {
    for text in ["", " ", "\n\t\r\n", "\u{FEFF}", "\u{FEFF} \n"] {
      let error = try #require(fault(ofConfiguration: Array(text.utf8)), "\(text.debugDescription) is taken")
      #expect(error.pointer == "")
      #expect(error.found.contains("the end of the text"), "\(error.found)")
      #expect(error.line == text.utf8.filter { $0 == 0x0A }.count + 1)
    }
  }

  @Test func zeroBytesAreNoJSON() {
    #expect(fault(ofConfiguration: Self.token + [0]) != nil)
    #expect(fault(ofConfiguration: [0]) != nil)
    #expect(fault(ofConfiguration: Array("{\"publicToken\": \"t".utf8) + [0] + Array("\"}".utf8)) != nil)
  }

  @Test func aTokenIsNeverInAnError() throws {
    for text in [
      #"{"publicToken": 47114711}"#, #"{"publicToken": {"47114711": 1}}"#, #"{"publicToken": ["47114711"]}"#,
    ] {
      let error = try #require(fault(ofConfiguration: Array(text.utf8)))
      #expect(!"\(error) \(error.message)".contains("4711"), "\(error.message)")
    }
  }

  @Test func everyPrefixIsRefused() {
    let text = Array(ConfigurationTests.others.utf8)
    for length in text.indices {
      #expect(fault(ofConfiguration: Array(text[..<length])) != nil, "the first \(length) bytes are taken")
    }
  }

  // MARK: What is tolerated

  static let warnings: [(String, [String])] = [
    (#"{"publicToken": "t"}"#, []), ("\u{FEFF}{\"publicToken\": \"t\"}", ["the text begins with a byte-order mark"]),
    (
      #"{"publicToken": "t", "googleKey": 5, "x-mine": [], "": 1}"#,
      [
        "the key \"googleKey\" is unknown; it is ignored", "the key \"x-mine\" is unknown; it is ignored",
        "the key \"\" is unknown; it is ignored",
      ]
    ),
    (
      #"{"publicToken": "t", "engine": {"noice": "exact"}, "PublicToken": ""}"#,
      [
        "the key \"engine.noice\" is unknown; it is ignored", "the key \"PublicToken\" is unknown; it is ignored",
      ]
    ),
    (
      #"{"publicToken": "t", "engine": {"capabilities": {"supress": true}}}"#,
      ["the key \"engine.capabilities.supress\" is unknown; it is ignored"]
    ),
    (
      #"{"publicToken": "t", "geotriggerHandlerEnabled": true, "notificationFilterEnabled": 1}"#,
      [
        "\"geotriggerHandlerEnabled\" is an option of initPlot (Titanium), not of plotconfig.json; it is ignored",
        "\"notificationFilterEnabled\" is an option of initPlot (Titanium), not of plotconfig.json; it is ignored",
      ]
    ),
    (
      #"{"publicToken": "t", "enableCombinedMonitoring": "true"}"#,
      ["\"enableCombinedMonitoring\" is the string \"true\"; it is taken as the boolean"]
    ),
    (
      #"{"publicToken": "t", "enableCombinedMonitoring": "false"}"#,
      ["\"enableCombinedMonitoring\" is the string \"false\"; it is taken as the boolean"]
    ),
  ]

  @Test(arguments: warnings)
  func tolerated(_ text: String, _ warnings: [String]) throws {
    let configuration = try Configuration(text)
    #expect(configuration.warnings == warnings)
    let isTrue = text.contains(#""enableCombinedMonitoring": "true""#)
    #expect(configuration.json.contains("\"enableCombinedMonitoring\":\(isTrue)"))
  }

  @Test(arguments: ["True", "yes", "", "1"])
  func otherStringsAreNoBooleans(_ value: String) throws {
    let text = #"{"publicToken": "t", "enableCombinedMonitoring": "\#(value)"}"#
    let error = try #require(fault(ofConfiguration: Array(text.utf8)))
    #expect(short(error) == "1:50 /enableCombinedMonitoring | true or false | the string \"\(value)\"")
  }

  @Test func columnsDoNotCountTheByteOrderMark() throws {
    let error = try #require(fault(ofConfiguration: Array("\u{FEFF}{\"publicToken\": \"\"}".utf8)))
    #expect(error.line == 1 && error.column == 17)
  }

  // MARK: Limits

  @Test func theSizeLimit() throws {
    #expect(Configuration.sizeLimit == 1 << 20)
    let spaces = [UInt8](repeating: 0x20, count: Configuration.sizeLimit - Self.token.count)
    #expect(fault(ofConfiguration: Self.token + spaces) == nil)
    #expect(fault(ofConfiguration: [0xEF, 0xBB, 0xBF] + Self.token + spaces) == nil)
    let error = try #require(fault(ofConfiguration: Self.token + spaces + [0x20]))
    #expect(short(error) == "0:0  | at most 1048576 bytes | 1048577")
    #expect(error.message == "expected at most 1048576 bytes, found 1048577")
  }

  @Test func theDepthLimit() throws {
    func nested(_ levels: Int, _ open: String, _ close: String) -> [UInt8] {
      let value = String(repeating: open, count: levels - 1) + "1" + String(repeating: close, count: levels - 1)
      return Array(#"{"publicToken": "[[{{", "x": \#(value)}"#.utf8)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      #expect(fault(ofConfiguration: nested(64, open, close)) == nil)
      let error = try #require(fault(ofConfiguration: nested(65, open, close)))
      #expect(error.expected == "at most 64 levels of nesting")
      #expect(error.line == 1 && error.column == 30 + 63 * open.utf8.count)
      #expect(fault(ofConfiguration: nested(100_000, open, close)) != nil)
    }
    let wide = "[" + String(repeating: "[],", count: 1000) + "[]]"
    #expect(fault(ofConfiguration: Array(#"{"publicToken": "t", "x": \#(wide)}"#.utf8)) == nil)
  }

  // MARK: Files

  @Test func filesAreRead() throws {
    let folder = try Folder()
    let file = folder.url.appendingPathComponent("plot config é.json")
    try Data(ConfigurationTests.others.utf8).write(to: file)
    #expect(try Configuration(path: file.path).json == ConfigurationTests.others)
    try Data("{}".utf8).write(to: file)
    #expect(try Configuration(path: file.path).publicToken == nil)
    try Data("[]".utf8).write(to: file)
    #expect(throws: DocumentError.self) { try Configuration(path: file.path) }
    #expect(throws: FileError.self) { try Configuration(path: folder.url.path) }
    let missing = folder.path("missing.json")
    #expect(throws: FileError(path: missing, code: ENOENT)) { try Configuration(path: missing) }
  }
}
