/// Files that a notification carries, checked just before it is shown: an attachment that the system refuses would keep the whole
/// notification from being shown, so it is left out, and the text goes on.
extension Machine {
  /// The item without the attachments that will not do; a decision for each.
  mutating func checked(_ item: Item) -> Item {
    var good: [Attachment] = []
    for attachment in item.content.attachments {
      let fault = attachment.fault(in: settings.attachmentFolder, settings.inspect)
      record(
        item, .attachment, fault == nil ? .pass : .drop, fault ?? .attached, attachment.id,
        inputs: settings.recordsDecisions
          ? attachment.inputs(fault, in: settings.attachmentFolder, settings.inspect) : nil)
      if fault == nil { good.append(attachment) }
    }
    var item = item
    item.values.loaded.content.attachments = good
    return item
  }

}
