// swift-tools-version: 6.2
import PackageDescription

// The rooms of the engine once more, with coverage and the address sanitizer in them, as one library that the programs of Tests/fuzz are
// linked with. Sources/ holds links to the rooms, so that the products themselves carry no flag of this.
let watched: [SwiftSetting] = [
  .unsafeFlags(["-sanitize=fuzzer,address"]), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]
let core: [Target.Dependency] = ["PlotCore", "CPrefetch"]
let files = core + ["PlotFiles"]
let documents = files + ["PlotDocuments"]
let store = documents + ["PlotStore"]
let engine = store + ["PlotSync", "PlotEngine"]

let package = Package(
  name: "fuzz",
  products: [.library(name: "plotfuzz", type: .dynamic, targets: ["PlotEngineC", "FuzzReaders"])],
  targets: [
    .systemLibrary(name: "CJansson", pkgConfig: "jansson"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat"),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CPrefetch"),
    .target(name: "CPlotEngine"),
    .target(name: "PlotCore", dependencies: ["CPrefetch"], swiftSettings: watched),
    .target(name: "PlotFiles", dependencies: core, swiftSettings: watched + lifetimes),
    .target(name: "PlotDocuments", dependencies: files + ["CJansson"], swiftSettings: watched + lifetimes),
    .target(name: "PlotStore", dependencies: documents + ["CSQLite"], swiftSettings: watched),
    .target(name: "PlotSync", dependencies: documents + ["CSodium"], swiftSettings: watched),
    .target(name: "PlotEngine", dependencies: store + ["PlotSync"], swiftSettings: watched),
    .target(
      name: "PlotEngineC", dependencies: engine + ["CPlotEngine"], swiftSettings: watched,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    // The readers that no function of the header leads to: the tool's tracks, and the files of time zones.
    .target(name: "PlotGzip", dependencies: ["CZlib"], swiftSettings: watched),
    .target(name: "PlotTracks", dependencies: engine + ["CExpat", "PlotGzip"], swiftSettings: watched),
    .target(name: "PlotStory", dependencies: engine + ["PlotTracks"], swiftSettings: watched),
    .target(name: "FuzzReaders", dependencies: engine + ["PlotTracks", "PlotStory"], swiftSettings: watched),
  ]
)
