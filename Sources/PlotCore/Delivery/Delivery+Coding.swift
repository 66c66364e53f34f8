// Items on their way to a display, as bytes: values that are read are handed on as changes.
extension Delivery {
  func code(_ coder: inout some ItemCoder, _ made: (DeliveryChange) -> Void) {
    let none = Identifier("")
    coder.each(
      held, empty: Held(campaign: none, region: none, until: nil), put: { made(.held($0)) },
      { coder, held in
        coder.code(&held.campaign)
        coder.code(&held.region)
        coder.code(&held.until)
      })
    coder.each(
      batches, empty: Batch(token: 0, isGeotrigger: false, items: [], deadline: 0), put: { made(.batch($0)) },
      {
        coder, batch in
        coder.code(&batch.token)
        coder.code(&batch.isGeotrigger)
        coder.code(&batch.deadline)
        coder.code(&batch.isAtEnter)
        coder.list(&batch.items, empty: .blank) { coder, item in coder.code(&item) }
      })
    coder.each(pending.map(\.item), empty: .blank, put: { made(.pending($0)) }, { coder, item in coder.code(&item) })
    coder.each(
      Array(intents) + unreported, empty: .blank, put: { made(.intent($0)) }, { coder, item in coder.code(&item) })
    coder.each(
      waiting, empty: Waiting(item: .blank, until: 0, insideOnly: false), put: { made(.waiting($0)) },
      {
        coder, waiting in
        coder.code(&waiting.item)
        Timestamp.code(&waiting.until, &coder)
        coder.code(&waiting.insideOnly)
      })
    let noAnswer = Prefiltered(campaign: none, region: none, item: nil)
    coder.each(
      prefiltered.all, empty: noAnswer, put: { made(.prefiltered($0)) },
      { coder, answer in
        coder.code(&answer.campaign)
        coder.code(&answer.region)
        coder.code(&answer.item, empty: .blank) { coder, item in coder.code(&item) }
      })
  }
}
