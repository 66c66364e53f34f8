// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

// The exports of include/plotengine.h, in its order. Each body is one line into the rooms below.

@_cdecl("plot_abi_version") @implementation
public func plot_abi_version() -> Int32 { Version.abi }

@_cdecl("plot_version") @implementation
public func plot_version() -> UnsafePointer<CChar>! { unsafe StaticText.version.pointer }

@_cdecl("plot_status_name") @implementation
public func plot_status_name(_ status: Int32) -> UnsafePointer<CChar>! {
  unsafe (StaticText.statuses[status] ?? .unknownStatus).pointer
}

@_cdecl("plot_live_objects") @implementation
public func plot_live_objects() -> Int64 { Handle.live.load(ordering: .relaxed) }

// MARK: Errors

@_cdecl("plot_error_get_status") @implementation
public func plot_error_get_status(_ error: OpaquePointer!) -> Int32 {
  (unsafe object(error) as ErrorHandle?)?.error.status.rawValue ?? Status.ok.rawValue
}

@_cdecl("plot_error_get_message") @implementation
public func plot_error_get_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.message.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_line") @implementation
public func plot_error_get_line(_ error: OpaquePointer!) -> Int32 {
  Int32(clamping: (unsafe object(error) as ErrorHandle?)?.error.line ?? 0)
}

@_cdecl("plot_error_get_column") @implementation
public func plot_error_get_column(_ error: OpaquePointer!) -> Int32 {
  Int32(clamping: (unsafe object(error) as ErrorHandle?)?.error.column ?? 0)
}

@_cdecl("plot_error_get_pointer") @implementation
public func plot_error_get_pointer(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.pointer.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_expected") @implementation
public func plot_error_get_expected(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.expected.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_found") @implementation
public func plot_error_get_found(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.found.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_kind") @implementation
public func plot_error_get_kind(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.kind.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_page") @implementation
public func plot_error_get_page(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.page.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_error_get_cure") @implementation
public func plot_error_get_cure(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(error) as ErrorHandle?)?.cure ?? StaticText.empty.pointer
}

@_cdecl("plot_error_free") @implementation
public func plot_error_free(_ error: OpaquePointer!) { unsafe Handle.free(error) }

// MARK: Strings

@_cdecl("plot_string_get") @implementation
public func plot_string_get(_ string: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(string) as StringHandle?)?.text.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_string_get_length") @implementation
public func plot_string_get_length(_ string: OpaquePointer!) -> Int {
  (unsafe object(string) as StringHandle?)?.text.length ?? 0
}

@_cdecl("plot_string_free") @implementation
public func plot_string_free(_ string: OpaquePointer!) { unsafe Handle.free(string) }

// MARK: Configuration

@_cdecl("plot_config_load") @implementation
public func plot_config_load(_ path: UnsafePointer<CChar>!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { try read(unsafe try text(path, "path")) { ConfigHandle(try Configuration(path: $0)) } }
}

@_cdecl("plot_config_parse") @implementation
public func plot_config_parse(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let json = unsafe try bytes(json, length, "json", most: Configuration.textLimit)
    return try DocumentError.naming("configuration") { ConfigHandle(try Configuration(parsing: json)) }
  }
}

@_cdecl("plot_config_to_json") @implementation
public func plot_config_to_json(_ config: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle((try needed(config, "config") as ConfigHandle).configuration.json) }
}

@_cdecl("plot_config_get_warning_count") @implementation
public func plot_config_get_warning_count(_ config: OpaquePointer!) -> Int {
  (unsafe object(config) as ConfigHandle?)?.warnings.count ?? 0
}

@_cdecl("plot_config_get_warning") @implementation
public func plot_config_get_warning(_ config: OpaquePointer!, _ index: Int) -> UnsafePointer<CChar>! {
  guard let handle: ConfigHandle = unsafe object(config),
    let position = Size(index).position(below: handle.warnings.count)
  else { return nil }
  return unsafe handle.warnings[position].pointer
}

@_cdecl("plot_config_free") @implementation
public func plot_config_free(_ config: OpaquePointer!) { unsafe Handle.free(config) }

// MARK: Feed

@_cdecl("plot_feed_load") @implementation
public func plot_feed_load(_ path: UnsafePointer<CChar>!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { try read(unsafe try text(path, "path")) { FeedHandle(try Feed.load(path: $0)) } }
}

@_cdecl("plot_feed_parse") @implementation
public func plot_feed_parse(_ json: UnsafePointer<CChar>!, _ length: Int, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) {
    let json = unsafe try bytes(json, length, "json", most: Feed.sizeLimit)
    return try DocumentError.naming("feed") { FeedHandle(try Feed.parse(json)) }
  }
}

@_cdecl("plot_feed_import_geojson") @implementation
public func plot_feed_import_geojson(
  _ json: UnsafePointer<CChar>!, _ length: Int, _ options: UnsafePointer<CChar>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let words = unsafe options == nil ? "{}" : try text(options, "options")
    let json = unsafe try bytes(json, length, "json", most: Feed.sizeLimit)
    let options = try DocumentError.naming(GeoJSONImport.options) { try GeoJSONImport(options: Array(words.utf8)) }
    return try DocumentError.naming("GeoJSON") { FeedHandle(try options.feed(from: json)) }
  }
}

@_cdecl("plot_feed_to_json") @implementation
public func plot_feed_to_json(_ feed: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle((try needed(feed, "feed") as FeedHandle).feed.json) }
}

