// What was shown and done, as bytes: what is read is handed on as changes.
extension History {
  func code(_ coder: inout some ItemCoder, _ made: (HistoryChange) -> Void) {
    let noKey = ItemKey(campaign: Identifier(""), region: Identifier(""))
    let shown = lastShown.sorted { $0.key.isBefore($1.key) }.map { Dated(key: $0.key, time: $0.value) }
    coder.each(
      shown, empty: Dated(key: noKey, time: 0), put: { made(.shown($0.key, $0.time, beginsCooldown: false)) },
      { coder, shown in
        shown.key.code(&coder)
        Timestamp.code(&shown.time, &coder)
      })
    var last = lastNotification
    Timestamp.code(&last, &coder)
    if let last { made(.lastNotification(last)) }
    let opened = lastOpened.sorted { $0.key < $1.key }.map { Opened(campaign: $0.key, time: $0.value) }
    coder.each(
      opened, empty: Opened(campaign: Identifier(""), time: 0), put: { made(.opened(campaign: $0.campaign, $0.time)) },
      { coder, opened in
        coder.code(&opened.campaign)
        Timestamp.code(&opened.time, &coder)
      })
    let begun = anchors.sorted { $0.key.isBefore($1.key) }.map { Dated(key: $0.key, time: $0.value) }
    coder.each(
      begun, empty: Dated(key: noKey, time: 0), put: { made(.anchor($0.key, $0.time)) },
      { coder, anchor in
        anchor.key.code(&coder)
        // `.max` for one that has not begun.
        var time = anchor.time == .max ? nil : Milliseconds?(anchor.time)
        Timestamp.code(&time, &coder)
        anchor.time = time ?? .max
      })
    let noDisplay = Display(time: 0, campaign: Identifier(""), region: Identifier(""), visit: nil, tags: [])
    coder.each(
      displays, empty: noDisplay, put: { made(.display($0)) },
      { coder, display in
        Timestamp.code(&display.time, &coder)
        coder.code(&display.campaign)
        coder.code(&display.region)
        coder.code(&display.visit)
        coder.list(&display.tags, empty: Identifier("")) { coder, tag in coder.code(&tag) }
      })
    for list in [sentNotifications, sentGeotriggers] {
      coder.each(list, empty: .blank, put: { made(.sent($0)) }, { coder, item in coder.code(&item) })
    }
    let walks = chains.sorted { $0.key < $1.key }.map { Walk(campaign: $0.key, starts: $0.value) }
    coder.each(
      walks, empty: Walk(campaign: Identifier(""), starts: []), put: { made(.chain($0.campaign, $0.starts)) },
      { coder, walk in
        coder.code(&walk.campaign)
        coder.list(&walk.starts, empty: nil) { coder, start in Timestamp.code(&start, &coder) }
      })
  }

  private struct Dated {
    var key: ItemKey
    var time: Milliseconds
  }

  private struct Opened {
    var campaign: Identifier
    var time: Milliseconds
  }

  private struct Walk {
    var campaign: Identifier
    var starts: [Milliseconds?]
  }
}
