import Testing

@testable import PlotCore
@testable import PlotDocuments

/// How a reader finds the members of an object.
@Suite struct ObjectShapesTests {
  private func reader(_ text: String) throws -> JSONReader { try JSONReader(Array(text.utf8)) }

  private func value(_ reader: JSONReader, _ key: String) throws -> Int64? {
    try reader.member(reader.root, key) { (node) throws(DocumentError) in
      try reader.integer(node, .min ... .max)
    }
  }

  /// Few keys, as many as are kept, and more: each is found, and no other.
  @Test(arguments: [1, 2, 31, 32, 33, 500]) func keysOfAllLengths(_ count: Int) throws {
    // Lengths from 1 to 40 bytes; those of one length differ in one byte, anywhere.
    func key(_ index: Int) -> String {
      var bytes = [UInt8](repeating: UInt8(ascii: "k"), count: index % 40 + 1)
      bytes[index / 40 % bytes.count] = UInt8(ascii: "0") + UInt8(index % 10)
      return String(decoding: bytes, as: UTF8.self) + (index >= 40 ? "\(index / 40)" : "")
    }
    let keys = (0..<count).map(key)
    let members = keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    let reader = try reader("{\(members)}")
    for (index, key) in keys.enumerated() { #expect(try value(reader, key) == Int64(index)) }
    for key in keys + [""] where !keys.contains(key + "x") {
      #expect(try value(reader, key + "x") == nil)
    }
    let read = reader.keys(reader.root)
    #expect(read == keys)
  }

  /// Keys with the same first and last eight bytes, and the empty one.
  @Test func keysThatAreAlikeAtAGlance() throws {
    let reader = try reader(#"{"aaaaaaaa-1-bbbbbbbb":1,"aaaaaaaa-2-bbbbbbbb":2,"":3,"aaaaaaaabbbbbbbb":4}"#)
    #expect(try value(reader, "aaaaaaaa-1-bbbbbbbb") == 1)
    #expect(try value(reader, "aaaaaaaa-2-bbbbbbbb") == 2)
    #expect(try value(reader, "aaaaaaaa-3-bbbbbbbb") == nil)
    #expect(try value(reader, "aaaaaaaabbbbbbbb") == 4)
    #expect(try value(reader, "") == 3)
    let has = (reader.has(reader.root, "aaaaaaaa-2-bbbbbbbb"), reader.has(reader.root, "aaaaaaaa-4-bbbbbbbb"))
    #expect(has == (true, false))
  }

  /// Many objects in turn, so that some take the places of others.
  @Test func manyObjects() throws {
    let elements = (0..<200).map { #"{"id":\#($0),"k\#($0)":1,"in":{"id":\#($0 + 1000)}}"# }
    let reader = try reader("[\(elements.joined(separator: ","))]")
    var ids: [Int64?] = []
    _ = try reader.array(reader.root, "an array") { (node, index) throws(DocumentError) in
      for _ in 0..<2 {
        ids.append(
          try reader.member(node, "in") { (inner) throws(DocumentError) in
            try reader.required(inner, "id", "a number") { (node) throws(DocumentError) in
              try reader.integer(node, 0...5000)
            }
          })
        ids.append(
          try reader.member(node, "id") { (node) throws(DocumentError) in
            try reader.integer(node, 0...5000)
          })
      }
      let has = (reader.has(node, "in"), reader.has(node, "k"))
      #expect(has == (true, false))
    }
    var wanted: [Int64?] = []
    for id: Int64 in 0..<200 { wanted += [id + 1000, id, id + 1000, id] }
    #expect(ids == wanted)
  }

  @Test func aMakersOwnKeysBesideKnownOnes() throws {
    let known = ["a", "cooldownPeriod", "a-key-of-more-than-sixteen"]
    func faults(_ text: String, allowsOwn: Bool) throws -> String? {
      let reader = try reader(text)
      do throws(DocumentError) {
        try reader.refuseUnknown(reader.root, KeySet(known, allowsOwn: allowsOwn), of: "a test")
        return nil
      } catch {
        return error.found
      }
    }
    #expect(try faults(#"{"a":1,"cooldownPeriod":2,"a-key-of-more-than-sixteen":3}"#, allowsOwn: false) == nil)
    #expect(try faults(#"{"x-":1,"x-1":1,"x-abcdefgh":1,"x-a-very-long-name-indeed":2}"#, allowsOwn: true) == nil)
    #expect(try faults(#"{"a":1,"x-1":1}"#, allowsOwn: false) == #"the unknown key "x-1""#)
    for key in ["", "x", "b", "xy", "cooldownPerioe", "a-key-of-more-than-seventeen"] {
      #expect(try faults(#"{"a":1,"\#(key)":1}"#, allowsOwn: true) == #"the unknown key "\#(key)""#)
    }
  }

  /// Values of any kind are kept compactly, with keys in their order.
  @Test func canonicalValues() throws {
    let text = #"{"b":[1,-2,0,9223372036854775807,-9223372036854775808,1.5,true,null,[],{}],"a":"é\"\\\n\u0001","":""}"#
    let spread = text.map { ",:[]{}".contains($0) ? " \($0) " : "\($0)" }.joined()
    let reader = try reader(spread)
    let canonical = reader.canonical(reader.root)
    #expect(canonical == text)
  }
}
