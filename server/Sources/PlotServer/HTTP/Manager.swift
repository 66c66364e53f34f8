internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage

/// The one who manages an app: Basic authentication with its id and one of its private keys.
struct Manager: Sendable {
  var app: AppRecord
  /// For the audit.
  var actor: String
}

extension Service {
  func manager(_ request: Request, _ context: ServerContext) async throws -> Manager {
    let address = address(request, context)
    let now = now()
    if failures.isEmpty(address, at: now) {
      throw RequestFault(.tooManyRequests, "too-many-requests", "too many wrong keys: wait", retryAfter: 60)
    }
    if let header = request.headers[.authorization], header.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(header.dropFirst(6))), data.count <= 1000,
      let colon = data.firstIndex(of: 0x3A)
    {
      let id = String(decoding: data[..<colon], as: UTF8.self)
      let key = String(decoding: data[(colon + 1)...], as: UTF8.self)
      if let found = try await privateKeys.app(id: id, key: key) {
        return Manager(app: found.app, actor: "key \(found.key)")
      }
    }
    _ = failures.take(address, at: now)
    var fault = RequestFault(
      .unauthorized, "unauthorized",
      "expected the id of an app and one of its private keys by Basic authentication, found others")
    fault.headers[.wwwAuthenticate] = "Basic realm=\"plot-server\", charset=\"UTF-8\""
    throw fault
  }
}

extension Request {
  /// A parameter of the query that is a number; nil for none.
  func number(_ key: String, _ range: ClosedRange<Int64>, _ expected: String) throws -> Int64? {
    guard let text = uri.queryParameters[Substring(key)] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw RequestFault.invalid("?\(key)", expected, .string(String(text)))
    }
    return number
  }

  /// One that is true or false; false for none.
  func flag(_ key: String) throws -> Bool {
    switch uri.queryParameters[Substring(key)] {
    case nil, "false"?: return false
    case "true"?: return true
    case let other?: throw RequestFault.invalid("?\(key)", "true or false", .string(String(other)))
    }
  }
}
