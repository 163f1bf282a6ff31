"""A Slurm cluster of this machine alone, in a folder, for as long as a command runs; nothing of it stays.

    python -m tools.one_machine_slurm FOLDER -- COMMAND...

munged, slurmctld and slurmd of the distribution (Debian: apt-get install slurmctld slurmd slurm-client munge) run in
the foreground as root, with a configuration, key, state and ports of their own, so that no other cluster is touched.
"""

import argparse
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "scancel", "sinfo")
_SECONDS = 60.0

_CONFIGURATION = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=1
ReturnToService=2
JobRequeue=1
KillWait=5
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=one Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Why there can be no such cluster here; empty where there can."""
    absent = [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]
    if absent:
        return f"Slurm is not installed (no {', '.join(absent)})"
    return "" if os.geteuid() == 0 else "Slurm's daemons need root here"


@contextmanager
def one_machine_slurm(folder: Path, *, cpus: int = 2) -> Iterator[Mapping[str, str]]:
    """The environment in which Slurm's commands find the cluster, while it runs.

    Args:
        folder: For configuration, state and logs; its path is kept short, for a socket stands in it.
        cpus: That the node says it has.

    Raises:
        RuntimeError: the node does not come up within a minute, or a daemon ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("state", "spool"):
        (folder / name).mkdir(exist_ok=True)
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    host = socket.gethostname().partition(".")[0]
    controller_port, node_port = _free_ports(2)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20 // 2
    configuration = folder / "slurm.conf"
    configuration.write_text(
        _CONFIGURATION.format(
            host=host, folder=folder, cpus=cpus, memory=memory, controller_port=controller_port, node_port=node_port
        )
    )
    environment = {**os.environ, "SLURM_CONF": str(configuration), "PATH": _path()}
    munge = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
    with ExitStack() as daemons:
        for command in (
            ["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", *munge],
            ["slurmctld", "-D", "-f", str(configuration)],
            ["slurmd", "-D", "-N", host, "-f", str(configuration)],
        ):
            daemons.enter_context(_daemon(command, folder, environment))
            time.sleep(1)
        _wait_for_node(host, environment, folder)
        yield environment
        subprocess.run(["scancel", "--user=root"], env=environment, check=False)  # noqa: S607
        _wait_until(lambda: not _output(["squeue", "--noheader"], environment), "jobs that do not end", folder)


@contextmanager
def _daemon(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    with (folder / f"{command[0]}.out").open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)  # noqa: S603
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for_node(host: str, environment: Mapping[str, str], folder: Path) -> None:
    state = ["sinfo", "--noheader", "--format=%t", f"--nodes={host}"]
    _wait_until(lambda: _output(state, environment).startswith("idle"), "the node does not come up", folder)


def _wait_until(is_so: Callable[[], bool], trouble: str, folder: Path) -> None:
    until = time.monotonic() + _SECONDS
    while not is_so():
        if time.monotonic() > until:
            logs = "\n".join(f"{path.name}: {path.read_text(errors='replace')[-600:]}" for path in folder.glob("*.out"))
            raise RuntimeError(f"{trouble}:\n{logs}")
        time.sleep(0.5)


def _output(command: Sequence[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)  # noqa: S603
    return done.stdout.strip()


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def _free_ports(number: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def main() -> int:
    """`FOLDER -- COMMAND...`: the command's exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if trouble := missing():
        print(trouble, file=sys.stderr)
        return 2
    with one_machine_slurm(arguments.folder.resolve()) as environment:
        return subprocess.run(arguments.command, env=environment, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
