from plotengine import Engine, Notification

feed = {
    "version": 1,
    "regions": [
        {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}
    ],
    "campaigns": [
        {"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]}
    ],
}
shown: list[Notification] = []
with Engine({}, feed=feed, on_show=shown.append) as engine:
    engine.update_location(52.3601, 4.8851, accuracy=10)
    print(shown[0].message if shown else engine.explain("welcome")["sentence"])
