"""Start of a command: Ctrl-C ends it with one line from the beginning, even while its modules are imported."""

import os


def run(module: str) -> None:
    """Run the command that is defined by a module of this package, and exit.

    Importing a command takes a tenth of a second or more. A ``KeyboardInterrupt`` meanwhile shows a traceback, or is
    swallowed by the code of a library. Until :func:`.interrupts.obey_signals` takes over, there is nothing to clean up.
    """

    def end(*_: object) -> None:
        try:  # without contextlib: what is imported before the signal has a handler prolongs the time without one
            os.write(2, f"st-{module.replace('_', '-')}: interrupted\n".encode())
        finally:
            os._exit(130)

    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else ignored, as in background jobs
            signal.signal(signal.SIGINT, end)
    except KeyboardInterrupt:
        end()
    import importlib

    importlib.import_module(f"{__package__}.{module}").main()
