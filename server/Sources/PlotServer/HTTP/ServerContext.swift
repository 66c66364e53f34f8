internal import Hummingbird
internal import Logging
internal import NIOCore

/// A request's context: with the address that it came from.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let address: String

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    address = source.channel.remoteAddress?.ipAddress ?? ""
  }
}
