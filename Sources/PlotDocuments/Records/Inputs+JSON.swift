internal import PlotCore

extension Inputs {
  /// As a member `inputs`; nothing when there are none.
  func write(to json: inout JSONText) {
    guard !isEmpty else { return }
    json.key("inputs")
    json.object { json in
      for entry in entries {
        json.key(entry.key)
        switch entry.value {
        case .integer(let number), .seconds(let number): json.value(number)
        case .double(let number): json.value(number)
        case .text(let text): json.value(text)
        case .texts(let texts): json.array { json in for text in texts { json.value(text) } }
        case .time(let time): json.value(Timestamp.text(time))
        case .boolean(let flag): json.value(flag)
        }
      }
    }
  }
}
