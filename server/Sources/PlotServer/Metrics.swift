internal import Synchronization

/// Counters of the service, as Prometheus reads them (text format 0.0.4).
final class ServerMetrics: Sendable {
  private struct Answered: Hashable {
    var route: String
    var status: Int
  }

  private struct Contents {
    var counters: [String: [String: Double]] = [:]
    var requests: [Answered: Int64] = [:]
    var seconds: [String: (count: Int64, sum: Double, buckets: [Int64])] = [:]
  }

  /// The upper ends of the buckets of durations, in seconds.
  private static let bounds: [Double] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]
  private static let help = [
    "plot_server_requests_total": "Requests that were answered, by route and status.",
    "plot_server_events_total": "Events of devices, by what became of them.",
    "plot_server_publications_total": "Publications that this node has made.",
  ]
  private let contents = Mutex(Contents())

  func count(_ name: String, _ labels: String = "", by number: Double = 1) {
    contents.withLock { $0.counters[name, default: [:]][labels, default: 0] += number }
  }

  func request(route: String, status: Int, seconds: Double) {
    contents.withLock { contents in
      contents.requests[Answered(route: route, status: status), default: 0] += 1
      var duration = contents.seconds[route] ?? (0, 0, [Int64](repeating: 0, count: Self.bounds.count))
      duration.count += 1
      duration.sum += seconds
      if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { duration.buckets[bucket] += 1 }
      contents.seconds[route] = duration
    }
  }

  /// With values of now: name, help, number.
  func text(gauges: [(name: String, help: String, value: Int64)]) -> String {
    let contents = contents.withLock { $0 }
    var lines: [String] = []
    var counters = contents.counters
    for (answered, count) in contents.requests {
      counters["plot_server_requests_total", default: [:]][
        "route=\"\(answered.route)\",status=\"\(answered.status)\""] =
        Double(count)
    }
    for (name, values) in counters.sorted(by: { $0.key < $1.key }) {
      lines += ["# HELP \(name) \(Self.help[name] ?? name)", "# TYPE \(name) counter"]
      for (labels, value) in values.sorted(by: { $0.key < $1.key }) {
        lines.append("\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Int64(value))")
      }
    }
    let name = "plot_server_request_seconds"
    lines += ["# HELP \(name) How long requests took, by route.", "# TYPE \(name) histogram"]
    for (route, duration) in contents.seconds.sorted(by: { $0.key < $1.key }) {
      var below: Int64 = 0
      for (bound, count) in zip(Self.bounds, duration.buckets) {
        below += count
        lines.append("\(name)_bucket{route=\"\(route)\",le=\"\(bound)\"} \(below)")
      }
      lines.append("\(name)_bucket{route=\"\(route)\",le=\"+Inf\"} \(duration.count)")
      lines.append("\(name)_sum{route=\"\(route)\"} \(duration.sum)")
      lines.append("\(name)_count{route=\"\(route)\"} \(duration.count)")
    }
    for (name, help, value) in gauges {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
