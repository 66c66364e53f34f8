// The manual, 4.2: the notification filter of a Titanium app. Runs in a context of its own.
var plot = require('com.plotprojects.ti');

Ti.API.info('Notification Filter. Plot version: ' + plot.version);

var filterableNotifications = plot.popFilterableNotifications();

for (var i = 0; i < filterableNotifications.notifications.length; i++) {
var n = filterableNotifications.notifications[i];
n.message = "TestMessage: " + n.message;
n.data = "Test123: " + n.data;
}

//always call plot.sendNotifications function, even if filterableNotifications.notifications becomes empty
plot.sendNotifications(filterableNotifications);
