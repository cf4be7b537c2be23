"""This machine's IP addresses, and which of them phones on the same network can reach."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import shutil
import socket
import subprocess
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import ifaddr

#: Bridges of containers and virtual machines, through which no phone comes. Linux, macOS, then Windows.
BRIDGE = re.compile(
    r"^(br-|docker|podman|cni|veth|virbr|vmnet|vboxnet|lxc|lxd|bridge1)|vEthernet|Virtual|VMware"
)
TUNNEL = re.compile(r"^(tun|tap|wg|ppp|utun|ipsec|zt|tailscale)|WireGuard|Tailscale|ZeroTier|TAP-Windows|VPN")


class NetworkKind(Enum):
    LAN, BRIDGE, TUNNEL = auto(), auto(), auto()


@dataclass(frozen=True)
class LocalAddress:
    name: str
    address: str
    kind: NetworkKind


def local_addresses() -> list[LocalAddress]:
    """Return this machine's IPv4 addresses on networks, the one of the default route first."""
    route = _default_route()
    found = [
        LocalAddress(ip.nice_name, str(ip.ip), _kind(f"{adapter.nice_name} {ip.nice_name}", ip.ip == route))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and _is_useful(str(ip.ip))
    ]
    return sorted(dict.fromkeys(found), key=lambda local: local.address != route)


def lan_addresses() -> list[str]:
    """Return those on local networks, the one of the default route first."""
    return [local.address for local in local_addresses() if local.kind is NetworkKind.LAN]


def is_own(address: str) -> bool:
    ours = {ip.ip if ip.is_IPv4 else ip.ip[0] for adapter in ifaddr.get_adapters() for ip in adapter.ips}
    return address in ours or ipaddress.ip_address(address).is_loopback


def is_in_wsl_apart() -> bool:
    """True in WSL (Linux under Windows) with a network of its own, which no phone can reach."""
    version = Path("/proc/sys/kernel/osrelease")
    if not version.exists() or "microsoft" not in version.read_text().lower():
        return False
    program = shutil.which("wslinfo")
    mode = subprocess.run([program, "--networking-mode"], capture_output=True, text=True) if program else None  # noqa: S603
    return mode is None or mode.stdout.strip() != "mirrored"


def is_in_container() -> bool:
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()


def _kind(name: str, is_default_route: bool) -> NetworkKind:
    if TUNNEL.search(name):
        return NetworkKind.TUNNEL
    # If the default route is a bridge, as under Hyper-V, the local network is behind it.
    return NetworkKind.BRIDGE if BRIDGE.search(name) and not is_default_route else NetworkKind.LAN


def _is_useful(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast)


def _default_route() -> str | None:
    # Connecting a datagram socket sends nothing; it only selects the interface that a packet would leave by.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        return str(sock.getsockname()[0])
    return None
