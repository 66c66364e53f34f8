extension Machine {
  var notificationsInFlight: InFlight {
    InFlight(state.delivery)
  }

  /// Does something to many candidates, or items, while what is on its way changes only by themselves.
  mutating func withInFlight(for count: Int, _ body: (inout Machine) -> Void) {
    guard count >= InFlight.least, inFlight == nil else { return body(&self) }
    inFlight = notificationsInFlight
    body(&self)
    inFlight = nil
  }
}
