internal import PlotCore
internal import PlotFiles

/// Reads a feed without a fault, and does so fast: element by element, so that there is only a small tree at a time. What is unusual or has a
/// fault is left to `FeedReader`, which reads the whole text as one tree and says where the fault is.
struct FeedTrial {
  private let bytes: [UInt8]
  private let reader = JSONReader(trial: ())
  private let elements: FeedReader
  private var position = 0
  private var regions: [Region] = []
  private var campaigns: [Campaign] = []
  private var categories: [PlotCore.Category] = []
  private var regionPositions: [Identifier: Int] = [:]
  private var campaignPositions: [Identifier: Int] = [:]
  private var hasGroups = false
  /// Whether a campaign names a category: then it is read again when all of them are known.
  private var namesCategories = false
  /// The text between the brackets of the two lists.
  private var regionRange: Range<Int>?
  private var campaignRange: Range<Int>?

  init(_ bytes: [UInt8], toleratesUnknownZones: Bool, zones: any ZoneSource, _ names: NoisePolicy.Names) {
    self.bytes = bytes
    elements = FeedReader(reader, toleratesUnknownZones: toleratesUnknownZones, zones: zones, names)
  }

  /// Nil when the text must be read the other way.
  mutating func feed(digest: String) -> Feed? {
    guard walk(), let regionRange, let campaignRange,
      regionRange.upperBound <= campaignRange.lowerBound
    else { return nil }
    // All but the lists is a small feed of its own, which is as good as the whole.
    let frame =
      Array(bytes[..<regionRange.lowerBound]) + bytes[regionRange.upperBound..<campaignRange.lowerBound]
      + bytes[campaignRange.upperBound...]
    do throws(DocumentError) {
      let outer = FeedReader(
        try JSONReader(frame, nullIsAbsent: false), toleratesUnknownZones: elements.toleratesUnknownZones,
        zones: elements.zones, elements.names)
      let shell = try outer.feed(digest: digest)
      categories = shell.categories
      if namesCategories, !categories.isEmpty {
        campaigns = []
        campaignPositions = [:]
        position = campaignRange.lowerBound
        guard readCampaigns() else { return nil }
      }
      return Feed(
        revision: shell.revision, regions: FeedList(regions, positions: regionPositions),
        campaigns: FeedList(campaigns, positions: campaignPositions), settings: shell.settings,
        categories: categories, digest: digest)
    } catch {
      return nil
    }
  }

  // MARK: The outermost object

  private mutating func walk() -> Bool {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { return false }
    repeat {
      skipSpace()
      guard let key = key() else { return false }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return false }
      skipSpace()
      if key == Array("regions".utf8) {
        guard regionRange == nil, take(UInt8(ascii: "[")) else { return false }
        let start = position
        guard readRegions() else { return false }
        regionRange = start..<position
        position += 1
      } else if key == Array("campaigns".utf8) {
        guard regionRange != nil, campaignRange == nil, take(UInt8(ascii: "[")) else { return false }
        let start = position
        guard readCampaigns() else { return false }
        campaignRange = start..<position
        position += 1
      } else {
        skipValue()
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { return false }
    skipSpace()
    return position == bytes.count
  }

  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// A key without escapes.
  private mutating func key() -> [UInt8]? {
    guard take(0x22) else { return nil }
    let start = position
    while position < bytes.count, byte != 0x22 {
      if byte == 0x5C { return nil }
      position += 1
    }
    let key = Array(bytes[start..<position])
    return take(0x22) ? key : nil
  }

  private mutating func skipValue() {
    var walker = JSONPath.Walker(text: bytes, position: position)
    walker.skipValue()
    position = min(walker.position, bytes.count)
  }

  // MARK: Lists

  private mutating func readRegions() -> Bool {
    let isGood = list { (trial, node) throws(DocumentError) in
      let region = try trial.elements.region(node)
      try trial.elements.claim(region.id, trial.regions.count, &trial.regionPositions)
      trial.hasGroups = trial.hasGroups || region.shape.isGroup
      trial.regions.append(region)
    } expect: { trial, count in
      // The other half is campaigns.
      trial.regions.reserveCapacity(count / 2)
      trial.regionPositions.reserveCapacity(count / 2)
    }
    return isGood && (!hasGroups || FeedReader.placeGroups(&regions, regionPositions))
  }

  private mutating func readCampaigns() -> Bool {
    list { (trial, node) throws(DocumentError) in
      let positions = trial.regionPositions
      let campaign = try trial.elements.campaign(node, { positions[$0] }, trial.categories)
      try trial.elements.claim(campaign.id, trial.campaigns.count, &trial.campaignPositions)
      trial.namesCategories = trial.namesCategories || campaign.category != nil
      trial.campaigns.append(campaign)
    } expect: { trial, count in
      trial.campaigns.reserveCapacity(count)
      trial.campaignPositions.reserveCapacity(count)
    }
  }

  /// Gives `body` each object of the list that begins here, up to its closing bracket.
  private mutating func list(
    _ body: (inout FeedTrial, Node) throws(DocumentError) -> Void,
    expect: (inout FeedTrial, Int) -> Void
  ) -> Bool {
    skipSpace()
    if byte == UInt8(ascii: "]") { return true }
    let start = position
    let reader = reader
    var count = 0
    while true {
      guard byte == UInt8(ascii: "{"), count < Feed.countLimit, let length = next() else { return false }
      do throws(DocumentError) { try body(&self, reader.root) } catch { return false }
      position += length
      count += 1
      if count == 100 {
        // As many as fit when the others are as long, and a few more.
        expect(&self, min(Feed.countLimit, (bytes.count - start) / ((position - start) / 100) + 100))
      }
      skipSpace()
      guard take(UInt8(ascii: ",")) else { return byte == UInt8(ascii: "]") }
      skipSpace()
    }
  }

  /// Has the reader take the value that begins here; gives its length.
  private func next() -> Int? {
    reader.takeElement(bytes.span.extracting(droppingFirst: position), depth: 2)
  }
}
