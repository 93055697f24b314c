#!/usr/bin/env python3
"""Joins exposures of the sky that are together larger than memory, with Dask.

usage: 13_survey.py FOLDER [--exposures 96] [--size 4096] [--workers 2]
                    [--memory 1GB] [--rows 64] [--gpus] [--picture sky.png]
                    [--zarr]

Makes the exposures as FOLDER/exposure-*.npy if they are not there: stars, the
noise of the detector, and cosmic rays; with --zarr it writes them to one array,
FOLDER/exposures.zarr, and reads that. Then takes of each pixel the mean over all
exposures without the rays, which are further from it than three standard
deviations. Workers are processes; each holds a few rows of all exposures at a
time. With --gpus there is a worker for each GPU, which computes there.

Needs: pip install kern-lang "dask[distributed]", and zarr for --zarr
"""

import argparse
import pathlib
import resource
import struct
import time
import zlib

import dask.array as da
import distributed
import kern
import numpy as np

SOURCE = pathlib.Path(__file__).with_name("13_survey.kern")
BACKGROUND, NOISE, RAYS = 100, 8, 1e-4


def main():
    arguments = parse_arguments()
    survey = kern.compile_file(SOURCE)
    with cluster_of(arguments) as cluster, distributed.Client(cluster) as client:
        files = make_exposures(arguments, survey, client)
        exposures = open_exposures(files, arguments.rows)
        if arguments.zarr:
            exposures = in_zarr(exposures, arguments.folder / "exposures.zarr")
        print(
            f"{len(files)} exposures, {exposures.nbytes / 1e9:.1f} GB; "
            f"{len(cluster.workers)} workers with {arguments.memory} each"
        )
        device = {"device": "cuda"} if arguments.gpus else {}
        sky = survey.clipped_mean(exposures, 3, axis=0, **device)

        begin = time.perf_counter()
        result = sky.persist()  # begins; the result is small enough to be kept
        distributed.progress(result, notebook=False)
        distributed.wait(result)
        seconds = time.perf_counter() - begin
        print(f"\n{exposures.nbytes / seconds / 1e9:.2f} GB/s")
        peak = max(client.run(peak_memory).values())
        print(f"at most {peak / 1e9:.2f} GB in a worker")

        sky = result.compute()
        np.save(arguments.folder / "sky.npy", sky)
        write_picture(arguments.picture, survey, np.load(files[0]), sky)
        print(f"wrote {arguments.folder / 'sky.npy'} and {arguments.picture}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--exposures", type=int, default=96)
    parser.add_argument("--size", type=int, default=4096, help="pixels of a side")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="1GB", help="of each worker")
    parser.add_argument("--rows", type=int, default=64, help="computed at once")
    parser.add_argument("--gpus", action="store_true")
    parser.add_argument("--zarr", action="store_true")
    parser.add_argument("--picture", type=pathlib.Path, default="sky.png")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    return arguments


def cluster_of(arguments):
    if arguments.gpus:
        return kern.dask.gpu_cluster(memory_limit=arguments.memory)
    return distributed.LocalCluster(
        n_workers=arguments.workers,
        threads_per_worker=1,
        memory_limit=arguments.memory,
        dashboard_address="127.0.0.1:0",
    )


def make_exposures(arguments, survey, client):
    """The files, which the workers write if they are missing."""
    count, size = arguments.exposures, arguments.size
    files = [arguments.folder / f"exposure-{i:03}.npy" for i in range(count)]
    if all(one.is_file() for one in files):
        return files
    rng = np.random.default_rng(1)
    stars = rng.random((200, 3)) * [size, size, 1]
    stars[:, 2] = 5000 * stars[:, 2] ** 6 + 20
    y, x = np.ogrid[:size, :size]
    x, y = (da.from_array(one.astype("f4"), chunks=512) for one in (x, y))
    clean = survey.starlight(x, y, stars.astype("f4")) + np.float32(BACKGROUND)
    clean = client.scatter(clean.compute(), broadcast=True)
    written = client.map(expose, files, range(count), clean=clean)
    distributed.wait(written)
    client.gather(written)
    return files


def expose(file, number, clean):
    """One exposure, in a worker."""
    rng = np.random.default_rng(number + 2)
    frame = rng.standard_normal(clean.shape, "f4")
    frame *= NOISE
    frame += clean
    hit = rng.integers(0, frame.size, int(frame.size * RAYS) + 1)
    frame.flat[hit] += 4000
    np.save(file, frame)


def open_exposures(files, rows):
    """All exposures as one Dask array: a chunk is some rows of all of them."""
    form = np.load(files[0], mmap_mode="r")
    height, width = form.shape
    heights = tuple(min(rows, height - first) for first in range(0, height, rows))
    return da.map_blocks(
        read_rows,
        chunks=((len(files),), heights, (width,)),
        dtype=form.dtype,
        meta=np.empty((0, 0, 0), form.dtype),
        files=files,
    )


def in_zarr(exposures, path):
    """The array, read from Zarr; it is written there with the same chunks."""
    exposures.to_zarr(str(path), overwrite=True)
    return da.from_zarr(str(path))


def read_rows(files, block_info=None):
    """A chunk, in a worker: reads nothing else of the files."""
    _, rows, _ = block_info[None]["array-location"]
    return np.stack([np.load(one, mmap_mode="r")[slice(*rows)] for one in files])


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def write_picture(path, survey, exposure, sky):
    """One exposure beside what all of them give, at most 1024 pixels high."""
    step = -(-sky.shape[0] // 1024)
    both = np.concatenate([exposure[::step, ::step], sky[::step, ::step]], axis=1)
    grey = survey.shade(both, BACKGROUND - 2 * NOISE, 2000)
    height, width = grey.shape

    def chunk(kind, data):
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    lines = np.pad(grey, ((0, 0), (1, 0)))  # each begins with its filter, none
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines.tobytes()))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    main()
