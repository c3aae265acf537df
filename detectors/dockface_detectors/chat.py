"""One server with chat completions: an address, a request, an answer within a deadline. It follows no redirection and uses no proxy."""

import http.client
import ipaddress
import json
import ssl
import time
import urllib.parse

from . import verify

#: The largest answer, in bytes.
LARGEST = 1 << 20
#: The longest pause that a server may ask for, in seconds.
PAUSE = 600


class Trouble(Exception):
    """The server did not answer. `sent`: whether the request may have reached it."""

    def __init__(self, text, sent):
        super().__init__(text)
        self.sent = sent


class Server:
    """An address that its owner has written down."""

    def __init__(self, address, key=None):
        try:
            parts = urllib.parse.urlsplit(address)
            self.host, self.port = parts.hostname, parts.port
        except ValueError:
            parts = self.host = None
        if not self.host or parts.scheme not in ("http", "https") or parts.query or parts.fragment or parts.username or parts.password:
            raise verify.Unusable(f"{verify.plain(address, 60)} is not an address; write http://HOST:PORT/v1 or https://HOST/v1")
        self.path = (parts.path.rstrip("/") or "/v1") + "/chat/completions"
        self.local = local(self.host)
        self.encrypted, self.key = parts.scheme == "https", key
        if key and not self.encrypted and not self.local:
            raise verify.Unusable("a key is sent only to https addresses and to this machine")

    def post(self, body, deadline):
        """Sends a request. Returns the status, the answer as a dictionary, and how long to wait, in seconds or None."""
        data = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Connection": "close"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        connection, sent = self.connection(left(deadline, False)), False
        try:
            connection.connect()
            # The connection gives its socket away with the answer.
            line = connection.sock
            sent = True
            connection.request("POST", self.path, data, headers)
            answer = connection.getresponse()
            text = bytearray()
            while True:
                line.settimeout(left(deadline, sent))
                part = answer.read1(65_536)
                if not part:
                    break
                text += part
                if len(text) > LARGEST:
                    raise Trouble("the answer is longer than a megabyte", sent)
                # Newer versions of Python close the connection with the last byte, and its socket has no more timeout.
                if answer.isclosed():
                    break
            if answer.length:
                raise Trouble("the answer is cut off", sent)
            return answer.status, parsed(text), pause(answer.getheader("Retry-After"))
        except TimeoutError:
            raise Trouble("no answer in time", sent) from None
        except ssl.SSLCertVerificationError as error:
            raise verify.Unusable(f"the certificate of {self.host} is not trusted: {error.verify_message}") from None
        except (OSError, http.client.HTTPException) as error:
            words = verify.plain(getattr(error, "strerror", None) or error or type(error).__name__, 80)
            raise Trouble(f"{self.host}: {words}", sent) from None
        finally:
            connection.close()

    def connection(self, seconds):
        if self.encrypted:
            return http.client.HTTPSConnection(self.host, self.port, timeout=seconds, context=ssl.create_default_context())
        return http.client.HTTPConnection(self.host, self.port, timeout=seconds)


def local(host):
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def left(deadline, sent):
    """The time until a deadline, in seconds."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise Trouble("no answer in time", sent)
    return seconds


def parsed(text):
    """A JSON object, or an empty dictionary."""
    try:
        value = json.loads(text.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def pause(header):
    """How long a server wants to be left alone, in seconds, or None. A date is not read."""
    try:
        return min(PAUSE, max(0, int(header)))
    except (TypeError, ValueError):
        return None


def words(answer):
    """What a server says is wrong, in lower case."""
    error = answer.get("error")
    parts = [error.get(name) for name in ("message", "code", "type", "param")] if isinstance(error, dict) else [error]
    return verify.plain(" ".join(str(part) for part in parts if part), 300).lower()


def check(status, answer, after):
    """Raises what an answer without a result means."""
    if status == 200 and "error" not in answer:
        return
    said = words(answer)
    why = f" ({verify.plain(said, 60)})" if said else ""
    if status in (401, 403):
        # Some servers repeat the key in their answer.
        raise verify.Unusable("the server refuses the key")
    if status == 404:
        raise verify.Unusable(f"the server knows no such model or address{why}")
    if 300 <= status < 400:
        raise verify.Unusable("the server sends elsewhere, which is not followed; write down the address where it is")
    if "insufficient_quota" in said:
        raise verify.Unusable(f"the account has no money left{why}")
    if "image" in said and "support" in said:
        raise verify.Unusable(f"the model sees no pictures{why}")
    if status == 429:
        raise verify.Failed(f"the server has had too many questions{why}", after)
    if status == 503 and "loading" in said:
        raise verify.Failed("the model is being loaded", after)
    raise verify.Failed(f"the server answers {status}{why}", after)
