internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

/// Why somebody got a notification, or did not: what the device has recorded is played again, up to that moment, and the engine says it.
struct Why {
  enum Fault: Error {
    /// With the line.
    case damaged(String)
    case unknownCampaign
    case unknownRegion
  }

  struct Shown {
    var time: Int64
    var region: String
    var message: String
  }

  /// As docs/explain.md has it, of the moment.
  private(set) var explanation: JSONValue = .null
  /// The notifications of the campaign that were shown up to the moment, oldest first.
  private(set) var shown: [Shown] = []
  /// The time of the last input before the moment.
  private(set) var last: Int64 = 0

  /// The times of the first and the last input. Throws `Fault`.
  static func times(_ lines: [UInt8]) throws(Fault) -> (began: Int64, ended: Int64) {
    var times: (began: Int64, ended: Int64)?
    for (index, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      let value: JSONValue
      do throws(DocumentError) { value = try JSONValue(parsing: Array(line)) } catch {
        throw .damaged("line \(index + 1): \(error.message)")
      }
      guard index > 0 || value["recording"] != nil else {
        throw .damaged("line 1: expected the first line of a recording, found another line")
      }
      guard value["recording"] != nil || value["input"] != nil,
        let time = value["time"]?.string.flatMap({ Timestamp.parse($0) })
      else { continue }
      times = (times?.began ?? time, max(times?.ended ?? time, time))
    }
    guard let times else { throw .damaged("line 1: expected the first line of a recording, found none") }
    return times
  }

  /// A reason that stood in the way of a campaign, as docs/decisions.md names it.
  struct Reason: Hashable, Sendable {
    var step: String
    var reason: String
  }

  /// How often each reason dropped or held a campaign in a recording. Throws `Fault`.
  static func reasons(_ lines: [UInt8], campaign: String) throws(Fault) -> [Reason: Int64] {
    let campaign = Identifier(campaign)
    var found: [Reason: Int64] = [:]
    _ = try play(lines) { effects in
      for case .decision(let decision) in effects where decision.campaign == campaign && decision.verdict != .pass {
        found[Reason(step: decision.step.rawValue, reason: decision.reason.rawValue), default: 0] += 1
      }
    }
    return found
  }

  /// Plays a recording up to a moment, and gives the machine as it then is; `take` gets the effects of each line. Throws `Fault`.
  private static func play(
    _ lines: [UInt8], until moment: Int64? = nil, _ take: ([Machine.Effect]) -> Void
  ) throws(Fault) -> (machine: Machine, last: Int64) {
    let replay = Replay()
    var last: Int64 = 0
    for (index, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      let line = Array(line)
      if let moment, line.starts(with: Array(#"{"input""#.utf8)),
        let time = (try? JSONValue(parsing: line))?["time"]?.string.flatMap({ Timestamp.parse($0) })
      {
        guard time <= moment else { break }
        last = max(last, time)
      }
      do throws(EngineError) { take(try replay.play(line).effects) } catch {
        throw .damaged("line \(index + 1): \(error.message)")
      }
    }
    guard let machine = replay.machine else { throw .damaged("expected the first line of a recording, found none") }
    return (machine, last)
  }

  /// Throws `Fault`.
  init(
    _ lines: [UInt8], campaign: String, region: String?, at moment: Int64, language: String
  ) throws(Fault) {
    var ring = DecisionRing(capacity: 1000)
    var shown: [Shown] = []
    let campaign = Identifier(campaign)
    let (machine, last) = try Self.play(lines, until: moment) { effects in
      for effect in effects {
        switch effect {
        case .decision(let decision): ring.add(decision)
        case .event(let event):
          // The JSON is the record that the device has sent.
          guard event.kind.rawValue == "notification-shown",
            let record = try? JSONValue(parsing: Array(event.json.utf8)),
            record["campaign"]?.string == campaign.text
          else { continue }
          shown.append(
            Shown(time: event.time, region: event.region.text, message: record["message"]?.string ?? ""))
        default: break
        }
      }
    }
    (self.shown, self.last) = (shown, last)
    do throws(InputError) {
      let found = try machine.explain(campaign, at: region.map { Identifier($0) }) { ring.lastObstacle(campaign, $0) }
      explanation = (try? JSONValue(parsing: Array(found.json(language).utf8))) ?? .null
    } catch {
      if case .unknownRegion = error { throw .unknownRegion }
      throw .unknownCampaign
    }
  }
}
