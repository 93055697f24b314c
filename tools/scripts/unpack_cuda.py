#!/usr/bin/env python3
"""Extracts cuda.h, libdevice and ptxas from NVIDIA's wheels.

usage: unpack_cuda.py WHEELS ROOT

WHEELS is a folder of wheels. ROOT becomes a small toolkit with include/,
nvvm/libdevice/ and bin/, where tools/cmake/KernCudaParts.cmake looks.
"""

import pathlib
import sys
import zipfile

# Their paths in a toolkit. In the wheels they are under nvidia/cu13/.
WANTED = ("include/cuda.h", "nvvm/libdevice/libdevice.10.bc", "bin/ptxas")


def place_of(member: str) -> str | None:
    """The path in the toolkit of a file in a wheel, or None if unwanted."""
    parts = member.split("/")
    path = "/".join(parts[2:])
    return path if parts[0] == "nvidia" and path in WANTED else None


def main() -> int:
    wheels, root = map(pathlib.Path, sys.argv[1:])
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                path = place_of(member)
                if path is None:
                    continue
                target = root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))
                if path.startswith("bin/"):
                    target.chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
