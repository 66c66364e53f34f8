// Another Swift library in the same process, with a runtime of its own or the shared one: it leans on what a runtime keeps for a whole process,
// types made at run time, conformances looked up by name, dictionaries, existentials, errors.

protocol Counted { var count: Int { get } }
extension Array: Counted {}
extension String: Counted {}
struct Pair<A, B> { var a: A, b: B }
struct Wrong: Error { var number: Int }
final class Tree<Value: Comparable> {
  var value: Value
  var children: [Tree<Value>] = []
  init(_ value: Value) { self.value = value }
  func sum(_ add: (Value, Value) -> Value) -> Value { children.reduce(value) { add($0, $1.sum(add)) } }
}

func size(_ value: Any) throws -> Int {
  guard let counted = value as? any Counted else { throw Wrong(number: -1) }
  return counted.count
}

@_cdecl("other_work") public func otherWork(_ rounds: Int32) -> Int64 {
  var total: Int64 = 0
  for round in 0..<Int(rounds) {
    let values: [Any] = ["round \(round)", Array(0..<round % 7), Pair(a: round, b: "é"), [String: Int]()]
    for value in values { total += Int64((try? size(value)) ?? 100) }
    let tree = Tree("a\(round)")
    tree.children = (0..<3).map { Tree("b\($0)") }
    total += Int64(tree.sum(+).utf8.count)
    let words = Dictionary(grouping: (0..<20).map { "w\($0 % 5)" }, by: \.self)
    total +=
      Int64(words.values.map(\.count).max() ?? 0) + Int64(String(describing: Pair(a: 1.5, b: words.count)).utf8.count)
    total += Int64(String(reflecting: type(of: tree)).utf8.count)
  }
  return total
}
