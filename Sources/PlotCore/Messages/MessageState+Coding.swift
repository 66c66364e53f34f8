// What is known of messages, as bytes: what is read is handed on as changes.
extension MessageState {
  func code(_ coder: inout some ItemCoder, _ made: (MessageChange) -> Void) {
    let named = lists.sorted { $0.key < $1.key }.map { Named(name: $0.key, list: $0.value) }
    let empty = Named(name: Identifier(""), list: MessageList(version: 0, entries: [], refreshed: 0))
    coder.each(
      named, empty: empty, put: { made(.list($0.name, $0.list)) },
      { coder, named in
        coder.code(&named.name)
        coder.code(&named.list.version)
        Timestamp.code(&named.list.refreshed, &coder)
        var entries = named.list.entries.sorted()
        coder.list(&entries, empty: Identifier("")) { coder, entry in coder.code(&entry) }
        named.list.entries = Set(entries)
        coder.require(entries.count <= MessageList.limit)
      })
    let keyed = correlations.sorted { $0.key < $1.key }.map { Keyed(key: $0.key, newest: $0.value) }
    let noKey = Keyed(
      key: Identifier(""), newest: Correlation(revision: nil, matchIdentifier: "", isRetracted: false, time: 0))
    coder.each(
      keyed, empty: noKey, put: { made(.correlation($0.key, $0.newest)) },
      { coder, keyed in
        coder.code(&keyed.key)
        coder.code(&keyed.newest.revision)
        coder.code(&keyed.newest.matchIdentifier)
        coder.code(&keyed.newest.isRetracted)
        Timestamp.code(&keyed.newest.time, &coder)
      })
    let came = seen.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Seen(match: $0.key, time: $0.value) }
    coder.each(
      came, empty: Seen(match: "", time: 0), put: { made(.seen($0.match, $0.time)) },
      { coder, seen in
        coder.code(&seen.match)
        Timestamp.code(&seen.time, &coder)
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

  private struct Named {
    var name: Identifier
    var list: MessageList
  }

  private struct Keyed {
    var key: Identifier
    var newest: Correlation
  }

  private struct Seen {
    var match: String
    var time: Milliseconds
  }
}
