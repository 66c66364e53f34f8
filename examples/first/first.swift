import Foundation
import PlotEngineKit

let feed = try Feed(
  json: """
    {"version": 1,
     "regions": [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
     "campaigns": [{"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]}]}
    """)
let engine = Engine()
try engine.onShow { notification in
  print(notification.message)
  return true
}
try engine.start(feed: feed)
try engine.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))
if try engine.displayedNotifications.isEmpty { print(try engine.explain("welcome").sentence) }
engine.close()
