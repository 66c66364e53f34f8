// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// For types that cannot be kept longer than what they are a part of (`~Escapable`).
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

// For rooms that no fix goes through, where the library is built for an app (`make build`): half a megabyte less, and a feed takes a twelfth longer
// to read (docs/performance.md). It is an unsafe flag, so a Swift app that names the package by URL does without.
let small: [SwiftSetting] =
  Context.environment["PLOTENGINE_SMALL"] == nil ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// Every room below is named, also where one would bring the next: a target is rebuilt only when a module that it names has changed,
// and the layout of a value may come from further down.
let core: [Target.Dependency] = ["PlotCore", "CPrefetch"]
let files = core + ["PlotFiles"]
let documents = files + ["PlotDocuments"]
let store = documents + ["PlotStore"]
let sync = documents + ["PlotSync"]
let engine = store + ["PlotSync", "PlotEngine"]
let kit = engine + ["PlotEngineKit"]
let testing: [Target.Dependency] = ["PlotTesting"]

let package = Package(
  name: "plotengine",
  products: [
    .library(name: "plotengine", type: .dynamic, targets: ["PlotEngineC"]),
    .executable(name: "plot", targets: ["plot"]),
    // For Swift apps, which name the package by URL: no unsafe flag is behind these two.
    .library(name: "PlotEngineKit", targets: ["PlotEngineKit"]),
    .library(name: "PlotSDK", targets: ["PlotSDK"]),
    // For the benchmarks, which measure the bare index; nothing else of it is promised.
    .library(name: "PlotCore", targets: ["PlotCore"]),
    // For the campaign service (server/), which reads, checks and compiles feeds, and replays recordings; nothing else of them is promised.
    .library(name: "PlotDocuments", targets: ["PlotDocuments"]),
    .library(name: "PlotEngine", targets: ["PlotEngine"]),
    .library(name: "PlotTracks", targets: ["PlotTracks"]),
    .library(name: "PlotGzip", targets: ["PlotGzip"]),
    .library(name: "CSodium", targets: ["CSodium"]),
    .library(name: "PlotSync", targets: ["PlotSync"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CPrefetch"),
    .target(name: "CPlotEngine"),
    .target(name: "PlotCore", dependencies: ["CPrefetch"], swiftSettings: strict),
    // Files, mappings of files and time zones.
    .target(name: "PlotFiles", dependencies: core, swiftSettings: strict + lifetimes),
    .target(
      name: "PlotDocuments", dependencies: files + ["CJansson"],
      swiftSettings: strict + lifetimes + small),
    .target(name: "PlotStore", dependencies: documents + ["CSQLite"], swiftSettings: strict),
    // The state machine between an engine and a campaign service.
    .target(name: "PlotSync", dependencies: documents + ["CSodium"], swiftSettings: strict + small),
    .target(name: "PlotEngine", dependencies: store + ["PlotSync"], swiftSettings: strict),
    .target(name: "PlotEngineKit", dependencies: engine, swiftSettings: strict),
    .target(name: "PlotSDK", dependencies: ["PlotEngineKit"], swiftSettings: strict),
    .target(
      name: "PlotEngineC", dependencies: engine + ["CPlotEngine"], swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags([
          "-use-ld=lld", "-Xlinker", "--version-script=scripts/exports.map", "-Xlinker", "-soname=libplotengine.so.0",
          "-Xlinker", "-z", "-Xlinker", "nodelete",
          // Functions with the same code are one. Nothing compares their addresses.
          "-Xlinker", "--icf=all",
          // The functions of a crossing side by side (scripts/link_order.py).
          "-Xlinker", "--symbol-ordering-file=scripts/link-order.txt", "-Xlinker", "--no-warn-symbol-ordering",
        ])
      ]),
    // `plot run`, the engine's host on Linux.
    .target(name: "CRunLibraries"),
    .target(
      name: "PlotRun", dependencies: kit + ["CRunLibraries"],
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    .target(name: "PlotGzip", dependencies: ["CZlib"], swiftSettings: strict),
    // Readers of what people have: tracks, and other observations of a device.
    .target(name: "PlotTracks", dependencies: engine + ["CExpat", "PlotGzip"], swiftSettings: strict),
    // Maps and stories of what has happened.
    .target(name: "PlotStory", dependencies: engine + ["PlotTracks"], swiftSettings: strict),
    .executableTarget(
      name: "plot",
      dependencies: kit + [
        "PlotTracks", "PlotStory", "CZlib", .target(name: "PlotRun", condition: .when(platforms: [.linux])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // What `plot studio` and the service's dashboard share.
      resources: [.embedInCode("shape.mjs")],
      swiftSettings: strict),
    // What the tests share. No product has it; a release build of the whole package compiles it, so it sees only what other modules see.
    .target(name: "PlotTesting", dependencies: documents, path: "Tests/PlotTesting", swiftSettings: strict),
    .testTarget(name: "PlotCoreTests", dependencies: documents + testing),
    .testTarget(name: "PlotDocumentsTests", dependencies: documents + testing),
    .testTarget(name: "PlotStoreTests", dependencies: store + testing),
    .testTarget(name: "PlotEngineTests", dependencies: engine + testing),
    .testTarget(name: "PlotEngineKitTests", dependencies: ["PlotEngineKit"] + testing),
    .testTarget(name: "PlotSDKTests", dependencies: kit + testing + ["PlotSDK", "PlotTracks", "PlotStory", "plot"]),
    .testTarget(name: "PlotSyncTests", dependencies: sync + testing),
    .testTarget(name: "CSurfaceTests", dependencies: engine + testing + ["PlotEngineC", "CPlotEngine"]),
    .testTarget(name: "PlotTracksTests", dependencies: engine + testing + ["PlotTracks", "PlotGzip"]),
    .testTarget(name: "PlotStoryTests", dependencies: kit + testing + ["PlotTracks", "PlotStory"]),
    .testTarget(name: "PlotToolTests", dependencies: kit + testing + ["PlotTracks", "PlotStory", "plot"]),
    .testTarget(name: "PlotRunTests", dependencies: kit + testing + ["PlotRun"]),
  ]
)
