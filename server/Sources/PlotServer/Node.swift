internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
public import PlotServerStorage
internal import ServiceLifecycle

/// One node of the service: what it answers, and what it does by itself.
public struct ServerNode: Sendable {
  let service: Service
  let dashboard: DashboardAssets?
  let logger: Logger

  /// `now` gives milliseconds since 1970.
  public init(
    _ storage: any SQLDatabase, _ configuration: ServerConfiguration, dashboard: DashboardAssets? = nil, logger: Logger,
    now: @escaping @Sendable () -> Int64
  ) {
    self.dashboard = dashboard
    service = Service(storage, configuration, now: now)
    self.logger = logger
  }

  func router() -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    let methods = RouteMethods()
    router.add(middleware: RequestMiddleware(metrics: service.metrics, methods: methods))
    DeviceRoutes(service: service).add(to: router)
    ManagementRoutes(service: service).add(to: router)
    DraftRoutes(service: service).add(to: router)
    PlaceRoutes(service: service).add(to: router)
    TrialRoutes(service: service).add(to: router)
    InstallationRoutes(service: service).add(to: router)
    WhyRoutes(service: service).add(to: router)
    WebhookRoutes(service: service).add(to: router)
    SessionRoutes(service: service).add(to: router)
    PeopleRoutes(service: service).add(to: router)
    if let dashboard { DashboardRoutes(service: service, assets: dashboard).add(to: router) }
    router.get("healthz") { _, _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n"))) }
    router.get("readyz") { _, _ -> Response in
      _ = try await service.storage.read { try $0.generation() }
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ready\n")))
    }
    router.get("metrics") { _, _ -> Response in
      let text = service.metrics.text(gauges: [
        ("plot_server_streams", "Streams that are open on this node.", Int64(service.changes.count)),
        ("plot_server_ingest_waiting", "Requests with events that wait for the database.", Int64(service.queue.count)),
      ])
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    methods.read(router)
    return router
  }

  /// Runs until it is told to stop; `onStart` gets the port.
  public func run(onStart: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: try await running(onStart: onStart))], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger))
    try await group.run()
  }

  /// The node as a service.
  func running(onStart: @escaping @Sendable (Int) async -> Void) async throws -> some ServiceLifecycle.Service {
    Running(application: try await application(onStart: onStart), changes: service.changes)
  }

  /// Ends the streams when it is told to stop: the server waits for each answer, and theirs have no end.
  private struct Running: ServiceLifecycle.Service {
    let application: Application<RouterResponder<ServerContext>>
    let changes: Changes

    func run() async throws {
      try await withGracefulShutdownHandler {
        try await application.run()
      } onGracefulShutdown: {
        changes.finish()
      }
    }
  }

  private func application(onStart: @escaping @Sendable (Int) async -> Void) async throws -> Application<
    RouterResponder<ServerContext>
  > {
    try service.configuration.check()
    try await Schema.migrate(service.storage)
    _ = try await service.directory.refresh()
    let configuration = service.configuration
    var channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [SmallReads()], idleTimeout: .seconds(configuration.idleTimeout))
    channel.httpDecoder = .init(maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
    let plain = HTTPServerBuilder.http1(configuration: channel)
    let builder =
      if let certificate = configuration.certificate, let key = configuration.certificateKey {
        try plain.withTLS(certificate: certificate, key: key)
      } else {
        plain
      }
    var application = Application(
      responder: router().buildResponder(), server: builder,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port), backlog: 1024),
      onServerRunning: { channel in await onStart(channel.localAddress?.port ?? 0) }, logger: logger)
    application.addServices(service.queue, Follower(service: service, logger: logger))
    return application
  }
}

/// Lets a connection begin to read with a small buffer, which grows with what comes: an idle stream keeps the one that its request has come in.
private final class SmallReads: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func handlerAdded(context: ChannelHandlerContext) {
    let buffers = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
    context.channel.setOption(.recvAllocator, value: buffers).assumeIsolated().whenComplete { _ in
      context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
  }
}

/// Follows the database: changes of other nodes and of commands, and publications that are due. Keeps the streams open.
private struct Follower: ServiceLifecycle.Service {
  let service: Service
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await follow() }
        group.addTask {
          // Beside the rest, for the other side may be slow.
          while !Task.isCancelled, service.pusher != nil {
            await service.push(logger)
            try? await Task.sleep(for: .seconds(1))
          }
        }
        group.addTask {
          while !Task.isCancelled, !service.webhooks.hosts.hosts.isEmpty {
            do { try await service.webhooks.run(logger) } catch {
              logger.error("webhooks were not told; it is tried again", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(1))
          }
        }
        group.addTask {
          while !Task.isCancelled, let file = service.auditFile {
            do { try await file.follow(service.storage) } catch {
              logger.error("the file of the audit takes nothing; it is tried again", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(1))
          }
        }
        group.addTask {
          while !Task.isCancelled {
            do { try await Retention.run(service.storage, at: service.now()) } catch {
              logger.error("what is too old was not forgotten; it is tried again", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(3600))
          }
        }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(service.configuration.heartbeat))
            service.changes.beat()
          }
        }
      }
    }
  }

  private func follow() async {
    while !Task.isCancelled {
      await service.storage.waitForAnnouncement(seconds: 5)
      if Task.isCancelled { return }
      do {
        if try await service.publisher.runSchedule() > 0 { service.metrics.count("plot_server_publications_total") }
      } catch {
        logger.error("a scheduled publication was not made; it is tried again", metadata: ["error": "\(error)"])
      }
      await service.follow(logger)
    }
  }
}
