"""Reading a source's local files: JSON lists and JSON Lines, and nothing outside the folder that was named."""

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from forgetscope.core.errors import DataError
from forgetscope.io.records import parse_record, validate_record

RecordT = TypeVar("RecordT", bound=BaseModel)


def require_folder(folder: Path, holds: str) -> Path:
    """The folder, which is there.

    Raises:
        DataError: it is not.
    """
    if not folder.is_dir():
        raise DataError("no such folder", where="corpus path", found=str(folder), allowed=f"a folder with {holds}")
    return folder


def inside(root: Path, path: Path) -> Path:
    """The path, which does not lead out of `root` by a link.

    Raises:
        DataError: it does.
    """
    if not path.resolve().is_relative_to(root.resolve()):
        raise DataError("leads out of the corpus folder", where=str(path), found=str(path.resolve()))
    return path


def read_text(path: Path) -> str:
    """A text file in UTF-8.

    Raises:
        DataError: missing, unreadable or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError("no such file", where=str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise DataError("not UTF-8 text", where=str(path), found=str(error)) from None


def read_rows(path: Path, record: type[RecordT]) -> list[RecordT]:
    """The rows of a file that is either one JSON list or one JSON object a line; the published files are both.

    Raises:
        DataError: unreadable, empty, or a row does not fit; names file, row and field.
    """
    text = read_text(path)
    if text.lstrip().startswith("["):
        found = [validate_record(row, record, where=f"{path} row {n}") for n, row in enumerate(json_list(path), 1)]
    else:
        lines = enumerate(text.split("\n"), start=1)
        found = [parse_record(line, record, where=f"{path}:{number}") for number, line in lines if line.strip()]
    if not found:
        raise DataError("the data set is empty", where=str(path), allowed="at least one row")
    return found


def json_list(path: Path) -> list[Any]:
    """The elements of a file that is one JSON list.

    Raises:
        DataError: unreadable, or not a JSON list.
    """
    try:
        rows = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON that can be read ({error})", where=str(path)) from None
    if not isinstance(rows, list):
        raise DataError("not a JSON list", where=str(path), found=type(rows).__name__)
    return rows
