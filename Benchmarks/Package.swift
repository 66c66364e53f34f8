// swift-tools-version: 6.2
import PackageDescription

// Only what must be in Swift: the bare index behind four C functions. The programs beside it are C and C++; run.py builds them.
let package = Package(
  name: "benchmarks",
  products: [.library(name: "BenchIndex", type: .dynamic, targets: ["BenchIndex"])],
  dependencies: [.package(name: "plotengine", path: "..")],
  targets: [
    .target(
      name: "BenchIndex", dependencies: [.product(name: "PlotCore", package: "plotengine")],
      swiftSettings: [
        .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ])
  ]
)
