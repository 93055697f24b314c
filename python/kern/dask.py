"""Kern's functions on Dask's arrays, and clusters with a process for each GPU.

A function is called on Dask's arrays as on others: `f(x, y)` works block by block
and takes all of Kern's keywords; functions travel to the workers by their source.
call() does the same and takes what concerns Dask alone.
"""


def call(function, *arguments, allow_rechunk=False, **keywords):
    """Calls a function on Dask's arrays; the same as `function(*arguments)`, with

    allow_rechunk: whether core dimensions that lie in several chunks are brought
        into one, which may take much memory; otherwise that is a ValueError.

    Arrays, numbers and `dim`s as in any call. `out` and `where` are for ufuncs of
    one result. `device="cuda"` runs each block on the worker's GPU.

    Returns a dask.array.Array, or a tuple of them; nothing is computed. Shapes and
    types are found without a GPU. Errors in them are raised at once, as in a call.
    """
    from kern import _dask_array

    return _dask_array.call(
        function, *arguments, allow_rechunk=allow_rechunk, **keywords
    )


def gpu_cluster(gpus=None, *, nthreads=1, **worker):
    """A cluster on this machine with one process for each GPU, which sees that
    GPU alone, as `cuda:0`.

    gpus: their numbers, or names as CUDA_VISIBLE_DEVICES takes them; all that
        this process may see if it is not given.
    nthreads: the threads of each worker. Blocks wait for one another on a GPU;
        a second thread can read and write files meanwhile.
    worker: other options of distributed.Nanny, as memory_limit.

    Gives a distributed.SpecCluster, for `distributed.Client(cluster)`. It is
    reached from this machine alone. Raises RuntimeError if there is no GPU.
    """
    from kern import _dask_gpus

    return _dask_gpus.cluster(gpus, nthreads=nthreads, **worker)
