// The screen as bytes: values that are read are handed on as changes.
extension Screen {
  func code(_ coder: inout some ItemCoder, _ made: (ScreenChange) -> Void) {
    coder.each(displayed, empty: .blank, put: { made(.displayed($0)) }, { coder, item in coder.code(&item) })
    var (last, removed) = (lastItem, lastRemoved)
    coder.code(&last, empty: .blank) { coder, item in coder.code(&item) }
    if let last { made(.lastItem(last)) }
    Timestamp.code(&removed, &coder)
    if let removed { made(.removed(removed)) }
  }
}
