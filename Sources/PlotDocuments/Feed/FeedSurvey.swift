internal import PlotCore

/// A feed as far as it can be read: what has a fault is left out, and everything keeps its number in the document.
struct FeedSurvey {
  /// How many faults are noted; with the last one, reading ends.
  let faultLimit: Int
  /// Nil where one was left out. Campaigns name them by these numbers, also those that were left out.
  var regions: [Region?] = []
  var campaigns: [Campaign?] = []
  var revision: String?
  var categories: [PlotCore.Category] = []
  var settings = FeedSettings()
  var faults: [DocumentError] = []
  /// Every text in what was left out: what it names is not unused, and who names it is not wrong.
  var leftOut: Set<String> = []
  /// Where the first region, and the first campaign, of an id is.
  var positions: [Identifier: Int] = [:]
  var campaignPositions: [Identifier: Int] = [:]

  var isFull: Bool { faults.count >= faultLimit }

  init(faultLimit: Int) { self.faultLimit = faultLimit }

  /// Whether all ids of regions are known; without that, it is not known which names are wrong.
  var knowsAllIds: Bool {
    let known = Set(positions.values)
    return regions.indices.allSatisfy { index in
      regions[index] != nil || known.contains(index)
        || faults.contains { $0.kind == .duplicate && $0.pointer == "/regions/\(index)/id" }
    }
  }

  mutating func note(_ fault: DocumentError) {
    if !isFull { faults.append(fault) }
  }
}

extension FeedReader {
  /// The document, part by part, in the order in which the parts need one another. This is the one reader of a feed as a whole: a feed that is
  /// to be taken ends it at the first fault, the lint at a later one.
  func survey(faultLimit: Int) -> FeedSurvey {
    var survey = FeedSurvey(faultLimit: faultLimit)
    let root: Node
    do throws(DocumentError) {
      root = try reader.object(reader.root, Self.form)
    } catch {
      survey.note(error)
      return survey
    }
    tolerate(&survey, Self.firstKey) { () throws(DocumentError) in
      try reader.refuseUnknown(root, DocumentKeys.feed, of: "a feed", allowsSchema: true)
    }
    tolerate(&survey, Self.nothing) { () throws(DocumentError) in
      try reader.required(root, "version", "the integer 1") { (node) throws(DocumentError) in
        guard (try? reader.integer(node, 1...1)) != nil else { throw reader.mismatch(node, "the integer 1") }
      }
    }
    var revision: String?
    tolerate(&survey, Self.nothing) { () throws(DocumentError) in
      revision = try reader.member(root, "revision") { (node) throws(DocumentError) in try reader.string(node) }
    }
    survey.revision = revision
    surveyRegions(root, &survey)
    var categories: [PlotCore.Category] = []
    tolerate(&survey, Self.elementUnit) { () throws(DocumentError) in
      categories = try self.categories(root)
    }
    survey.categories = categories
    surveyCampaigns(root, &survey)
    var read: FeedSettings?
    tolerate(&survey, Self.settingsUnit) { () throws(DocumentError) in
      read = try reader.member(root, "settings") { (node) throws(DocumentError) in try self.settings(node) }
    }
    if let read { survey.settings = read }
    var lists: [SuppliedList] = []
    tolerate(&survey, Self.elementUnit) { () throws(DocumentError) in lists = try self.lists(root) }
    survey.settings.messages.lists = lists
    return survey
  }

  // MARK: Parts

  private func surveyRegions(_ root: Node, _ survey: inout FeedSurvey) {
    guard !survey.isFull else { return }
    do throws(DocumentError) {
      _ = try reader.required(root, "regions", "an array of regions") { (node) throws(DocumentError) in
        _ = try reader.array(node, "an array of regions", most: Feed.countLimit) {
          (node, index) throws(DocumentError) in
          do throws(DocumentError) {
            let region = try region(node)
            try claim(region.id, index, &survey.positions)
            survey.regions.append(region)
          } catch {
            try goOn(after: error, at: node, &survey)
            if let id = rawId(node), survey.positions[id] == nil { survey.positions[id] = index }
            survey.regions.append(nil)
          }
        }
        guard survey.regions.contains(where: { $0?.shape.isGroup == true }) else { return }
        // Groups, now that all regions are known.
        _ = try reader.array(node, "an array of regions", most: Feed.countLimit) {
          (node, index) throws(DocumentError) in
          guard case .group(let group)? = survey.regions[index]?.shape else { return }
          do throws(DocumentError) {
            try checkMembers(group, node, survey)
          } catch {
            survey.regions[index] = nil
            try goOn(after: error, at: node, &survey)
          }
        }
      }
    } catch {
      survey.note(error)
    }
  }

  private func checkMembers(_ group: Group, _ object: Node, _ survey: FeedSurvey) throws(DocumentError) {
    _ = try reader.member(object, "regions") { (node) throws(DocumentError) in
      try reader.array(node, "an array of region ids") { (node, index) throws(DocumentError) in
        guard let position = survey.positions[group.members[index]], survey.regions[position]?.shape.isGroup != true
        else { throw reader.mismatch(node, "the id of a geofence or a beacon of this feed", .unknownRegion) }
      }
    }
  }

  private func surveyCampaigns(_ root: Node, _ survey: inout FeedSurvey) {
    guard !survey.isFull else { return }
    let (positions, categories, isSure) = (survey.positions, survey.categories, survey.knowsAllIds)
    do throws(DocumentError) {
      _ = try reader.required(root, "campaigns", "an array of campaigns") { (node) throws(DocumentError) in
        try reader.array(node, "an array of campaigns", most: Feed.countLimit) {
          (node, index) throws(DocumentError) in
          do throws(DocumentError) {
            let campaign = try campaign(node, { positions[$0] }, categories)
            try claim(campaign.id, index, &survey.campaignPositions)
            survey.campaigns.append(campaign)
          } catch {
            try goOn(after: isSure || error.kind != .unknownRegion ? error : nil, at: node, &survey)
            if let id = rawId(node), survey.campaignPositions[id] == nil { survey.campaignPositions[id] = index }
            survey.campaigns.append(nil)
          }
        }
      }
    } catch {
      survey.note(error)
    }
  }

  // MARK: Going on

  /// Runs `body` until it has no fault, each time without the part that had one; `unit` gives that part's pointer,
  /// nil to stop.
  private func tolerate(
    _ survey: inout FeedSurvey, _ unit: (String) -> String?, _ body: () throws(DocumentError) -> Void
  ) {
    while !survey.isFull {
      do throws(DocumentError) { return try body() } catch {
        survey.note(error)
        guard let part = unit(error.pointer), !reader.skipped.contains(part) else { return }
        collect(reader.value(at: part), &survey.leftOut)
        reader.skipped.insert(part)
      }
    }
  }

  /// Notes the fault of an element, which is left out; throws it when it is the last that is noted.
  private func goOn(
    after fault: DocumentError?, at node: Node, _ survey: inout FeedSurvey
  ) throws(DocumentError) {
    if let fault {
      survey.note(fault)
      if survey.isFull { throw fault }
    }
    collect(node, &survey.leftOut)
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

  /// Of an array of objects: the object with the fault, or the whole.
  private static func elementUnit(_ pointer: String) -> String? {
    unit(pointer, depth: 2) ?? unit(pointer, depth: 1)
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
