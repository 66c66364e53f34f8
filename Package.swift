// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "plotengine",
  products: [
    .library(name: "plotengine", type: .dynamic, targets: ["PlotEngineC"]),
    .executable(name: "plot", targets: ["plot"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CPlotEngine"),
    .target(name: "PlotCore", swiftSettings: strict),
    .target(name: "PlotDocuments", dependencies: ["PlotCore", "CJansson"], swiftSettings: strict),
    .target(name: "PlotStore", dependencies: ["PlotCore", "PlotDocuments", "CSQLite"], swiftSettings: strict),
    .target(name: "PlotEngine", dependencies: ["PlotCore", "PlotDocuments", "PlotStore"], swiftSettings: strict),
    .target(
      name: "PlotEngineC", dependencies: ["PlotEngine", "CPlotEngine"], swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags([
          "-use-ld=lld", "-Xlinker", "--version-script=scripts/exports.map", "-Xlinker", "-soname=libplotengine.so.0",
          "-Xlinker", "-z", "-Xlinker", "nodelete",
        ])
      ]),
    .executableTarget(
      name: "plot",
      dependencies: ["PlotEngine", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .testTarget(name: "PlotCoreTests", dependencies: ["PlotCore"]),
    .testTarget(name: "PlotDocumentsTests", dependencies: ["PlotDocuments"]),
    .testTarget(name: "PlotStoreTests", dependencies: ["PlotStore"]),
    .testTarget(name: "CSurfaceTests", dependencies: ["PlotEngineC", "CPlotEngine"]),
    .testTarget(name: "PlotToolTests", dependencies: ["plot"]),
  ]
)
