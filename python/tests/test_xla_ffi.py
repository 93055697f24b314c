"""XLA's binary interface as python/src/XlaFfi.h has it, against the header of the
JAX that is installed."""

import pathlib
import shutil
import subprocess

import pytest

jax = pytest.importorskip("jax")
HEADER = pathlib.Path(__file__).resolve().parents[1] / "src" / "XlaFfi.h"
COMPILER = shutil.which("clang++-22") or shutil.which("g++")

# Ours, theirs, and the members by their names here and there.
STRUCTS = [
    ("Extension", "XLA_FFI_Extension_Base", "size=struct_size type next"),
    ("Version", "XLA_FFI_Api_Version",
     "extensions=extension_start major=major_version minor=minor_version"),
    ("Metadata", "XLA_FFI_Metadata", "size=struct_size version=api_version traits"),
    ("MetadataExtension", "XLA_FFI_Metadata_Extension",
     "base=extension_base metadata"),
    ("Buffer", "XLA_FFI_Buffer", "type=dtype data rank shape=dims"),
    ("Text", "XLA_FFI_ByteSpan", "data=ptr length=len"),
    ("Numbers", "XLA_FFI_Array", "type=dtype count=size data"),
    ("Operands", "XLA_FFI_Args", "count=size kinds=types values=args"),
    ("Operands", "XLA_FFI_Rets", "count=size kinds=types values=rets"),
    ("Attributes", "XLA_FFI_Attrs", "count=size kinds=types names values=attrs"),
    ("FailureRequest", "XLA_FFI_Error_Create_Args", "message code=errc"),
    ("StreamRequest", "XLA_FFI_Stream_Get_Args", "context=ctx stream"),
    ("DeviceRequest", "XLA_FFI_DeviceOrdinal_Get_Args",
     "context=ctx device=device_ordinal"),
    ("Api", "XLA_FFI_Api",
     "size=struct_size version=api_version makeFailure=XLA_FFI_Error_Create "
     "stream=XLA_FFI_Stream_Get device=XLA_FFI_DeviceOrdinal_Get"),
    ("Call", "XLA_FFI_CallFrame",
     "extensions=extension_start api context=ctx stage arguments=args results=rets "
     "attributes=attrs"),
]  # fmt: skip
TYPES = {"Bool": "PRED", "I8": "S8", "I16": "S16", "I32": "S32", "I64": "S64"}
TYPES.update({one: one for one in "U8 U16 U32 U64 F16 F32 F64 C64 BF16 C128".split()})
VALUES = [
    *(("Type::" + ours, "XLA_FFI_DataType_" + theirs) for ours, theirs in TYPES.items()),
    ("metadataExtension", "XLA_FFI_Extension_Metadata"),
    ("bufferKind", "XLA_FFI_ArgType_BUFFER"),
    ("bufferKind", "XLA_FFI_RetType_BUFFER"),
    ("AttributeKind::Numbers", "XLA_FFI_AttrType_ARRAY"),
    ("AttributeKind::Text", "XLA_FFI_AttrType_STRING"),
    ("ErrorCode::InvalidArgument", "XLA_FFI_Error_Code_INVALID_ARGUMENT"),
    ("ErrorCode::NotFound", "XLA_FFI_Error_Code_NOT_FOUND"),
    ("ErrorCode::Internal", "XLA_FFI_Error_Code_INTERNAL"),
    ("Stage::Execute", "XLA_FFI_ExecutionStage_EXECUTE"),
]  # fmt: skip


def assertions():
    for ours, theirs, members in STRUCTS:
        # Theirs may have grown at its end.
        yield f"sizeof(xla::{ours}) <= sizeof({theirs})"
        for one in members.split():
            here, _, there = one.partition("=")
            there = there or here
            yield f"offsetof(xla::{ours}, {here}) == offsetof({theirs}, {there})"
            yield (
                f"sizeof(std::declval<xla::{ours}>().{here}) <= "
                f"sizeof(std::declval<{theirs}>().{there})"
            )
    for ours, theirs in VALUES:
        yield f"int(xla::{ours}) == int({theirs})"
    yield "xla::majorVersion == XLA_FFI_API_MAJOR"
    yield "xla::minorVersion <= XLA_FFI_API_MINOR"


@pytest.mark.skipif(not HEADER.is_file(), reason="the sources are not here")
@pytest.mark.skipif(not COMPILER, reason="there is no C++ compiler")
def test_layouts(tmp_path):
    lines = [
        f'#include "{HEADER}"',
        "#include <utility>",
        '#include "xla/ffi/api/c_api.h"',
        "namespace xla = kern::python::xla;",
        *(f'static_assert({one}, "{one}");' for one in assertions()),
    ]
    source = tmp_path / "layouts.cpp"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", "-Wno-invalid-offsetof",
         f"-I{jax.ffi.include_dir()}", source],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
