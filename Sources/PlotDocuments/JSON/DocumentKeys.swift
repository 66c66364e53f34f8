// Made from docs/schema by scripts/key_tables.py: do not edit.

/// The keys that objects of documents may have (docs/feed.md, docs/rules-file.md, docs/items.md).
enum DocumentKeys {
  static let feed = KeySet(
    [
      "version", "revision", "regions", "campaigns", "settings", "categories", "lists",
    ], allowsOwn: true)
  static let geofence = KeySet(
    [
      "id", "type", "name", "customFields", "latitude", "longitude", "radius", "geometry", "width", "travelTime",
      "travelMinutes", "travelMode", "country", "timeZone", "openingHours", "timespans", "caps", "quietHours", "noise",
      "initial", "moving",
    ], allowsOwn: true)
  static let beacon = KeySet(
    [
      "id", "type", "name", "customFields", "proximityUUID", "majorId", "minorId", "range", "country", "timeZone",
      "openingHours", "timespans", "caps", "quietHours",
    ], allowsOwn: true)
  static let eddystone = KeySet(
    [
      "id", "type", "name", "customFields", "range", "country", "timeZone", "openingHours", "timespans", "caps",
      "quietHours", "namespaceId", "instanceId",
    ], allowsOwn: true)
  static let group = KeySet(
    [
      "id", "type", "name", "customFields", "country", "timeZone", "openingHours", "timespans", "caps", "quietHours",
      "regions", "enter", "hold",
    ], allowsOwn: true)
  static let geometry = KeySet(["type", "coordinates", "bbox"], allowsOwn: true)
  static let notification = KeySet(
    [
      "id", "type", "message", "messages", "data", "content", "handlerType", "trigger", "dwellingMinutes", "regions",
      "start", "end", "segmentation", "resend", "cooldownPeriod", "triggerTimes", "cooldownFrom", "priority",
      "removeOnExit", "removeAtEnd", "expireAfter", "expireAt", "showLate", "correlationKey", "exclusionGroup",
      "coalescingGroup", "filterAt", "welcome", "holdout", "insideAt", "after", "visits", "tags", "caps", "quietHours",
      "arrivalSeconds", "tripEvent", "passages", "crossing", "repeatMinutes", "daily", "absence",
    ], allowsOwn: true)
  static let geotrigger = KeySet(
    [
      "id", "type", "name", "data", "trigger", "dwellingMinutes", "regions", "start", "end", "segmentation", "resend",
      "cooldownPeriod", "triggerTimes", "cooldownFrom", "insideAt", "after", "visits", "arrivalSeconds", "tripEvent",
      "passages", "crossing", "repeatMinutes", "daily", "absence",
    ], allowsOwn: true)
  static let allOfConditions = KeySet(["all"])
  static let anyOfConditions = KeySet(["any"])
  static let notCondition = KeySet(["not"])
  static let country = KeySet(["country"])
  static let comparison = KeySet(
    [
      "property", "equals", "differs", "less", "atMost", "atLeast", "greater", "between", "in", "exists", "begins",
      "contains", "version",
    ])
  static let travelMinutes = KeySet(["travelMinutes"])
  static let travelMode = KeySet(["travelMode"])
  static let version = KeySet(["less", "atMost", "atLeast", "greater"])
  static let history = KeySet(["campaign", "shown", "opened"])
  static let moment = KeySet(["within"])
  static let span = KeySet(["start", "end"])
  static let openingHours = KeySet(["mon", "tue", "wed", "thu", "fri", "sat", "sun", "exceptions"])
  static let hours = KeySet(["daily", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "exceptions"])
  static let timesOfSpans = KeySet(["type", "timespans", "zone", "outside"])
  static let timesOfHours = KeySet(["type", "openingHours", "zone", "outside"])
  static let timesOfOthers = KeySet(["type", "zone", "outside"])
  static let after = KeySet(["steps", "within"])
  static let notStep = KeySet(["not"])
  static let step = KeySet(["region", "event", "minutes"])
  static let visits = KeySet(["from", "to", "every"])
  static let crossing = KeySet(["direction", "course", "leastSpeed", "mostSpeed"])
  static let absence = KeySet(["by", "from", "days", "fromDay", "minutes", "leastMinutes", "silenceMinutes"])
  static let trip = KeySet(
    [
      "id", "region", "mode", "route", "deadline", "expires", "approachingSeconds", "approachingMetres", "others",
      "metadata",
    ])
  static let endTrip = KeySet(["id", "arrived"])
  static let content = KeySet(
    [
      "title", "titles", "subtitle", "subtitles", "body", "bodies", "sound", "badge", "category", "attachments",
      "actions", "userInfo",
    ], allowsOwn: true)
  static let attachment = KeySet(["id", "url", "type"], allowsOwn: true)
  static let category = KeySet(["id", "actions"], allowsOwn: true)
  static let list = KeySet(["id", "version", "entries"], allowsOwn: true)
  static let action = KeySet(["id", "title", "titles", "foreground", "destructive"], allowsOwn: true)
  static let welcome = KeySet(["period", "minDisplayTime", "alone", "offline"])
  static let holdout = KeySet(["percent", "group", "property"])
  static let offline = KeySet(["message", "data"])
  static let settings = KeySet(
    [
      "notificationsEnabled", "strategies", "slots", "specificFirst", "coalescing", "exclusion", "caps", "quietHours",
      "messages",
    ], allowsOwn: true)
  static let maximum = KeySet(["key", "type", "max", "window", "enabled"])
  static let minimumTime = KeySet(["key", "type", "seconds", "after", "enabled"])
  static let sameContent = KeySet(["key", "type", "field", "enabled"])
  static let custom = KeySet(["key", "type", "parameters", "enabled"])
  static let slots = KeySet(["count", "whenFull"])
  static let specificFirst = KeySet(["within"])
  static let coalescing = KeySet(["group", "atLeast", "message", "within"])
  static let exclusion = KeySet(["group", "within"])
  static let cap = KeySet(["per", "tag", "max", "window", "days", "zone"])
  static let regionCap = KeySet(["per", "max", "window", "days", "zone"])
  static let campaignCap = KeySet(["per", "max", "window", "days", "zone"])
  static let quietHours = KeySet(["tag", "hours", "zone", "during"])
  static let ownQuietHours = KeySet(["hours", "zone", "during"])
  static let messages = KeySet(
    [
      "profile", "paths", "correlation", "revision", "rules", "placeholder", "tombstoneDays", "cooldown",
    ], allowsOwn: true)
  static let messagePaths = KeySet(
    [
      "id", "sender", "thread", "title", "subtitle", "body", "data", "sound", "badge", "category", "priority",
    ])
  static let messagePath = KeySet(["path"])
  static let rewriteRule = KeySet(["id", "if", "then", "title", "body", "whenAbsent"], allowsOwn: true)
  static let deferRule = KeySet(["id", "if", "then", "seconds", "until", "whenAbsent"], allowsOwn: true)
  static let otherRule = KeySet(["id", "if", "then", "whenAbsent"], allowsOwn: true)
  static let messageCondition = KeySet(["all", "any", "not", "senderIn", "senderNotIn", "threadIn", "contains"])
  static let item = KeySet(
    [
      "identifier", "matchIdentifier", "campaignId", "regionId", "regionName", "message", "name", "data", "title",
      "subtitle", "body", "sound", "badge", "category", "attachments", "actions", "userInfo", "geofenceLatitude",
      "geofenceLongitude", "trigger", "dwellingMinutes", "arrivalSeconds", "tripEvent", "insideAt",
      "notificationHandlerType", "matchRange", "regionType", "travelMinutes", "travelMode", "priority", "removeOnExit",
      "removeAtEnd", "expireAfter", "expireAt", "updates", "correlationKey", "coalesced", "sender", "thread",
      "revision", "silent", "suppressed", "dateSent", "dateOpened", "isOpened", "dateHandled", "isHandled",
      "isAppInForeground", "confirm",
    ])
  static let attachmentOfItem = KeySet(["id", "url", "type"])
  static let actionOfItem = KeySet(["id", "title", "foreground", "destructive", "compact"])
  static let rules = KeySet(
    [
      "filter", "geotriggers", "strategies", "show", "remove", "person", "inputs",
    ], allowsOwn: true)
  static let filterRule = KeySet(["campaign", "region", "identifier", "drop", "set", "answerAfter"], allowsOwn: true)
  static let geotriggerRule = KeySet(["campaign", "region", "identifier", "drop", "answerAfter"], allowsOwn: true)
  static let failRule = KeySet(["campaign", "region", "identifier", "fails"], allowsOwn: true)
  static let personRule = KeySet(
    [
      "campaign", "region", "identifier", "opens", "dismisses", "chooses",
    ], allowsOwn: true)
  static let chosenAction = KeySet(["action", "after"])
  static let edit = KeySet(
    [
      "message", "data", "title", "subtitle", "body", "sound", "badge", "category", "attachments", "actions",
      "userInfo",
    ])
  static let actionOfEdit = KeySet(["id", "title", "foreground", "destructive"])
  static let appStrategy = KeySet(
    [
      "key", "veto", "vetoDelete", "minimumTime", "after", "max", "window",
    ], allowsOwn: true)
  static let input = KeySet(
    [
      "at", "foreground", "network", "timeZone", "property", "clearProperty", "startTrip", "endTrip",
    ], allowsOwn: true)
  static let property = KeySet(["key", "value"])
  static let date = KeySet(["date"])
}
