public import PlotCore
public import PlotDocuments
public import PlotFiles

/// A store as bytes: what a recording begins with (docs/recording.md).
extension Store {
  /// The file's contents, with all that was written, and with 0 in the place of the log's seed, which is random: the same life gives the
  /// same bytes.
  /// `page` is what the machine goes on from beside it.
  public func image(page: Page? = nil) throws(StoreError) -> [UInt8] {
    try fold()
    try database.run("BEGIN IMMEDIATE")
    defer { try? database.run("ROLLBACK") }
    try spellOutFeed()
    if let page { try writePage(page) }
    // It has the secret that a campaign service has given.
    try database.run("DELETE FROM sync")
    guard log != nil else { return try database.image() }
    // A short number takes fewer bytes, and the page would show for ever that there had been one. So the row begins anew, with a long one.
    try database.run("DELETE FROM log")
    try writeSeed(1 << 62)
    try writeSeed(0)
    return try database.image()
  }

  private func writePage(_ page: Page) throws(StoreError) {
    try database.run("INSERT OR REPLACE INTO page VALUES (1, ?)", [.text(Self.hex(page.bytes))])
  }

  /// The page in an image; nil where it has none.
  func imagePage() throws(StoreError) -> Page? {
    guard pageFile == nil else { return nil }
    var page: Page?
    try database.run("SELECT bytes FROM page") { row throws(StoreError) in
      guard let bytes = Self.bytes(hex: row[0].text ?? "") else { throw .unreadableRecord }
      page = Page(bytes: bytes)
    }
    return page
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(hex text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) }
  }

  /// Writes every value of the feed's noise policies in place of the names of presets, which may stand for others later.
  private func spellOutFeed() throws(StoreError) {
    guard let json = try loadFeed(ZoneFiles(), nil, .present)?.recordedJSON(.present) else { return }
    try database.run("UPDATE feed SET json = ? WHERE json != ?", [.text(json), .text(json)])
  }

  /// The contents of an image.
  public static func contents(
    ofImage image: [UInt8], zones: ZoneFiles, _ names: NoisePolicy.Names = .present
  ) throws(StoreError) -> Contents {
    try Store(image: image).load(zones, nil, names)
  }

  /// The image with its places elsewhere, and without what is not needed to decide.
  public static func image(
    _ image: [UInt8], anonymizedBy anonymization: inout Anonymization
  ) throws(StoreError) -> [UInt8] {
    let store = try Store(image: image)
    try store.anonymize(by: &anonymization)
    return try store.image()
  }

  private func anonymize(by anonymization: inout Anonymization) throws(StoreError) {
    try fold()
    try database.execute(
      "DELETE FROM outbox; DELETE FROM consumer; UPDATE advertising SET identifier = 'removed' WHERE identifier IS NOT NULL"
    )
    for table in ["crossing", "moved", "plan", "planned"] {
      let key = table == "plan" || table == "planned" ? "id" : "region"
      var rows: [(key: Column, longitude: Double)] = []
      try database.run("SELECT \(key), longitude FROM \(table) WHERE longitude IS NOT NULL") { row throws(StoreError) in
        guard let longitude = row[1].real else { throw .unreadableRecord }
        rows.append((row[0], longitude))
      }
      for row in rows {
        try database.run(
          "UPDATE \(table) SET longitude = ? WHERE \(key) = ?",
          [.real(anonymization.longitude(row.longitude)), row.key])
      }
    }
    for table in [
      "sent", "intent", "pending", "displayed", "prefiltered", "last_item", "waiting", "message_deferred",
    ] {
      try anonymize(table, by: &anonymization, key: ["id"])
    }
    try anonymize("batch_item", by: &anonymization, key: ["token", "position"])
    try anonymizeTrips(by: &anonymization)
    var feed: String?
    try database.run("SELECT json FROM feed") { row throws(StoreError) in feed = row[0].text }
    if let feed {
      guard let moved = try? anonymization.feed(feed) else { throw .unreadableRecord }
      try database.run("UPDATE feed SET json = ?", [.text(moved)])
    }
    if let page = try imagePage(),
      let moved = Machine.page(page, movingPlaces: { longitude in anonymization.longitude(longitude) })
    {
      try writePage(moved)
    } else {
      try database.execute("DELETE FROM page")
    }
    // Overwritten values are gone from the bytes, too.
    try database.execute("VACUUM")
  }

  private func anonymize(_ table: String, by anonymization: inout Anonymization, key: [String]) throws(StoreError) {
    var rows: [(key: [Column], item: Item)] = []
    try database.run("SELECT item, \(key.joined(separator: ", ")) FROM \(table) WHERE item IS NOT NULL") {
      row throws(StoreError) in rows.append((Array(row[1...]), try item([.null, row[0]])))
    }
    for row in rows {
      try database.run(
        "UPDATE \(table) SET item = ? WHERE \(key.map { "\($0) = ?" }.joined(separator: " AND "))",
        [.text(anonymization.item(row.item).json)] + row.key)
    }
  }
}
