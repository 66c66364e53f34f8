import FoundationEssentials
internal import PlotCore

/// An event or decision record, as far as the timeline and the map need it (docs/events.md, docs/decisions.md).
package struct RunRecord: Decodable, Sendable {
  package var time: String
  package var event: String?
  package var sequence: Int64?
  package var region: String?
  package var visit: String?
  package var ordinal: Int?
  package var source: String?
  package var latitude: Double?
  package var longitude: Double?
  package var campaign: String?
  package var messageId: String?
  package var matchIdentifier: String?
  package var message: String?
  package var action: String?
  package var holdout: String?
  package var dwellingMinutes: Int?
  package var arrival: String?
  package var since: String?
  package var trip: String?
  package var metres: Double?
  package var delaySeconds: Int64?
  package var otherRegion: String?
  package var from: String?
  package var to: String?
  package var step: String?
  package var verdict: String?
  package var reason: String?
  package var detail: String?
  package var nextPossible: String?

  /// - Throws: what is no record.
  package init(_ json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

  /// When a visit began or ended, of an event at this time: the event may come later, once that is certain.
  package func crossed(_ time: Int64) -> Int64 { since.flatMap { Timestamp.parse($0) } ?? time }
}
