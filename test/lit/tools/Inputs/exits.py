"""exits.py N COMMAND…: runs a command; fails unless its exit status is N."""

import subprocess
import sys

expected = int(sys.argv[1])
status = subprocess.run(sys.argv[2:], check=False).returncode
if status != expected:
    sys.exit(f"exit status {status}, expected {expected}: {' '.join(sys.argv[2:])}")
