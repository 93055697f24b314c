from kern._function import Function

def elementwise(
    in_params: str,
    out_params: str,
    operation: str,
    name: str = "kernel",
    *,
    preamble: str = "",
    doc: str | None = None,
) -> Function: ...
