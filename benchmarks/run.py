"""One run of the benchmark: this project and its peers, interleaved, on one class.

    python benchmarks/run.py [--size 200] [--rounds 3] [--growth 50,500,5000] [--loops]

Needs a machine that is otherwise idle, because CPU time is the whole machine's. Peers are installed
from the package registry, each in an environment of its own below --venvs. With --growth, this
project also grades classes of other sizes, once each: 50,500,5000 shows whether the time of a
submission and the memory grow with the class.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from classes import make_class
from measure import Cost, run
from peers import ROOT, Floor, Peer, ThisProject, peers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=200, help="submissions in the class")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--growth", default="", help="sizes of further classes, this project only")
    parser.add_argument("--loops", action="store_true", help="two endless loops in the class")
    parser.add_argument("--only", default="", help="only peers whose name holds this")
    parser.add_argument("--venvs", type=Path, default=Path(tempfile.gettempdir()) / "bench-venvs")
    options = parser.parse_args()
    chosen = [peer for peer in peers() if options.only in peer.name]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        work = Path(name)
        os.chmod(work, 0o755)  # workers run without rights
        folder = work / "class"
        make_class(folder, options.size, loops=2 if options.loops else 0)
        places = {peer.name: _place(peer, work, options.venvs) for peer in chosen}
        total = options.size + (2 if options.loops else 0)
        counts = {peer.name: min(total, peer.most) for peer in chosen}
        for peer in chosen:
            peer.hand_in(places[peer.name][1], folder, counts[peer.name])
        costs: dict[str, list[Cost]] = {peer.name: [] for peer in chosen}
        for number in range(options.rounds + 1):
            for peer in chosen:  # interleaved, so that a change of the machine's speed hits all
                python, place = places[peer.name]
                cost = run(peer.command(python, place, folder, counts[peer.name]), place)
                if number:  # the first round warms disks and caches
                    costs[peer.name].append(cost)
        _table(chosen, costs, options.size)
        if options.growth:
            floor = next(peer for peer in peers() if isinstance(peer, Floor))
            _growth(chosen[0], places[chosen[0].name], floor, work, options.growth)


def _place(peer: Peer, work: Path, venvs: Path) -> tuple[Path, Path]:
    """The peer's Python and its prepared folder."""
    place = work / peer.name.replace(" ", "_").replace(",", "")
    place.mkdir()
    peer.prepare(place)
    if isinstance(peer, ThisProject | Floor):
        return Path(sys.executable), place
    home = venvs / peer.name.replace(" ", "_").replace(",", "")
    python = home / "bin" / "python"
    packages = (*peer.packages, "numpy")  # some right engines compute with numpy
    done = home / "packages.txt"
    if not done.exists() or done.read_text(encoding="utf-8").split() != list(packages):
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        done.write_text("\n".join(packages), encoding="utf-8")
    setup = getattr(peer, "setup", "").format(bin=python.parent)
    if setup:
        subprocess.run(  # the setup is one of this folder's own constants
            ["/bin/sh", "-c", setup], cwd=place, check=True, stdout=subprocess.DEVNULL
        )
    return python, place


def _table(chosen: list[Peer], costs: dict[str, list[Cost]], size: int) -> None:
    rates = {
        peer.name: min(size, peer.most) / statistics.median(c.seconds for c in costs[peer.name])
        for peer in chosen
    }
    ours = rates[chosen[0].name]
    print(f"\n{'grader':<26} {'properties':<11} {'n':>5} {'subm./s':>8} {'CPU ms':>8} "
          f"{'peak MiB':>9} {'ours is':>9}  isolation")  # fmt: skip
    for peer in chosen:
        runs, count = costs[peer.name], min(size, peer.most)
        cpu = statistics.median(c.cpu for c in runs) * 1000 / count
        peak = max(c.peak_mib for c in runs)
        print(f"{peer.name:<26} {peer.properties:<11} {count:>5} {rates[peer.name]:>8.1f} "
              f"{cpu:>8.1f} {peak:>9.0f} {ours / rates[peer.name]:>8.1f}x  {peer.isolation}")  # fmt: skip


def _growth(peer: Peer, place: tuple[Path, Path], floor: Peer, work: Path, sizes: str) -> None:
    print(f"\ngrowth, {peer.name}; and the CPU of the floor, on the same class")
    peaks: list[tuple[int, float]] = []
    for size in map(int, sizes.split(",")):
        folder = work / f"class{size}"
        make_class(folder, size)
        cost = run(peer.command(place[0], place[1], folder, size), place[1])
        least = run(floor.command(place[0], place[1], folder, size), place[1])
        print(f"{size:>6} submissions: {cost.seconds:7.1f} s, {cost.seconds * 1000 / size:6.1f} ms "
              f"each, CPU {cost.cpu * 1000 / size:5.1f} ms each ({cost.cpu / least.cpu:.1f} times the "
              f"floor's {least.cpu * 1000 / size:.1f}), peak {cost.peak_mib:.0f} MiB")  # fmt: skip
        peaks.append((size, cost.peak_mib))
    for (small, before), (large, after) in itertools.pairwise(peaks[-2:]):
        more = 100 * (after / before - 1)
        print(f"memory from {small:,} to {large:,}: {more:+.0f} %")


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
