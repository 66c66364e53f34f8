// The history as bytes: values that are read are handed on as changes.
extension History {
  func code(_ coder: inout some ItemCoder, _ made: (HistoryChange) -> Void) {
    let noKey = ItemKey(campaign: Identifier(""), region: Identifier(""))
    coder.each(
      lastShown.sorted { $0.key.isBefore($1.key) }, empty: (key: noKey, value: 0),
      put: { made(.shown($0.key, $0.value, beginsCooldown: false)) },
      { coder, shown in
        shown.key.code(&coder)
        Timestamp.code(&shown.value, &coder)
      })
    var last = lastNotification
    Timestamp.code(&last, &coder)
    if let last { made(.lastNotification(last)) }
    coder.table(
      lastOpened, empty: 0, put: { made(.opened(campaign: $0, $1)) },
      { coder, time in Timestamp.code(&time, &coder) })
    coder.each(
      anchors.sorted { $0.key.isBefore($1.key) }, empty: (key: noKey, value: 0),
      put: { made(.anchor($0.key, $0.value)) },
      { coder, anchor in
        anchor.key.code(&coder)
        // `.max` for one that has not begun.
        var time = anchor.value == .max ? nil : Milliseconds?(anchor.value)
        Timestamp.code(&time, &coder)
        anchor.value = time ?? .max
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
    coder.table(
      chains, empty: [], put: { made(.chain($0, $1)) },
      { coder, starts in
        coder.list(&starts, empty: nil) { coder, start in Timestamp.code(&start, &coder) }
      })
  }
}
