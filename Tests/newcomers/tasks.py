"""Twelve tasks of people who have just come, each done by one page, word for word, in an empty folder.

A task has a page to follow, and words that must stand in what that page says its commands print. Tests/packages/check_pages.py follows the pages against
the packages of `make dist`, compares what is printed with the page, and tells how long each task took.
"""

# The person, the language, the wish, the page, and words that it must have said in the end.
TASKS = [
    ("app developer", "C", "a first notification", "docs/quickstart-c.md", "The device is not inside the region"),
    ("app developer", "Python", "a first notification", "docs/quickstart-python.md", "The device is not inside the region"),
    ("app developer", "Node", "a first notification", "docs/quickstart-node.md", "The device is not inside the region"),
    ("app developer", "Swift", "a first notification", "docs/quickstart-swift.md", "The device is not inside the region"),
    ("campaign maker", "tool", "replay a walk without code", "docs/quickstart-tool.md", "with engine.noise=exact: 2 notifications"),
    ("campaign maker", "tool", "find out why a coupon did not fire", "docs/stories.md", "unused-region"),
    ("campaign maker", "tool", "beacons in a shopping street", "demo/street/README.md", "3 notifications, 5 geotriggers"),
    ("maker of a phone's host", "C, Python, Node", "a process for each fix", "examples/phone-life/README.md", "shown: Tea at Park?"),
    ("maker of a messenger", "Python", "block a sender", "examples/blocked-senders/README.md", "New message from a blocked user"),
    ("support", "Python, C, Node", "replay what a phone has recorded", "examples/replay/README.md", "the same bytes"),
    ("data team", "Python", "a campaign on the fixes of many devices", "examples/fleet/README.md", '"notification-shown",2,"museum"'),
    ("operator", "tool", "a kiosk or a vehicle on Linux", "docs/linux.md", "Would you like a tour?"),
]


def without_words(outputs):
    """The tasks whose page nowhere says that its commands print the words. `outputs` gives what a page says that they print."""
    return [f"the page nowhere says that its commands print {words!r}: {page}" for *_, page, words in TASKS if words not in outputs(page)]


def lines(seconds):
    """A line for each task. `seconds` has how long each page took that was followed."""
    for number, (person, language, task, page, _) in enumerate(TASKS, 1):
        took = f"{seconds[page]:5.1f} s" if page in seconds else "not followed here"
        yield f"{number:2}  {person:24} {language:16} {task:40} {page:36} {took}"
