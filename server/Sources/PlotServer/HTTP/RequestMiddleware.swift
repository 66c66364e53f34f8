internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import PlotServerStorage

/// Counts and times each request, and makes an answer of every error. The log has method, route and status: no token, no place, no query.
struct RequestMiddleware: RouterMiddleware {
  let metrics: ServerMetrics
  let methods: RouteMethods

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      // Ours say themselves what is not there.
      let isNowhere = !(error is RequestFault) && (error as? any HTTPResponseError)?.status == .notFound
      let fault = isNowhere ? methods.fault(request) : Self.fault(error, context.logger)
      response = try fault.response(from: request, context: context)
    }
    if response.status != .notModified {
      response.headers.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
    }
    let route = context.endpointPath ?? "none"
    let took = start.duration(to: .now).components
    metrics.request(
      route: route, status: response.status.code, seconds: Double(took.seconds) + Double(took.attoseconds) / 1e18)
    context.logger.debug(
      "request", metadata: ["method": "\(request.method)", "route": "\(route)", "status": "\(response.status.code)"])
    return response
  }

  /// The answer to any error; the log has those that are the server's.
  static func fault(_ error: any Error, _ logger: Logger) -> RequestFault {
    switch error {
    case let fault as RequestFault: return fault
    case let error as any HTTPResponseError:
      return RequestFault(error.status, kind(error.status), error.status.reasonPhrase)
    case let error as StorageError where error.isOfTheDatabase:
      logger.error("the database takes nothing", metadata: ["error": "\(error.message)"])
      return fault(error)
    default:
      logger.error("a request failed", metadata: ["error": "\(error)"])
      return RequestFault(.internalServerError, "internal", "the server has a fault; its log says more")
    }
  }

  private static func fault(_ error: StorageError) -> RequestFault {
    if case .unknownOutcome = error {
      return RequestFault(
        .serviceUnavailable, "unknown-outcome",
        "the database went away at the end: look whether it was done before you send the same request again",
        retryAfter: 10)
    }
    return .busy("the database takes nothing now: send the same request again", after: 10)
  }

  private static func kind(_ status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "not-found"
    case .contentTooLarge: "too-large"
    case .badRequest: "bad-request"
    default: "refused"
    }
  }
}
