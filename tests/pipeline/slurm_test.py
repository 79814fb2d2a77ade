#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs examples/pipeline/thumbnails.sbatch on two nodes of Slurm on this machine, and kills one of them. Then runs the
commands of the examples' README.

    slurm_test.py PCHR REPOSITORY WORK_FOLDER

Needs root and Slurm; exits with 77 without them.
"""
import errno
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

import farm

PROGRAMS = "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"
# Slurm ends the names of its own options and the comments at #.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
StateSaveLocation={work}/state
SlurmctldPidFile={work}/slurmctld.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdSpoolDir={work}/%n
SlurmdPidFile={work}/%n.pid
SlurmdLogFile={work}/%n.log
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=localhost Port={ports[1]} CPUs=2 RealMemory=4096
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=localhost Port={ports[2]} CPUs=2 RealMemory=4096
PartitionName=test Nodes=n1,n2 Default=YES State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(condition):
    while not (result := condition()):
        time.sleep(0.05)
    return result


def own_processes(configuration):
    """Yields each process of a job of this cluster: its id and environment."""
    marker = f"SLURM_CONF={configuration}"
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            values = (folder / "environ").read_text(errors="replace").split("\0")
        except OSError:
            continue
        if marker in values and any(value.startswith("SLURM_JOB_ID=") for value in values):
            yield int(folder.name), values


def parent(process):
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Cluster:
    def __init__(self, work, environment):
        (work / "state").mkdir(parents=True)
        self.configuration = work / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(work=work, ports=free_ports(3)))
        self.environment = dict(environment, SLURM_CONF=str(self.configuration))
        self.daemons = {"slurmctld": self.start("slurmctld", "-D")}
        for node in "n1", "n2":
            self.daemons[node] = self.start("slurmd", "-D", "-N", node)

    def __enter__(self):
        wait_for(lambda: self.ask("sinfo", "-h", "-o", "%D %t").split() == ["2", "idle"])
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
            daemon.wait()
        for process, _ in own_processes(self.configuration):
            kill(process)

    def start(self, *command):
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True).stdout.strip()

    def kill_node(self, node):
        """Kills a node's processes and those of its job, as a power failure would."""
        job = [process for process, values in own_processes(self.configuration) if f"SLURMD_NODENAME={node}" in values]
        steps = {step for step in map(parent, job) if step not in job and step != 1}
        self.daemons[node].kill()
        self.daemons[node].wait()
        for process in [*steps, *job]:
            kill(process)
        self.ask("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=killed")


def open_for_writing(pipe):
    """Opens a named pipe if a process reads it."""
    try:
        return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return None


def check_killed_node(cluster, repository, pchr, work):
    cast = farm.make_cast(repository, work / "cast", 12)
    expected = farm.draw(pchr, cast, work / "expected")
    # The task that gets to the last character waits there until its node is killed.
    last = pathlib.Path(cast.read_text().splitlines()[-1])
    kept = last.rename(last.with_suffix(".kept"))
    os.mkfifo(last)
    output = work / "thumbnails"
    # With one CPU, pchr works on one character at a time, in order.
    job = cluster.ask("sbatch", "--parsable", "--array=1-2", "--cpus-per-task=1", f"--output={work}/%a.log",
                      repository / "examples/pipeline/thumbnails.sbatch", cast, output)
    pipe = wait_for(lambda: open_for_writing(last))
    wait_for(lambda: len(cluster.ask("squeue", "-h", "-j", job).splitlines()) == 1)
    task, node = cluster.ask("squeue", "-h", "-r", "-j", job, "-o", "%K %N").split()
    drawn = len(farm.hashes(output))
    assert drawn == 11 and not (output / f"manifests/{task}.json").exists()
    cluster.kill_node(node)
    os.close(pipe)
    last.unlink()
    kept.rename(last)
    wait_for(lambda: "JobState=PENDING" in cluster.ask("scontrol", "show", "job", f"{job}_{task}"))
    # Slurm waits two minutes before it restarts a task.
    cluster.ask("scontrol", "update", f"JobId={job}_{task}", "StartTime=now")
    wait_for(lambda: not cluster.ask("squeue", "-h", "-j", job))
    assert "JobState=COMPLETED" in cluster.ask("scontrol", "show", "job", f"{job}_{task}"), \
        (work / f"{task}.log").read_text()
    farm.check(output, (output / "manifests").iterdir(), cast, expected)
    statuses = [each["status"] for each in json.loads((output / f"manifests/{task}.json").read_text())["inputs"]]
    assert statuses == ["unchanged"] * (len(statuses) - 1) + ["written"], f"{statuses}: work was done twice"
    left = [path for path in output.glob(".pchr.*") if path.suffix not in (".stamp", ".tmp")]
    assert not left, f"{left} were left behind"


def main():
    pchr, repository, work = map(pathlib.Path, sys.argv[1:])
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        print("needs root and Slurm")
        sys.exit(farm.SKIPPED)
    shutil.rmtree(work, ignore_errors=True)
    with Cluster(work / "cluster", farm.environment(pchr)) as cluster:
        check_killed_node(cluster, repository, pchr, work)
        cluster.daemons["killed"] = cluster.start("slurmd", "-D", "-N", "n2")
        subprocess.run([sys.executable, "-B", repository / "tests/docs/commands.py", "--path", pchr.parent, "--copy",
                        repository / "examples/pipeline", repository / "assets",
                        repository / "examples/pipeline/README.md"], check=True, env=cluster.environment)
    print("2 passed, 0 failed")


main()
