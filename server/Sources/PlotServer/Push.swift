internal import Foundation
internal import Logging
internal import PlotDocuments

/// A publication that devices without a stream should hear of.
struct PushNotice: Sendable, Equatable {
  var app: String
  var change: Changes.Change
}

/// Reaches devices by a push service. Nothing depends on it: clients go on polling.
protocol PushProvider: Sendable {
  /// Throws when the service did not take it; then it is tried again.
  func push(_ notice: PushNotice) async throws
}

/// Tells another server, which knows how to push: a POST with JSON, signed by HMAC-SHA-256 where there is a secret (docs/server.md, Push).
struct Webhook: PushProvider {
  struct Refused: Error {
    var status: Int
  }

  var url: URL
  var secret: String?

  func push(_ notice: PushNotice) async throws {
    let body = JSONValue.object([
      ("app", .string(notice.app)), ("publication", .integer(notice.change.publication)),
      ("etag", .string(notice.change.etag)), ("spread", .integer(notice.change.spread)),
    ]).text
    let status = try await SignedPost(url: url, secret: secret).send(body)
    guard (200...299).contains(status) else { throw Refused(status: status) }
  }
}

/// Hands each publication to the provider once, by whichever node comes first.
struct Pusher: Sendable {
  static let pauses: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]

  var provider: any PushProvider

  /// With pauses between the tries; then it is given up, and polling has to do.
  func push(_ notice: PushNotice, pauses: [Duration] = Pusher.pauses, _ logger: Logger) async {
    for pause in pauses.map(Optional.some) + [nil] {
      do {
        return try await provider.push(notice)
      } catch {
        guard let pause else {
          logger.error(
            "a publication was not pushed",
            metadata: ["app": "\(notice.app)", "publication": "\(notice.change.publication)", "error": "\(error)"])
          return
        }
        try? await Task.sleep(for: pause)
      }
    }
  }
}
