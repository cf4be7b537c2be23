"""This machine's addresses for phones on the same network."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct

#: Bridges and tunnels of containers and virtual machines: no phone is behind them.
VIRTUAL = ("br-", "docker", "podman", "cni", "veth", "virbr", "vmnet", "tun", "tap", "wg")
SIOCGIFADDR = 0x8915


def lan_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on local networks, the one of the default route first."""
    found = [*_default_route(), *_interfaces(), *_host_name()]
    return [address for address in dict.fromkeys(found) if _is_useful(address)]


def _is_useful(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def _default_route() -> list[str]:
    # Connecting a datagram socket sends nothing: it only asks which way a packet would leave.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        return [sock.getsockname()[0]]
    return []


def _interfaces() -> list[str]:
    try:
        import fcntl
    except ImportError:  # Windows
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            if name.startswith(VIRTUAL):
                continue
            with contextlib.suppress(OSError):  # no IPv4 address, or not Linux
                answer = fcntl.ioctl(sock, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _host_name() -> list[str]:
    with contextlib.suppress(OSError):
        return socket.gethostbyname_ex(socket.gethostname())[2]
    return []
