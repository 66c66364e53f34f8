internal import PlotCore

/// A feed as far as it can be read: what has a fault is left out, and everything keeps its number in the document.
struct FeedSurvey {
  /// Nil where one was left out. Campaigns name them by these numbers, also those that were left out.
  var regions: [Region?] = []
  var campaigns: [Campaign?] = []
  var categories: [PlotCore.Category] = []
  var settings = FeedSettings()
  var faults: [DocumentError] = []
  /// Every text in what was left out: what it names is not unused, and who names it is not wrong.
  var leftOut: Set<String> = []
  var positions: [Identifier: Int] = [:]

  static let faultLimit = 1000

  mutating func tell(_ fault: DocumentError) {
    if faults.count < Self.faultLimit { faults.append(fault) }
  }
}

extension FeedReader {
  /// Reads on after a fault.
  func survey() -> FeedSurvey {
    var survey = FeedSurvey()
    let root: Node
    do throws(DocumentError) {
      root = try reader.object(reader.root, Self.form)
    } catch {
      survey.tell(error)
      return survey
    }
    tolerate(&survey, Self.firstKey) { () throws(DocumentError) in
      try refuseUnknownKeys(root)
    }
    tolerate(&survey, Self.nothing) { () throws(DocumentError) in
      try checkVersion(root)
    }
    tolerate(&survey, Self.nothing) { () throws(DocumentError) in
      _ = try reader.member(root, "revision") { (node) throws(DocumentError) in try reader.string(node) }
    }
    surveyRegions(root, &survey)
    var categories: [PlotCore.Category] = []
    tolerate(&survey, Self.categoryUnit) { () throws(DocumentError) in
      categories = try self.categories(root)
    }
    survey.categories = categories
    surveyCampaigns(root, &survey)
    var read = FeedSettings()
    tolerate(&survey, Self.settingsUnit) { () throws(DocumentError) in
      if let settings = try reader.member(
        root, "settings", { (node) throws(DocumentError) in try self.settings(node) })
      {
        read = settings
      }
    }
    survey.settings = read
    return survey
  }

  // MARK: Parts

  private func surveyRegions(_ root: Node, _ survey: inout FeedSurvey) {
    var regions: [Region?] = []
    var positions: [Identifier: Int] = [:]
    var leftOut: Set<String> = []
    var faults: [DocumentError] = []
    do throws(DocumentError) {
      _ = try reader.required(root, "regions", "an array of regions") { (node) throws(DocumentError) in
        _ = try reader.array(node, "an array of regions", most: Feed.countLimit) {
          (node, index) throws(DocumentError) in
          do throws(DocumentError) {
            let region = try region(node)
            if let first = positions[region.id] { throw try claimed(region.id, first) }
            positions[region.id] = index
            regions.append(region)
          } catch {
            faults.append(error)
            if let id = rawId(node), positions[id] == nil { positions[id] = index }
            collect(node, &leftOut)
            regions.append(nil)
          }
        }
        // Groups, now that all regions are known.
        for (index, region) in regions.enumerated() {
          guard case .group(let group)? = region?.shape,
            let wrong = group.members.firstIndex(where: { member in
              guard let position = positions[member] else { return true }
              return regions[position]?.shape.isGroup == true
            })
          else { continue }
          faults.append(
            try reader.within(.index(index)) { () throws(DocumentError) in
              try reader.within(.key("regions")) { () throws(DocumentError) in
                try reader.within(.index(wrong)) { () throws(DocumentError) -> DocumentError in
                  reader.fail(
                    expected: "the id of a geofence or a beacon of this feed",
                    found: "the string \"\(group.members[wrong].text)\"", .unknownRegion)
                }
              }
            })
          for member in group.members { leftOut.insert(member.text) }
          leftOut.insert(region?.id.text ?? "")
          regions[index] = nil
        }
      }
    } catch {
      faults.append(error)
    }
    survey.regions = regions
    survey.positions = positions
    survey.leftOut.formUnion(leftOut)
    for fault in faults { survey.tell(fault) }
  }

