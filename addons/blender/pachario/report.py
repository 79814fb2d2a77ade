# SPDX-License-Identifier: MIT
"""What an export or import could not keep."""

try:
    import bpy
except ImportError:
    bpy = None

ERROR, WARNING, INFO = "ERROR", "WARNING", "INFO"


class Report:
    """A list of messages, each with a severity. Every message names the object, what was found, and where."""

    def __init__(self):
        self.entries = []

    def warn(self, *messages):
        self.entries += [(WARNING, message) for message in messages]

    def info(self, message):
        self.entries.append((INFO, message))

    def error(self, message):
        self.entries.append((ERROR, message))

    def text(self):
        return "".join(f"{severity.lower()}: {message}\n" for severity, message in self.entries)

    def write(self, title):
        """Writes the messages to the text block `title`, which is replaced."""
        text = bpy.data.texts.get(title) or bpy.data.texts.new(title)
        text.from_string(self.text() or "Everything was kept.\n")


def show(report, operator, title=None):
    """Shows a report in Blender's own reports, which are printed in the background, and else as the text `title`."""
    # The status bar keeps the last one.
    for severity, message in sorted(report.entries, key=lambda entry: (INFO, WARNING, ERROR).index(entry[0])):
        operator.report({severity}, message)
    if title and not bpy.app.background:
        report.write(title)
