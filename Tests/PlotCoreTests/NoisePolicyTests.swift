import Testing

@testable import PlotCore

@Suite struct NoisePolicyTests {
  /// distance, radius, accuracy, visiting; then the answers of `exact` and of `standard`.
  static let table: [(Double, Double, Double, Bool, NoisePolicy.Answer, NoisePolicy.Answer)] = [
    // A good fix, no visit: the radius decides.
    (0, 200, 0, false, .inside, .inside), (200, 200, 0, false, .inside, .inside),
    (200.001, 200, 0, false, .outside, .outside),
    // How inaccurate a fix may be to begin a visit: 100 m, or the radius when that is more.
    (10, 50, 100, false, .inside, .inside), (10, 50, 100.1, false, .inside, .hold(.accuracy)),
    (10, 500, 500, false, .inside, .inside), (10, 500, 500.1, false, .inside, .hold(.accuracy)),
    (600, 500, 5000, false, .outside, .outside),
    // A visit stays while the fix is inside, however inaccurate.
    (10, 50, 5000, true, .inside, .inside), (50, 50, 0, true, .inside, .inside),
    // A visit ends beyond the margin: at least 20 m.
    (50.1, 50, 0, true, .outside, .hold(.hysteresis)), (70, 50, 0, true, .outside, .hold(.hysteresis)),
    (70.1, 50, 0, true, .outside, .outside),
    // A tenth of the radius.
    (550, 500, 0, true, .outside, .hold(.hysteresis)), (550.1, 500, 0, true, .outside, .outside),
    // The accuracy.
    (130, 50, 80, true, .outside, .hold(.hysteresis)), (130.1, 50, 80, true, .outside, .outside),
    // At most 100 m.
    (5100, 5000, 0, true, .outside, .hold(.hysteresis)), (5100.1, 5000, 0, true, .outside, .outside),
    (600, 500, 300, true, .outside, .hold(.hysteresis)), (600.1, 500, 300, true, .outside, .outside),
    // Too inaccurate to end a visit.
    (9000, 50, 100.1, true, .outside, .hold(.accuracy)), (9000, 50, 100, true, .outside, .outside),
    (9000, 500, 500.1, true, .outside, .hold(.accuracy)), (9000, 500, 500, true, .outside, .outside),
  ]

  @Test func answers() {
    for (distance, radius, accuracy, visiting, exact, standard) in Self.table {
      let text = "\(distance) m of \(radius) m, ± \(accuracy) m, visiting: \(visiting)"
      #expect(
        NoisePolicy.exact.answer(edge: distance - radius, size: radius, accuracy: accuracy, visiting: visiting)
          == exact,
        "exact: \(text)")
      #expect(
        NoisePolicy.gates.answer(edge: distance - radius, size: radius, accuracy: accuracy, visiting: visiting)
          == standard, "default: \(text)")
    }
  }

  @Test func names() {
    #expect(
      NoisePolicy.presets.map(\.name) == [
        "default", "exact", "eager", "balanced", "careful", "walking", "driving", "indoor", "conservative",
      ])
    #expect(InitialPolicy.allCases.map(\.rawValue) == ["none", "enter", "dwellOnly"])
  }

  /// Written out, so that nothing which changes a preset changes these.
  @Test func permanentNamesHaveTheirValues() {
    func policy(
      _ maxAccuracy: Double, enterShare: Double = 0, _ margin: Double, _ maxMargin: Double, _ fixes: Int64,
      _ time: Milliseconds, _ alone: Milliseconds, inside: Milliseconds = 0, outside: Milliseconds = 0,
      maxSpeed: Double? = nil, implied: Double?, lateness: Milliseconds
    ) -> NoisePolicy {
      var policy = NoisePolicy.exact
      policy.maxAccuracy = maxAccuracy
      policy.enterShare = enterShare
      policy.exitShare = 1
      policy.margin = margin
      policy.marginShare = 0.1
      policy.maxMargin = maxMargin
      policy.confirmFixes = fixes
      policy.confirmTime = time
      policy.confirmAlone = alone
      policy.minInside = inside
      policy.minOutside = outside
      policy.maxSpeed = maxSpeed
      policy.maxImpliedSpeed = implied
      policy.maxLateness = lateness
      return policy
    }
    let expected: [(String, NoisePolicy)] = [
      ("default-1", policy(100, 20, 100, 1, 0, 0, implied: nil, lateness: 0)),
      ("walking-1", policy(100, 20, 100, 2, 0, 300_000, implied: 20, lateness: 5000)),
      ("driving-1", policy(100, 40, 100, 3, 10_000, 1_200_000, implied: 70, lateness: 5000)),
      ("indoor-1", policy(50, 10, 50, 3, 20_000, 300_000, outside: 30_000, implied: 10, lateness: 5000)),
      (
        "conservative-1",
        policy(
          100, enterShare: 1, 50, 150, 3, 60_000, 600_000, inside: 30_000, outside: 60_000, maxSpeed: 8, implied: 70,
          lateness: 0)
      ),
    ]
    #expect(NoisePolicy.permanent.map(\.name) == expected.map(\.0))
    for (name, policy) in expected { #expect(NoisePolicy.preset(name) == policy, "\(name)") }
    #expect(NoisePolicy.preset("exact-1") == nil && NoisePolicy.preset("default-2") == nil)
  }

  static let bad: [(String, Fix)] = {
    func fix(
      _ latitude: Double = 0, _ longitude: Double = 0, _ accuracy: Double = 0, _ speed: Double = -1,
      _ course: Double = -1
    ) -> Fix {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      return Fix(time: 0, coordinate: place, accuracy: accuracy, speed: speed, course: course)
    }
    return [
      ("latitude", fix(90.0.nextUp)), ("latitude", fix((-90.0).nextDown)), ("latitude", fix(.nan)),
      ("latitude", fix(.infinity)), ("longitude", fix(0, 180.0.nextUp)), ("longitude", fix(0, (-180.0).nextDown)),
      ("longitude", fix(0, .nan)), ("accuracy", fix(0, 0, -0.001)), ("accuracy", fix(0, 0, .nan)),
      ("accuracy", fix(0, 0, .infinity)), ("speed", fix(0, 0, 0, -1.001)), ("speed", fix(0, 0, 0, .nan)),
      ("speed", fix(0, 0, 0, .infinity)), ("course", fix(0, 0, 0, 0, -1.001)), ("course", fix(0, 0, 0, 0, 360.001)),
      ("course", fix(0, 0, 0, 0, .nan)),
    ]
  }()

  @Test func badFixesAreRefusedAndNamed() {
    for (name, fix) in Self.bad {
      guard case .invalid(let found, _, _) = fix.fault else {
        Issue.record("\(name) of \(fix) is taken")
        continue
      }
      #expect(found == name)
    }
  }

  @Test func extremeFixesAreTaken() {
    for latitude in [-90.0, 0, 90] {
      for longitude in [-180.0, 0, 180] {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(Fix(time: 0, coordinate: place, accuracy: 1e300, speed: 0, course: 360).fault == nil)
        #expect(Fix(time: 0, coordinate: place).fault == nil)
      }
    }
  }

  @Test func aFaultSaysWhatWasExpectedAndFound() {
    let fix = Fix(time: 0, coordinate: Coordinate(latitude: 91, longitude: 0))
    #expect(fix.fault == .invalid(name: "latitude", expected: "a number from -90 to 90", found: "91.0"))
  }
}
