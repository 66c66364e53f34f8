// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// A package of its own, so that a build of the library fetches no network stack. Feeds are read, checked and compiled by the engine's own
// modules, in this process.
let package = Package(
  name: "plot-server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "plot-server", targets: ["plot-server"])],
  traits: [
    .trait(
      name: "TLS",
      description:
        "HTTPS by the server itself. Its C and C++ are two fifths of all that is built; without it, a proxy speaks TLS."
    ),
    .default(enabledTraits: ["TLS"]),
  ],
  dependencies: [
    .package(name: "plotengine", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // SQL on one of two databases, and what the service keeps there.
    .target(
      name: "PlotServerStorage",
      dependencies: [
        "CPostgres", .product(name: "PlotCore", package: "plotengine"),
        .product(name: "PlotDocuments", package: "plotengine"),
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    // The service: publication, delivery of feeds, events.
    .target(
      name: "PlotServer",
      dependencies: [
        "PlotServerStorage", .product(name: "CSodium", package: "plotengine"),
        .product(name: "PlotCore", package: "plotengine"), .product(name: "PlotSync", package: "plotengine"),
        .product(name: "PlotDocuments", package: "plotengine"), .product(name: "PlotGzip", package: "plotengine"),
        .product(name: "PlotEngine", package: "plotengine"), .product(name: "PlotTracks", package: "plotengine"),
        .product(name: "PlotEngineKit", package: "plotengine"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["TLS"])),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "plot-server",
      dependencies: [
        "PlotServer", "PlotServerStorage", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "PlotCore", package: "plotengine"), .product(name: "PlotDocuments", package: "plotengine"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlotServerTests",
      dependencies: [
        "PlotServer", "PlotServerStorage", .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "PlotSync", package: "plotengine"), .product(name: "PlotGzip", package: "plotengine"),
        .product(name: "PlotCore", package: "plotengine"), .product(name: "PlotDocuments", package: "plotengine"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ], swiftSettings: strict),
  ]
)
