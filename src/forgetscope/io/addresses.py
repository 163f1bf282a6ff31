"""Addresses of servers, as a user or a variable of the environment gives them: the one place where they are checked."""

from urllib.parse import unquote, urlsplit

from forgetscope.core.errors import SettingError
from forgetscope.core.secrets import LIKE_A_KEY, looks_secret, masked

ALLOWED = "http://HOST or https://HOST, with a port from 1 to 65535 and a path, such as http://127.0.0.1:8000/v1"


def require_address(address: str | None, where: str) -> None:
    """See that requests can be sent to an address, and that it can be written down. None is no address of one's own.

    Raises:
        SettingError: it is none of a web server, or a name, password or key stands in it.
    """
    if address is None:
        return
    if _holds_secret(address):
        raise SettingError(
            "the address holds a secret, which a run would write down",
            where=where,
            allowed="an address without name, password or key",
            next_step="give the key by the provider's environment variable, or as -M api_key=env:VARIABLE",
        )
    if not _is_of_server(address):
        raise SettingError("not the address of a server", where=where, found=address, allowed=ALLOWED)


def _holds_secret(address: str) -> bool:
    try:
        parts = urlsplit(address)
        named = parts.username is not None
    except ValueError:  # then it is no address, which is said of it where it may be repeated
        return "@" in address or masked(address) != address
    asked = [pair.partition("=")[0] for pair in (*parts.query.split("&"), *parts.fragment.split("&"))]
    return (
        named
        or any(map(looks_secret, asked))
        or masked(address) != address
        or bool(LIKE_A_KEY.search(unquote(address)))
    )


def _is_of_server(address: str) -> bool:
    import httpx2  # which reads it in the end

    if any(sign.isspace() or not sign.isprintable() for sign in address):
        return False
    try:
        parts, read = urlsplit(address), httpx2.URL(address)
        labels = read.raw_host.decode().removesuffix(".").split(".")
        return parts.scheme in ("http", "https") and all(0 < len(one) < 64 for one in labels) and parts.port != 0
    except (ValueError, httpx2.InvalidURL):
        return False
