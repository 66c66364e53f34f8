internal import PlotCore

/// plotconfig.json by itself.
extension Lint {
  mutating func checkConfiguration() {
    guard configurationReader != nil else { return }
    checkToken()
    checkProperties()
    checkLooseValues()
    checkPermissions()
    checkIdleProperties()
    checkNoise()
  }

  /// Only a note, because an engine that asks no campaign service works without a token. A token that cannot be read
  /// has been reported as an error, so nothing is said about it here.
  private mutating func checkToken() {
    guard let configuration, configuration.publicToken == nil, isRead("/publicToken") else { return }
    report(
      .noPublicToken, .configuration, [.key("publicToken")],
      "There is no publicToken; it is needed only when the engine asks a campaign service.")
  }

  private mutating func checkProperties() {
    guard let reader = configurationReader else { return }
    let parts: [(path: String, known: [String])] = [
      ("", Property.all.map(\.name) + ["engine", JSONReader.schemaKey]),
      ("/engine", Property.engine.map(\.name) + ["capabilities", "beacons"]),
      ("/engine/capabilities", Property.capabilities.map(\.name)), ("/engine/beacons", Property.beacons.map(\.name)),
    ]
    for (path, known) in parts {
      guard let node = reader.value(at: path), node.isObject else { continue }
      let place = path.split(separator: "/").map { PathStep.key(String($0)) }
      for key in reader.keys(node) where !known.contains(key) {
        let isTitanium = path.isEmpty && Property.ofTitanium.contains(key)
        let near = Spelling.nearest(to: key, of: known)
        report(
          .unknownProperty, .configuration, place + [.key(key)],
          isTitanium
            ? "\"\(key)\" is an option of initPlot (Titanium), not of plotconfig.json; it is ignored."
            : "The key \"\(key)\" is unknown; it is ignored.",
          remedy: near.map { "Write \"\($0)\", or leave it out." })
      }
    }
  }

  private mutating func checkLooseValues() {
    guard let reader = configurationReader else { return }
    for property in Property.all {
      guard case .looseBoolean = property.form, let node = reader.value(at: "/" + property.name),
        node.isString, isRead("/" + property.name)
      else { continue }
      report(
        .looseValue, .configuration, [.key(property.name)],
        "\"\(property.name)\" is a string; it is taken as the boolean.")
    }
  }

  private mutating func checkPermissions() {
    guard isTrue("provisionalNotificationPermission"), isFalse("automaticallyAskLocationPermission") else { return }
    report(
      .provisionalPermission, .configuration, [.key("provisionalNotificationPermission")],
      "provisionalNotificationPermission needs automaticallyAskLocationPermission, which is false.")
  }

  private mutating func checkIdleProperties() {
    guard let reader = configurationReader, let configuration else { return }
    if reader.has("/transitionRecognitionActivities"), !isTrue("enableTransitionRecognition") {
      reportIdle(["transitionRecognitionActivities"], "enableTransitionRecognition is not true")
    }
    if isTrue("enableAltBeaconForegroundService"), !isTrue("enableAltBeaconMonitoring") {
      reportIdle(["enableAltBeaconForegroundService"], "enableAltBeaconMonitoring is not true")
    }
    if reader.has("/engine/capabilities/fallback"), isRead("/engine/capabilities"),
      configuration.capabilities.suppress
    {
      reportIdle(["engine", "capabilities", "fallback"], "the host can suppress")
    }
  }

  private mutating func checkNoise() {
    guard let configuration, isRead("/engine/noise"), configurationReader?.has("/engine/noise") == true else { return }
    reportNoise(configuration.noise, .configuration, [.key("engine"), .key("noise")], "the configuration")
  }

  private mutating func reportIdle(_ path: [String], _ why: String) {
    report(
      .idleKey, .configuration, path.map { .key($0) }, "\"\(path.last ?? "")\" has no effect: \(why).")
  }

  private func isTrue(_ key: String) -> Bool { boolean(key) == true }

  private func isFalse(_ key: String) -> Bool { boolean(key) == false }

  private func boolean(_ key: String) -> Bool? {
    guard let reader = configurationReader, let node = reader.value(at: "/" + key) else { return nil }
    if let value = try? reader.boolean(node) { return value }
    return (try? reader.string(node)).flatMap(Bool.init)
  }
}
