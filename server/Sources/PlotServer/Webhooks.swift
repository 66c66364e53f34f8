internal import Foundation
internal import Logging
internal import PlotDocuments
internal import PlotServerStorage

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A POST with JSON to another server, signed by HMAC-SHA-256 where there is a secret. A redirect is not followed: it would lead where nobody has allowed.
struct SignedPost: Sendable {
  private final class Redirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }

  private static let session = URLSession(configuration: .ephemeral, delegate: Redirects(), delegateQueue: nil)

  var url: URL
  var secret: String?
  /// Seconds.
  var timeout: TimeInterval = 10

  /// The status; throws where there is no answer.
  func send(_ body: String, _ headers: [String: String] = [:]) async throws -> Int {
    var request = URLRequest(url: url, timeoutInterval: timeout)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let secret {
      request.setValue(
        "sha256=" + Secrets.hexadecimal(Cryptography.authentication(of: Array(body.utf8), key: Array(secret.utf8))),
        forHTTPHeaderField: "Plot-Webhook-Signature")
    }
    let (_, response) = try await Self.session.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }
}

/// The hosts that an app's owners may have told: those of the setting `webhookHosts`, and nobody else (docs/server.md, Webhooks).
struct WebhookHosts: Sendable {
  /// As `hooks.example.com` or `10.0.0.7:9000`.
  let hosts: Set<String>

  init(_ setting: String?) {
    hosts = Set((setting ?? "").split(whereSeparator: { ", ".contains($0) }).map { $0.lowercased() })
  }

  /// Nil for a URL that nothing is sent to.
  func url(_ text: String) -> URL? {
    guard text.utf8.count <= 1000, let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host()?.lowercased(), url.user() == nil,
      hosts.contains(host) || hosts.contains("\(host):\(url.port ?? (scheme == "https" ? 443 : 80))")
    else { return nil }
    return url
  }
}

/// Sends what is due. Each is sent at least once: a node that ends in between leaves it to the next one.
struct WebhookCourier: Sendable {
  /// Between the tries, in seconds; then it is given up.
  static let pauses: [Int64] = [10, 60, 600, 3600, 6 * 3600, 24 * 3600]
  /// No other node takes it meanwhile.
  private static let lease: Int64 = 60_000
  private static let atOnce: Int64 = 20

  let storage: any SQLDatabase
  let hosts: WebhookHosts
  let now: @Sendable () -> Int64

  /// Sends those that are due; gives how many were tried.
  @discardableResult
  func run(_ logger: Logger) async throws -> Int {
    let time = now()
    let due = try await storage.read { try $0.dueDeliveries(at: time, limit: Self.atOnce) }
    await withTaskGroup(of: Void.self) { group in
      for one in due {
        group.addTask {
          do { try await deliver(one, at: time) } catch {
            logger.error("a webhook was not told", metadata: ["delivery": "\(one.record.key)", "error": "\(error)"])
          }
        }
      }
    }
    return due.count
  }

  private func deliver(_ one: DueDelivery, at time: Int64) async throws {
    guard try await storage.write({ try $0.claim(one.record, until: time + Self.lease) }) else { return }
    let body =
      "{\"delivery\":\(one.record.key),\"app\":\(JSONValue.quoted(one.app)),\"kind\":\"\(one.record.kind)\",\"data\":\(one.body)}"
    var answer = "the settings do not allow this host any more"
    var isDelivered = false
    if let url = hosts.url(one.url) {
      do {
        let status = try await SignedPost(url: url, secret: one.secret).send(
          body, ["Plot-Delivery": String(one.record.key)])
        isDelivered = (200...299).contains(status)
        answer = "status \(status)"
      } catch {
        answer = "no answer: \(RequestFault.short((error as NSError).localizedDescription))"
      }
    }
    let pause = isDelivered ? nil : Self.pauses.dropFirst(Int(one.record.tries)).first
    try await storage.write { [answer, isDelivered] in
      try $0.note(
        answer, delivered: isDelivered ? time : nil, next: pause.map { time + $0 * 1000 }, ofDelivery: one.record.key)
    }
  }
}