  private func surveyCampaigns(_ root: Node, _ survey: inout FeedSurvey) {
    var campaigns: [Campaign?] = []
    var leftOut: Set<String> = []
    var faults: [DocumentError] = []
    var ids: [Identifier: Int] = [:]
    let (positions, categories) = (survey.positions, survey.categories)
    // With a region whose id cannot be read, it is not known which names are wrong.
    let isSure = !zip(survey.regions.indices, survey.regions).contains { index, region in
      region == nil && !positions.values.contains(index) && !survey.faults.contains { $0.isDuplicate(index) }
    }
    do throws(DocumentError) {
      _ = try reader.required(root, "campaigns", "an array of campaigns") { (node) throws(DocumentError) in
        try reader.array(node, "an array of campaigns", most: Feed.countLimit) {
          (node, index) throws(DocumentError) in
          do throws(DocumentError) {
            let campaign = try campaign(node, { positions[$0] }, categories)
            if let first = ids[campaign.id] { throw try claimed(campaign.id, first) }
            ids[campaign.id] = index
            campaigns.append(campaign)
          } catch {
            if isSure || error.code != .unknownRegion { faults.append(error) }
            if let id = rawId(node), ids[id] == nil { ids[id] = index }
            collect(node, &leftOut)
            campaigns.append(nil)
          }
        }
      }
    } catch {
      faults.append(error)
    }
    survey.campaigns = campaigns
    survey.leftOut.formUnion(leftOut)
    for fault in faults { survey.tell(fault) }
  }

  // MARK: Going on

  /// Runs `body` until it has no fault, each time without the part that had one; `unit` gives that part's pointer,
  /// nil to stop.
  private func tolerate(
    _ survey: inout FeedSurvey, _ unit: (String) -> String?, _ body: () throws(DocumentError) -> Void
  ) {
    while true {
      do throws(DocumentError) { return try body() } catch {
        survey.tell(error)
        guard let part = unit(error.pointer), !reader.skipped.contains(part) else { return }
        collect(reader.value(at: part), &survey.leftOut)
        reader.skipped.insert(part)
      }
    }
  }

  private func rawId(_ node: Node) -> Identifier? {
    guard node.isObject else { return nil }
    let id = try? reader.member(node, "id") { (node) throws(DocumentError) in try reader.string(node) }
    return id.flatMap { $0 }.map(Identifier.init)
  }

  /// Every string in a value.
  private func collect(_ node: Node?, _ found: inout Set<String>) {
    guard let node else { return }
    for text in reader.strings(in: node) { found.insert(text) }
  }

  /// The first steps of a pointer.
  private static func unit(_ pointer: String, depth: Int) -> String? {
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false)
    return steps.count > depth ? steps.prefix(depth + 1).joined(separator: "/") : nil
  }

  private static func firstKey(_ pointer: String) -> String? { unit(pointer, depth: 1) }

  private static func nothing(_ pointer: String) -> String? { nil }

  private static func categoryUnit(_ pointer: String) -> String? {
    unit(pointer, depth: pointer.hasPrefix("/categories/") ? 2 : 1)
  }

  private static func settingsUnit(_ pointer: String) -> String? {
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard steps.count > 1 else { return nil }
    func isElement(_ position: Int) -> Bool { steps.count > position && Int(steps[position]) != nil }
    guard steps.count > 2 else { return pointer }
    switch steps[2] {
    case "strategies", "caps", "coalescing", "quietHours": return unit(pointer, depth: isElement(3) ? 3 : 2)
    case "messages" where steps.count > 3: return unit(pointer, depth: steps[3] == "rules" && isElement(4) ? 4 : 3)
    default: return unit(pointer, depth: 2)
    }
  }
}

extension DocumentError {
  fileprivate func isDuplicate(_ index: Int) -> Bool { code == .duplicateId && pointer == "/regions/\(index)/id" }

  /// Which finding a fault is.
  var code: LintCode {
    switch kind {
    case .value, .unknownWord: .invalidValue
    case .missingKey: .missingKey
    case .unknownKey: .unknownKey
    case .duplicate: .duplicateId
    case .unknownRegion: .unknownRegion
    case .noRegions: .noRegions
    case .endBeforeStart: .contradictoryWindow
    }
  }
}
