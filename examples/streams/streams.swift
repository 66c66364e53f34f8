import Foundation
import PlotEngineKit

let feed = try Feed(
  json: """
    {"version": 1,
     "regions": [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
     "campaigns": [{"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]}]}
    """)
let engine = Engine()

// A filter that asks somebody first: it answers when it knows.
func text(for notification: PlotNotification) async -> String { "Hello Ada! \(notification.message)" }
try engine.onFilterBatch { batch in
  Task {
    var notifications = batch.notifications
    for index in notifications.indices { notifications[index].message = await text(for: notifications[index]) }
    try batch.show(notifications)
  }
}

let configuration = try Configuration(json: #"{"engine": {"events": {"acknowledge": true}}}"#)
try engine.start(configuration, feed: feed)
try engine.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))

// Each event is acknowledged when the next one is asked for: one that was not handled comes again after a restart.
for try await event in engine.outbox {
  print(event.name, event.message ?? event.region ?? "")
  if event.name == .notificationShown { break }
}
engine.close()
