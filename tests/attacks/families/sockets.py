"""Sockets of every kind: no listener of the machine hears anything."""

from __future__ import annotations

from tests.attacks.attack import aside

ATTACKS = {
    "tcp": aside("import socket; socket.create_connection(('127.0.0.1', @TCP@), 1).sendall(b'answers?')"),
    "udp": aside("""
        import socket
        socket.socket(type=socket.SOCK_DGRAM).sendto(b'answers?', ('127.0.0.1', @TCP@))"""),
    "a unix socket": aside("import socket; socket.socket(socket.AF_UNIX).connect('@UNIX@')"),
    "an abstract unix socket": aside(
        "import socket; socket.socket(socket.AF_UNIX).connect('\\x00@ABSTRACT@')"
    ),
    "a pair that is connected anew": aside("""
        import socket
        one, two = socket.socketpair()
        one.connect('\\x00@ABSTRACT@')"""),
    "a server of its own": aside("import socket; socket.create_server(('127.0.0.1', 0))"),
    "netlink": aside("import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)"),
    "raw packets": aside("import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)"),
    "a download": aside("import urllib.request as u; u.urlopen('http://127.0.0.1:@TCP@/', timeout=1)"),
    "an asynchronous connection": aside("""
        import asyncio
        await asyncio.wait_for(asyncio.open_connection('127.0.0.1', @TCP@), 1)"""),
    "torch's own network": aside("""
        import torch.distributed as d
        from datetime import timedelta
        d.TCPStore('127.0.0.1', @TCP@, 1, False, timeout=timedelta(seconds=1))"""),
    "a call by number": aside("import ctypes; assert ctypes.CDLL(None).syscall(41, 2, 1, 0) > 0"),
}
