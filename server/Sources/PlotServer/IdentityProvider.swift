internal import HTTPTypes
internal import Hummingbird

/// Says who a browser belongs to, in the place of a password: a place for OpenID Connect and the like (docs/server.md, Signing in).
protocol IdentityProvider: Sendable {
  /// The name of the person that the request proves; nil for nobody. A name without a person here signs nobody in.
  func name(_ request: Request) async throws -> String?
}

/// A proxy that has signed the person in, by OpenID Connect for example, and says so in a header.
struct ProxyIdentity: IdentityProvider {
  let header: HTTPField.Name

  func name(_ request: Request) -> String? {
    // Two of them are no proof: one may be the client's own.
    let found = request.headers[values: header]
    guard found.count == 1, let name = found.first, !name.isEmpty, name.utf8.count <= 200 else { return nil }
    return name
  }
}
