/// The functions of include/plotengine.h that messages name: the only place in the library's sources where a message has such a name. A front
/// end in another language puts its own names in their place (Tests/words/messages.py).
package enum CallName {
  static let initialize = "plot_engine_init"
  static let setClock = "plot_engine_set_clock"
  static let save = "plot_engine_save"
  static let beginSync = "plot_engine_sync_begin"

  /// Those names in Swift.
  package static let inSwift = [
    (name: initialize, swift: "Engine.start()"), (name: setClock, swift: "Engine.setClock()"),
    (name: save, swift: "Engine.save()"), (name: beginSync, swift: "Engine.beginSync()"),
  ]
}
