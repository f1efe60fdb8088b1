"""A command in a shell of tests, in place of an interpreter: has it forked by the process of ``preloaded.py``.

It imports little, since each command of a shell runs it: 0.02 s of processor time, where a command that starts an
interpreter and imports its libraries takes 0.4 to 1 s.
"""

import os
import signal
import socket
import sys


def ask(place, line, env, cwd, fds):
    """Ask for a script with its arguments, standard streams, environment and folder; its status comes from the result."""
    words = [cwd, str(len(line)), *line]
    request = b"\0".join([*map(os.fsencode, words), *(key + b"=" + value for key, value in env.items())])
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(place))
    socket.send_fds(connection, [len(request).to_bytes(8, "big")], list(fds))
    connection.sendall(request)
    return connection


def receive(connection):
    """What :func:`ask` asks for: the command line, the environment, the folder and the descriptors."""
    length, fds, _, _ = socket.recv_fds(connection, 8, 3)
    with connection.makefile("rb") as file:
        cwd, number, *words = file.read(int.from_bytes(length, "big")).split(b"\0")
    line, variables = words[: int(number)], words[int(number) :]
    return list(map(os.fsdecode, line)), dict(one.split(b"=", 1) for one in variables), cwd, fds


def main(scripts, at_start, started):
    """Run the script of this name with the arguments, streams, environment and folder of this process.

    A new interpreter runs it if a variable that an interpreter reads at its start (``at_start``: beginnings of names)
    differs from that of the preloaded process (``started``).
    """
    place, name = os.path.split(sys.argv[0])
    line = [os.path.join(scripts, name), *sys.argv[1:]]
    if {key: value for key, value in os.environ.items() if key.startswith(at_start)} != started:
        os.execv(line[0], line)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = int(ask(os.path.join(place, "socket"), line, os.environb, os.getcwd(), (0, 1, 2)).recv(16) or 70)
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)
