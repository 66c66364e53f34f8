// The manual, chapter 5: the script of a Cordova app. `plot`, `alert` and `console` are globals of the page.

//Optional, by default the data is treated as set in the dashboard.
plot.notificationHandler = function(notification, data) {
alert(data);
}

//Optional, by default all notifications are sent.
plot.filterCallback = function(notifications) {
  for (var i = 0; i < notifications.length; i++) {
    notifications[i].message = "NewMessage";
    notifications[i].data = "http://www.example.com";
  }
    return notifications;
};

document.addEventListener("deviceready", function() {
  plot.init({}, function() {
    // Set the segment for being a premium member to true.
    plot.setBooleanSegmentationProperty("premiumMember", true);

    // Set the segment for gender to male.
    plot.setStringSegmentationProperty("gender", "M");

    // Set the segment for year of birth to 1980.
    plot.setIntegerSegmentationProperty("yearOfBirth", 1980);

    // Set the segment for money spent to $10.35.
    plot.setDoubleSegmentationProperty("moneySpent", 10.35);

    // Set the sign-up date segment to now.
    plot.setDateSegmentationProperty("signUp", new Date());

    plot.loadedNotifications(function(notifications) {
      // Do something with the notifications
    });
    plot.loadedGeotriggers(function(geotriggers) {
      // Do something with the geotriggers
    });

    // Such as this
    plot.loadedNotifications(function(notifications) {
      console.log("Listening to " + notifications.length + " notification");
    });
    plot.loadedGeotriggers(function(geotriggers) {
      console.log("and to " + geotriggers.length + " geotriggers");
    });
  }, function(error) {
    console.error(error);
  });
});
