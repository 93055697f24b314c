"""The package, unpacked where nothing refers to the source or the build.

KERN_PACKAGE names the .tar.xz.
"""

import os
import pathlib
import re
import subprocess
import tempfile

PACKAGE = pathlib.Path(os.environ["KERN_PACKAGE"])
VERSION = re.search(r"kern-([\d.]+)-linux", PACKAGE.name)[1]


class Unpacked:
    """A folder, whose name holds blanks, with the package in it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="kern package ")
        subprocess.run(["tar", "-xf", PACKAGE, "-C", self.folder.name], check=True)
        (self.prefix,) = pathlib.Path(self.folder.name).iterdir()

    def cleanup(self):
        self.folder.cleanup()

    def run(self, *command, path="", **options):
        """Runs a command, with `path` before the system's programs."""
        environment = {
            "PATH": f"{path}:/usr/bin:/bin" if path else "/usr/bin:/bin",
            "HOME": self.folder.name,
        }
        return subprocess.run(
            [str(part) for part in command],
            capture_output=True, text=True, env=environment, timeout=300,
            **options,
        )  # fmt: skip
