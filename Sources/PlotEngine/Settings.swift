internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

extension Machine.Settings {
  /// The settings of a configuration; the host's part is still to come.
  init(_ configuration: Configuration) {
    self.init()
    sharedNoise = configuration.sharedNoise
    initial = configuration.initial
    initialOnUpdate = configuration.initialOnUpdate
    recordsInitial = configuration.recordsInitial
    beacons = configuration.beacons
    proof = configuration.proof
    maxAhead = configuration.maxAhead == 0 ? nil : configuration.maxAhead * 1000
    regionBudget = configuration.maxRegionsMonitored
    filterDeadline = configuration.filterDeadline * 1000
    filterFallback = configuration.filterFallback
    filterRecovery = configuration.filterRecovery
    filterAtEnter = configuration.filterAtEnter
    geotriggersKeepCooldown = configuration.geotriggersKeepCooldown
    attachmentFolder = configuration.attachmentFolder
    inspect = FileInspection { FileFacts.of($0) }
    canSuppress = configuration.capabilities.suppress
    canRemove = configuration.capabilities.removeDelivered
    suppressFallback = configuration.capabilities.fallback
    messageDeadline = configuration.capabilities.messageDeadline.map { $0 * 1000 }
  }
}