@_cdecl("plot_feed_get_region_count") @implementation
public func plot_feed_get_region_count(_ feed: OpaquePointer!) -> Int {
  (unsafe object(feed) as FeedHandle?)?.feed.regions.count ?? 0
}

@_cdecl("plot_feed_get_campaign_count") @implementation
public func plot_feed_get_campaign_count(_ feed: OpaquePointer!) -> Int {
  (unsafe object(feed) as FeedHandle?)?.feed.campaigns.count ?? 0
}

@_cdecl("plot_feed_save") @implementation
public func plot_feed_save(_ feed: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ error: ErrorOut) -> Int32 {
  unsafe attempt(error) { unsafe try (try needed(feed, "feed") as FeedHandle).feed.save(path: try text(path, "path")) }
}

@_cdecl("plot_feed_map") @implementation
public func plot_feed_map(_ path: UnsafePointer<CChar>!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { try read(unsafe try text(path, "path")) { FeedHandle(try Feed.map(path: $0)) } }
}

@_cdecl("plot_feed_free") @implementation
public func plot_feed_free(_ feed: OpaquePointer!) { unsafe Handle.free(feed) }

// MARK: Items

@_cdecl("plot_item_get_string") @implementation
public func plot_item_get_string(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> Int32 {
  unsafe give(out, or: StaticText.empty.pointer, nil) {
    let item: ItemHandle = unsafe try needed(item, "item")
    let key = unsafe try text(key, "key")
    guard case .string(let value) = try item.found(key) else { throw EngineError.wrongType(key, "a string") }
    return unsafe item.text(key, value).pointer
  }
}

@_cdecl("plot_item_get_integer") @implementation
public func plot_item_get_integer(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<Int64>!
) -> Int32 {
  unsafe give(out, or: 0, nil) {
    let key = unsafe try text(key, "key")
    guard case .integer(let value) = unsafe try (try needed(item, "item") as ItemHandle).found(key) else {
      throw EngineError.wrongType(key, "an integer")
    }
    return value
  }
}

@_cdecl("plot_item_get_double") @implementation
public func plot_item_get_double(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<Double>!
) -> Int32 {
  unsafe give(out, or: 0, nil) {
    let key = unsafe try text(key, "key")
    switch unsafe try (try needed(item, "item") as ItemHandle).found(key) {
    case .double(let value): return value
    case .integer(let value): return Double(value)
    case .string, .json: throw EngineError.wrongType(key, "a number")
    }
  }
}

@_cdecl("plot_item_set_string") @implementation
public func plot_item_set_string(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe attempt(error) {
    let (key, value) = unsafe (try text(key, "key"), try text(value, "value"))
    unsafe try (try needed(item, "item") as ItemHandle).edit(key) { (item) throws(HostItem.SetError) in
      try item.set(key, to: value)
    }
  }
}

@_cdecl("plot_item_to_json") @implementation
public func plot_item_to_json(_ item: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle((try needed(item, "item") as ItemHandle).item.json) }
}

@_cdecl("plot_item_copy") @implementation
public func plot_item_copy(_ item: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe ItemHandle(copying: try needed(item, "item")) }
}

@_cdecl("plot_item_free") @implementation
public func plot_item_free(_ item: OpaquePointer!) { unsafe Handle.free(item) }

@_cdecl("plot_list_new") @implementation
public func plot_list_new(_ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { ListHandle([HostItem](), isEditable: true) }
}

@_cdecl("plot_list_get_count") @implementation
public func plot_list_get_count(_ list: OpaquePointer!) -> Int {
  (unsafe object(list) as ListHandle?)?.items.count ?? 0
}

@_cdecl("plot_list_get") @implementation
public func plot_list_get(_ list: OpaquePointer!, _ index: Int) -> OpaquePointer! {
  guard let list: ListHandle = unsafe object(list), let place = Size(index).position(below: list.items.count) else {
    return nil
  }
  return unsafe list.items[place].borrowed
}

@_cdecl("plot_list_append") @implementation
public func plot_list_append(_ list: OpaquePointer!, _ item: OpaquePointer!, _ error: ErrorOut) -> Int32 {
  unsafe attempt(error) {
    let item = unsafe ItemHandle(copying: try needed(item, "item"))
    unsafe (try needed(list, "list") as ListHandle).items.append(item)
  }
}

@_cdecl("plot_list_remove") @implementation
public func plot_list_remove(_ list: OpaquePointer!, _ index: Int, _ error: ErrorOut) -> Int32 {
  unsafe attempt(error) { unsafe try (try needed(list, "list") as ListHandle).remove(at: Size(index)) }
}

@_cdecl("plot_list_to_json") @implementation
public func plot_list_to_json(_ list: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) {
    unsafe StringHandle(ListDocument.items((try needed(list, "list") as ListHandle).items.map(\.item)))
  }
}

@_cdecl("plot_list_free") @implementation
public func plot_list_free(_ list: OpaquePointer!) { unsafe Handle.free(list) }

extension ItemHandle {
  func found(_ key: String) throws(EngineError) -> Item.Value {
    guard let value = value(key) else { throw EngineError(.notFound, "\(key): the item has no such key") }
    return value
  }
}

extension ListHandle {
  func remove(at index: Size) throws(EngineError) {
    guard let position = index.position(below: items.count) else {
      throw EngineError(.notFound, "index: expected one below \(items.count), found \(index.text)")
    }
    items.remove(at: position)
  }
}

extension EngineError {
  static func wrongType(_ key: String, _ wanted: String, isSet: Bool = false) -> EngineError {
    EngineError(.wrongType, isSet ? "\(key): the key holds \(wanted)" : "\(key): the value is not \(wanted)")
  }
}
