"""A server that misbehaves as the path of a request says, for the tests of runtime/fetch and of the API client.

    misbehaving.py          prints its port and its TLS port; ends at the end of standard input

TLS uses localhost.pem, a certificate made for these tests, which clients trust only if they are configured to.

/BEHAVIOUR/...  behaves as BEHAVIOUR says (see `behave`); endless responses end with the client's connection.
/count/KEY      the number of other requests that had /KEY/ in their path
/last           the previous request: method, path, headers in lower case, body
"""
import json
import socket
import ssl
import sys
import threading
from pathlib import Path

lock = threading.Lock()
seen = []
GOOD = b'{"answer":42}'


def head(status, *headers):
    return "\r\n".join([f"HTTP/1.1 {status} Whatever", *headers, "", ""]).encode()


def whole(status, body, *headers, kind="application/json"):
    return head(status, f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers) + body


def until_gone(connection):
    """Reads until the client has closed its side."""
    while connection.recv(65536):
        pass


def for_ever(connection, chunk):
    while True:
        connection.sendall(chunk)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def behave(connection, path, times, body):
    name, *rest = path.strip("/").split("/")
    send = connection.sendall
    if name == "good":
        send(whole(200, GOOD))
    elif name == "reply":  # The client sends the response that it wants: {"reply": ...}
        send(whole(200, json.dumps(json.loads(body)["reply"]).encode()))
    elif name == "say":  # /say/TEXT in hex
        send(whole(200, bytes.fromhex(rest[0])))
    elif name == "silent":
        until_gone(connection)
    elif name == "slow_head":
        send(b"HTTP/1.1 200 OK\r\nContent-Ty")
        until_gone(connection)
    elif name == "slow_body":
        send(head(200, "Content-Type: application/json", "Content-Length: 100") + b'{"answer":')
        until_gone(connection)
    elif name == "reset_before":
        reset(connection)
    elif name == "reset_after":
        send(head(200, "Content-Type: application/json", "Content-Length: 100") + b'{"answer":')
        reset(connection)
    elif name == "truncated":
        send(head(200, "Content-Type: application/json", "Content-Length: 100") + b'{"answer":')
    elif name == "closed":
        pass
    elif name == "bad_json":
        send(whole(200, b'{"answer":42'))
    elif name == "wrong_type":
        send(whole(200, b'{"answer":"forty-two"}'))
    elif name == "invalid_utf8":
        send(whole(200, b'{"answer":"\xff"}'))
    elif name == "content_type":
        send(whole(200, GOOD, kind="text/html"))
    elif name == "problem_json":
        send(whole(200, GOOD, kind="application/problem+JSON ; charset=utf-8"))
    elif name == "no_content":
        send(head(204))
    elif name == "huge":
        send(head(200, "Content-Type: application/json", "Content-Length: 100000000000"))
        for_ever(connection, b" " * 65536)
    elif name == "endless":
        send(head(200, "Content-Type: application/json", "Transfer-Encoding: chunked"))
        for_ever(connection, b"1000\r\n" + b" " * 4096 + b"\r\n")
    elif name == "endless_head":
        send(b"HTTP/1.1 200 OK\r\n")
        for_ever(connection, b"X-More: " + b"m" * 1000 + b"\r\n")
    elif name == "gzip":
        send(whole(200, b"\x1f\x8b\x08\0" + b"\0" * 20, "Content-Encoding: gzip"))
    elif name == "redirect":
        send(whole(302, b"{}", "Location: http://127.0.0.2:9/elsewhere"))
    elif name == "garbage":
        send(b"220 this is no web server\r\n")
        until_gone(connection)
    elif name == "status":  # /status/503/TIMES/KEY: fails TIMES times, then succeeds
        if times <= int(rest[1]):
            send(whole(int(rest[0]), b"{}"))
        else:
            send(whole(200, GOOD))
    elif name == "retry_after":  # /retry_after/429/TEXT/KEY: fails once
        if times <= 1:
            send(whole(int(rest[0]), b"{}", "Retry-After: " + rest[1].replace("_", " ")))
        else:
            send(whole(200, GOOD))
    elif name == "break_off":  # /break_off/KEY: closes the connection in the middle of the first response
        send(b"" if times <= 1 else whole(200, GOOD))
    elif name == "count":
        with lock:
            paths = [each["path"] + "/" for each in seen if not each["path"].startswith("/count/")]
            count = sum(f"/{rest[0]}/" in path for path in paths)
        send(whole(200, json.dumps({"answer": count}).encode()))
    elif name == "last":
        with lock:
            last = seen[-2]
        send(whole(200, json.dumps(last).encode()))
    else:
        send(whole(404, b"{}"))


def serve(connection):
    try:
        text = b""
        while b"\r\n\r\n" not in text:
            more = connection.recv(65536)
            if not more:
                return
            text += more
        top, body = text.split(b"\r\n\r\n", 1)
        request, *lines = top.decode("latin-1").split("\r\n")
        method, path, _ = request.split(" ")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        while len(body) < int(headers.get("content-length", "0")):
            body += connection.recv(65536)
        with lock:
            seen.append({"method": method, "path": path, "headers": headers, "body": body.decode()})
            times = sum(each["path"] == path for each in seen)
        behave(connection, path, times, body)
    except OSError:
        pass  # The client closed the connection, as expected.
    finally:
        connection.close()


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("localhost.pem"))
    listeners = [socket.create_server(("127.0.0.1", 0), backlog=100) for _ in range(2)]

    def serve_tls(connection):
        try:
            serve(context.wrap_socket(connection, server_side=True))
        except OSError:
            connection.close()

    def accept(listener, how):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=how, args=[connection], daemon=True).start()

    for listener, how in zip(listeners, [serve, serve_tls]):
        threading.Thread(target=accept, args=[listener, how], daemon=True).start()
    print(*(each.getsockname()[1] for each in listeners), flush=True)
    sys.stdin.read()


main()
