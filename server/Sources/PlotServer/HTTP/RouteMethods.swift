internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// The methods of each route, so that another one is told what there is (RFC 9110, section 15.5.6).
final class RouteMethods: Sendable {
  /// A nil stands for any part of a path.
  private let routes = Mutex<[(path: [String?], method: HTTPRequest.Method)]>([])

  /// Takes the routes that there are now.
  func read(_ router: Router<ServerContext>) {
    let found = router.routes.map { route in
      (
        path: route.path.description.split(separator: "/").map { part in
          part.hasPrefix(":") || part.hasPrefix("{") ? nil : String(part)
        },
        method: route.method
      )
    }
    routes.withLock { $0 = found }
  }

  /// The fault of a request that has no route.
  func fault(_ request: Request) -> RequestFault {
    let path = request.uri.path.split(separator: "/")
    let methods = routes.withLock { routes in
      routes.filter { route in
        route.path.count == path.count && zip(route.path, path).allSatisfy { $0 == nil || $0! == $1 }
      }
      .map(\.method.rawValue)
    }
    guard !methods.isEmpty else { return RequestFault(.notFound, "not-found", "there is nothing at this path") }
    let allowed = Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted().joined(separator: ", ")
    var fault = RequestFault(
      .methodNotAllowed, "method-not-allowed", "expected one of \(allowed), found \(request.method.rawValue)")
    fault.headers[.allow] = allowed
    return fault
  }
}
