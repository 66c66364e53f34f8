// The state of messages as bytes: values that are read are handed on as changes.
extension MessageState {
  func code(_ coder: inout some ItemCoder, _ made: (MessageChange) -> Void) {
    coder.table(
      lists, empty: MessageList(version: 0, entries: [], refreshed: 0), put: { made(.list($0, $1)) },
      { coder, list in
        coder.code(&list.version)
        Timestamp.code(&list.refreshed, &coder)
        var entries = list.entries.sorted()
        coder.list(&entries, empty: Identifier("")) { coder, entry in coder.code(&entry) }
        list.entries = Set(entries)
        coder.require(entries.count <= MessageList.limit)
      })
    coder.table(
      correlations, empty: Correlation(revision: nil, matchIdentifier: "", isRetracted: false, time: 0),
      put: { made(.correlation($0, $1)) },
      { coder, newest in
        coder.code(&newest.revision)
        coder.code(&newest.matchIdentifier)
        coder.code(&newest.isRetracted)
        Timestamp.code(&newest.time, &coder)
      })
    coder.each(
      seen.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }, empty: (key: "", value: 0),
      put: { made(.seen($0.key, $0.value)) },
      { coder, seen in
        coder.code(&seen.key)
        Timestamp.code(&seen.value, &coder)
      })
    let noMessage = DeferredMessage(item: .blank, until: 0, isTimeOfDay: false)
    coder.each(
      deferred, empty: noMessage, put: { made(.deferred($0)) },
      { coder, message in
        coder.code(&message.item)
        coder.code(&message.until)
        coder.code(&message.isTimeOfDay)
      })
  }
}
