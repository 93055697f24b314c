"""A Dask cluster with a process for each GPU."""

import os

from distributed import Nanny, Scheduler, SpecCluster

from kern import _devices


def visible_gpus():
    """The GPUs that this process may see, as CUDA_VISIBLE_DEVICES names them."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is not None:
        return [one.strip() for one in named.split(",") if one.strip()]
    return [str(i) for i in range(len(_devices.devices()) - 1)]


def cluster(gpus=None, **worker):
    names = visible_gpus() if gpus is None else [str(one) for one in gpus]
    if not names:
        raise RuntimeError(
            f"there is no GPU for a worker: {_devices.cuda_unavailable_reason()}"
        )
    workers = {
        f"gpu-{name}": {
            "cls": Nanny,
            "options": {
                **worker,
                "env": {**worker.get("env", {}), "CUDA_VISIBLE_DEVICES": name},
            },
        }
        for name in names
    }
    # On this machine alone: nobody else is to reach it.
    scheduler = {
        "cls": Scheduler,
        "options": {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"},
    }
    return SpecCluster(workers=workers, scheduler=scheduler, name="kern-gpus")
