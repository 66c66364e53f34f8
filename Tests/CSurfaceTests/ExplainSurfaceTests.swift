import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Decisions that are kept, and explanations, through the header.
  @Suite(.serialized) struct Explanations {
    /// Inside, and dropped for a property.
    static func phone() throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start()
      let vip = #", "segmentation": {"property": "vip", "equals": true}"#
      try phone.feed(museum(notification("a", vip), notification("b")))
      try phone.fix(60_000, 52.4, 4.9)
      return phone
    }

    static func decisions(_ phone: Phone, _ campaign: String? = nil, _ region: String? = nil, _ limit: Int = 0) throws
      -> [[String: Any]]
    {
      let json = try text { plot_engine_get_decisions(phone.engine, campaign, region, limit, $0, $1) }
      return try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
    }

    static func explain(
      _ phone: Phone, _ campaign: String = "a", _ region: String? = nil, _ language: String? = nil
    ) throws -> [String: Any] {
      try record(try text { plot_engine_explain(phone.engine, campaign, region, language, $0, $1) })
    }

    @Test func decisionsAreKeptWhileTheRingIsOn() throws {
      let phone = try Self.phone()
      #expect(try Self.decisions(phone).isEmpty)
      try check { plot_engine_keep_decisions(phone.engine, 4, $0) }
      try phone.fix(120_000, 52.36, 4.885)
      let all = try Self.decisions(phone)
      #expect(all.count == 4 && all.last?["reason"] as? String == "shown")
      #expect(try Self.decisions(phone, "a").isEmpty, "pushed out")
      #expect(try Self.decisions(phone, "b", "museum", 1).count == 1)
      #expect(try Self.decisions(phone, "b", "elsewhere").isEmpty)
      try check { plot_engine_keep_decisions(phone.engine, 0, $0) }
      #expect(try Self.decisions(phone).isEmpty)
      for capacity: Int64 in [-1, 100_001] {
        #expect(plot_engine_keep_decisions(phone.engine, capacity, nil) == PLOT_INVALID_ARGUMENT)
      }
    }

    @Test func anExplanationNamesTheCause() throws {
      let phone = try Self.phone()
      #expect(try Self.explain(phone)["reason"] as? String == "property-missing")
      #expect(try Self.explain(phone, "b")["reason"] as? String == "not-inside")
      try phone.fix(120_000, 52.36, 4.885)
      let found = try Self.explain(phone, "a", "museum")
      #expect(found["sentence"] as? String == "The device has no value for the property vip.")
      #expect(found["verdict"] as? String == "hold" && found["region"] as? String == "museum")
      let german = try Self.explain(phone, "a", nil, "de")["sentence"] as? String
      #expect(german == "Das Gerät hat keinen Wert für die Eigenschaft vip.")
      #expect(try Self.explain(phone, "a", nil, "tlh")["sentence"] as? String == found["sentence"] as? String)
      #expect(try Self.explain(phone, "b")["reason"] as? String == "once-only")
      #expect(phone.shown == ["b at Museum shop"], "nothing has happened by it")
      let unknown = try failure { _ = try Self.explain(phone, "x") }
      #expect(unknown.status == PLOT_NOT_FOUND && unknown.message == #"the feed has no campaign "x""#)
      #expect(try failure { _ = try Self.explain(phone, "a", "x") }.status == PLOT_NOT_FOUND)
    }

    @Test func decisionsGoToAFile() throws {
      let phone = try Self.phone()
      let path = temporary("decisions")
      defer { try? FileManager.default.removeItem(atPath: path) }
      try check { plot_engine_write_decisions_to(phone.engine, path, $0) }
      try phone.fix(120_000, 52.36, 4.885)
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
        try record(String($0))
      }
      #expect(lines.first?["step"] as? String == "trigger" && lines.last?["reason"] as? String == "shown")
      try check { plot_engine_write_decisions_to(phone.engine, nil, $0) }
      try phone.fix(180_000, 52.4, 4.9)
      try phone.fix(240_000, 52.36, 4.885)
      #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == lines.count)
      // Again: behind what is there.
      try check { plot_engine_write_decisions_to(phone.engine, path, $0) }
      try phone.fix(300_000, 52.4, 4.9)
      try phone.fix(360_000, 52.36, 4.885)
      #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count > lines.count)
      let nowhere = try failure { try check { plot_engine_write_decisions_to(phone.engine, "/nowhere/d", $0) } }
      #expect(nowhere.status == PLOT_IO_ERROR)
    }

    /// A fault of the file ends the writing; the engine goes on.
    @Test func aFileThatCannotBeWrittenAnyMore() throws {
      let phone = try Self.phone()
      let folder = temporary("folder")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try check { plot_engine_write_decisions_to(phone.engine, folder + "/d", $0) }
      try FileManager.default.removeItem(atPath: folder)
      try phone.fix(120_000, 52.36, 4.885)
      #expect(phone.shown == ["b at Museum shop"])
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try phone.fix(180_000, 52.4, 4.9)
      try phone.fix(240_000, 52.36, 4.885)
      #expect(!FileManager.default.fileExists(atPath: folder + "/d"))
    }
  }
}
