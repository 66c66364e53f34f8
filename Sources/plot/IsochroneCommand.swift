#if os(Linux)
  internal import ArgumentParser
  import FoundationEssentials
  internal import PlotCore
  internal import PlotDocuments
  internal import PlotRun
  internal import PlotTracks

  struct IsochroneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "isochrone",
      abstract: "Replace the circles of a feed by the areas from which they are reached in time.",
      discussion: """
        Writes the feed to standard output, with an area for each circle and each number of minutes. The areas come from Valhalla: a service \
        (http://127.0.0.1:8002) or its program valhalla_service with its configuration. The map that Valhalla has must hold the places.
        """)

    @Argument(help: "A campaign feed.", completion: .file())
    var feed: String

    @Option(help: "The URL of a Valhalla service, or the program valhalla_service.", completion: .file())
    var valhalla: String

    @Option(help: "The configuration of the program valhalla_service.", completion: .file(extensions: ["json"]))
    var valhallaConfig: String?

    @Option(help: "How one goes.")
    var mode = TravelTime.Mode.pedestrian

    @Option(help: "Numbers of minutes, 1 to 120, as 5,10.")
    var minutes: String

    @OptionGroup var quiet: QuietOption

    private var isService: Bool { valhalla.hasPrefix("http://") || valhalla.hasPrefix("https://") }

    func validate() throws {
      _ = try numbers()
      if isService, valhallaConfig != nil { throw ValidationError("--valhalla-config: a service has its own") }
      if !isService, valhallaConfig == nil {
        throw ValidationError("--valhalla: expected a URL, or a program with --valhalla-config, found \(valhalla)")
      }
    }

    func run() throws {
      let read = try InputFault.of(feed) { try Feed.open(path: feed) }
      let isochrones = Isochrones(mode: mode, minutes: try numbers())
      let circles = read.regions.count { if case .circle = $0.shape { !$0.isMoving } else { false } }
      guard circles > 0 else { throw InputFault("\(feed): it has no circle that an isochrone could replace") }
      let requests = circles * ((isochrones.minutes.count + Isochrones.mostContours - 1) / Isochrones.mostContours)
      var (bar, done) = (ProgressBar(total: requests, unit: "requests", quiet: quiet.isOn), 0)
      let made: Feed
      do {
        made = try isochrones.feed(read) { request in
          defer {
            done += 1
            bar.update(done)
          }
          return try ChildProgram.output(of: words(request), isSilent: !isService)
        }
      } catch let fault as Isochrones.Fault {
        throw InputFault("\(feed): \(fault.description)")
      } catch let fault as SystemFault {
        throw InputFault(fault.description)
      }
      bar.finish()
      try Output.line(made.json)
    }

    private func numbers() throws -> [Int64] {
      try minutes.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let number = Int64(word), Isochrones.range.contains(number) else {
          throw ValidationError("--minutes: expected numbers from 1 to 120, as 5,10, found \(minutes)")
        }
        return number
      }
    }

    private func words(_ request: String) -> [String] {
      guard isService else { return [valhalla, valhallaConfig ?? "", "isochrone", request] }
      let url = (valhalla.hasSuffix("/") ? String(valhalla.dropLast()) : valhalla) + "/isochrone"
      return [
        "curl", "--silent", "--show-error", "--max-time", "120", "--header", "Content-Type: application/json", "--data",
        request, url,
      ]
    }
  }
#endif
