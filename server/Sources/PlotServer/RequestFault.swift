internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments

/// An answer that is an error: a status, a word for programs, and a sentence that says what was expected, what was found, and what to do.
struct RequestFault: HTTPResponseError {
  var status: HTTPResponse.Status
  var kind: String
  var message: String
  /// Where in the body; with `expected` and `found` of the reader.
  var pointer: String?
  var expected: String?
  var found: String?
  /// A JSON array of the lint's findings.
  var findings: String?
  var retryAfter: Int?
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ kind: String, _ message: String, retryAfter: Int? = nil) {
    (self.status, self.kind, self.message, self.retryAfter) = (status, kind, message, retryAfter)
  }

  init(document error: DocumentError) {
    self.init(.unprocessableContent, "invalid-document", error.message)
    (pointer, expected, found) = (error.pointer, error.expected, error.found)
  }

  static func invalid(_ pointer: String, _ expected: String, _ found: JSONValue?) -> RequestFault {
    let what = found.map { short($0.text) } ?? "no such key"
    var fault = RequestFault(
      .unprocessableContent, "invalid-value",
      "\(pointer.isEmpty ? "the body" : pointer): expected \(expected), found \(what)")
    (fault.pointer, fault.expected, fault.found) = (pointer, expected, what)
    return fault
  }

  /// Throws where a value is no object, or has a key that is not known.
  static func checkKeys(_ value: JSONValue, _ place: String, _ known: [String]) throws(RequestFault) {
    guard case .object(let members) = value else { throw .invalid(place, "an object", value) }
    for (key, _) in members where !known.contains(key) {
      throw .invalid("\(place)/\(key)", "one of \(known.joined(separator: ", "))", .string("the unknown key \(key)"))
    }
  }

  /// Of an id in a path or a query, for those who manage.
  static var noInstallation: RequestFault {
    RequestFault(.notFound, "not-found", "there is no such installation of this app")
  }

  static func short(_ text: String) -> String { text.utf8.count <= 80 ? text : text.prefix(60) + "…" }

  /// The same for every token that is no app's, and for no token.
  static var unauthorized: RequestFault {
    var fault = RequestFault(
      .unauthorized, "unauthorized",
      "expected the public token of an app as \"Authorization: Bearer TOKEN\", found none that is known")
    fault.headers[.wwwAuthenticate] = "Bearer"
    return fault
  }

  /// The same for an installation of another app, for one that never was, and for a wrong secret.
  static var unknownInstallation: RequestFault {
    RequestFault(
      .forbidden, "unknown-installation",
      "expected \"Plot-Installation\" and the \"Plot-Secret\" that its first PUT has returned, found others: make a new installation id and register it"
    )
  }

  static func busy(_ message: String, after seconds: Int) -> RequestFault {
    RequestFault(.serviceUnavailable, "busy", message, retryAfter: seconds)
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var error: [(key: String, value: JSONValue)] = [
      ("status", .integer(Int64(status.code))), ("kind", .string(kind)), ("message", .string(message)),
    ]
    if let pointer { error.append(("pointer", .string(pointer))) }
    if let expected { error.append(("expected", .string(expected))) }
    if let found { error.append(("found", .string(found))) }
    if let findings, let list = try? JSONValue(parsing: Array(findings.utf8)) { error.append(("findings", list)) }
    var fields = headers
    if let retryAfter { fields[.retryAfter] = String(retryAfter) }
    return .json(.object([("error", .object(error))]), status: status, headers: fields)
  }
}

extension Response {
  static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    json(text: value.text, status: status, headers: headers)
  }

  /// A text that is JSON already.
  static func json(text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
  }
}
