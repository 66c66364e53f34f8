/// A field of a message that a payload has somewhere (docs/messages.md, Paths).
public enum MessageField: String, CaseIterable, Sendable {
  case id, sender, thread, title, subtitle, body, data, sound, badge, category, priority, correlation, revision
}

/// Where a payload has something: keys, from the outside in.
public typealias MessagePath = [String]

/// Whose payloads they are: for each field the places that are tried, in their order. A place is what the service's documentation says, as the
/// push is sent, and as the systems and the usual libraries hand it to an app.
public enum MessageProfile: String, CaseIterable, Sendable {
  /// The keys of docs/messages.md; each has one form, and anything else is refused.
  case plain
  /// Apple's push service: developer.apple.com, Generating a remote notification.
  case apns
  /// Firebase Cloud Messaging: firebase.google.com, About FCM messages; and as Android, iOS and React Native hand it on.
  case fcm
  /// CometChat: cometchat.com, Push payload; its extension of version 2, and today's notifications.
  case cometchat
  /// ZEGO: zegocloud.com, Offline push notification; on APNs, and as ZPNs hands it on.
  case zego

  private static let tables: [MessageProfile: [MessageField: [MessagePath]]] = [
    .plain: [.correlation: [["correlationKey"]], .revision: [["revision"]]],
    .apns: apple,
    .fcm: [
      .id: [["messageId"], ["message_id"], ["google.message_id"], ["gcm.message_id"], ["data", "id"]],
      .sender: [
        ["data", "sender"], ["data", "senderId"], ["data", "sender_id"], ["sender"], ["senderId"], ["sender_id"],
      ],
      .thread: [
        ["data", "thread"], ["data", "conversationId"], ["thread"], ["conversationId"], ["aps", "thread-id"],
      ],
      .title: [["notification", "title"], ["data", "title"], ["gcm.notification.title"], ["title"]] + apple[.title]!,
      .subtitle: apple[.subtitle]!,
      .body: [
        ["notification", "body"], ["data", "body"], ["data", "message"], ["gcm.notification.body"], ["body"],
        ["message"],
      ]
        + apple[.body]!,
      .data: [["data", "link"], ["data", "url"], ["link"], ["url"]],
      .sound: [["notification", "sound"], ["notification", "android", "sound"]] + apple[.sound]!,
      .badge: [["notification", "badge"], ["notification", "android", "count"], ["data", "badge"]] + apple[.badge]!,
      .category: [
        ["notification", "click_action"], ["notification", "android", "clickAction"], ["gcm.notification.click_action"],
      ] + apple[.category]!,
      .correlation: [
        ["notification", "tag"], ["notification", "android", "tag"], ["gcm.notification.tag"], ["data", "tag"],
      ],
    ],
    .cometchat: [
      .id: also([["message", "id"], ["tag"]]),
      .sender: also([
        ["message", "sender", "uid"], ["message", "data", "entities", "sender", "entity", "uid"],
        ["message", "sender"],
        ["sender", "uid"], ["sender"],
      ]),
      .thread: also([["message", "conversationId"], ["conversationId"]]),
      .title: also([["title"]]) + apple[.title]!,
      .subtitle: apple[.subtitle]!,
      .body: also([["body"], ["alert"], ["message", "data", "text"], ["message", "text"]]) + apple[.body]!,
      .sound: also([["sound"]]) + apple[.sound]!,
      .badge: also([["unreadMessageCount"]]) + apple[.badge]!,
      .category: apple[.category]!,
      // An edit has the id of what it edits, and a time of its own.
      .correlation: also([["message", "id"], ["tag"]]),
      .revision: also([["message", "editedAt"], ["message", "updatedAt"]]),
    ],
    .zego: [
      .thread: apple[.thread]!,
      .title: apple[.title]! + [["title"]],
      .subtitle: apple[.subtitle]!,
      .body: apple[.body]! + [["content"], ["body"]],
      .data: [["payload"], ["extras", "payload"]],
      .sound: apple[.sound]!,
      .badge: apple[.badge]!,
      .category: apple[.category]! + [["resourcesID"], ["extras", "resourcesID"]],
      .correlation: [["payload", "customId"], ["extras", "payload", "customId"]],
    ],
  ]

  private static let apple: [MessageField: [MessagePath]] = [
    .thread: [["aps", "thread-id"]],
    .title: [["aps", "alert", "title"], ["aps", "alert", "title-loc-key"]],
    .subtitle: [["aps", "alert", "subtitle"], ["aps", "alert", "subtitle-loc-key"]],
    .body: [["aps", "alert", "body"], ["aps", "alert"], ["aps", "alert", "loc-key"]],
    .sound: [["aps", "sound"], ["aps", "sound", "name"]],
    .badge: [["aps", "badge"]],
    .category: [["aps", "category"]],
  ]

  /// The same within the data of an FCM message.
  private static func also(_ paths: [MessagePath]) -> [MessagePath] { paths.flatMap { [$0, ["data"] + $0] } }

  /// Where a payload of this service has something; empty for nowhere.
  public func places(of field: MessageField) -> [MessagePath] { Self.tables[self]?[field] ?? [] }
}
