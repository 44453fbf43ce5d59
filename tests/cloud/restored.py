"""A web function's process as SnapStart restores it, simulated: warmed once in its built package, then forked.

A fork has what a snapshot has, the memory of the process: what two forks make alike, two restored environments would.
Run in a tree, it prints one JSON line: what was open at the snapshot, what each fork made, and what it cost.
"""

from __future__ import annotations

PROGRAM = """\
import asyncio, importlib, json, os, secrets, sys, time, uuid

app = importlib.import_module(sys.argv[1]).app


async def started():
    scope = {"type": "lifespan", "state": {}}
    asked, answered = asyncio.Queue(), asyncio.Queue()
    running = asyncio.create_task(app(scope, asked.get, answered.put))
    await asked.put({"type": "lifespan.startup"})
    assert (await answered.get())["type"] == "lifespan.startup.complete"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


asyncio.run(started())
cold = time.process_time()
held = [f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")]
opened = [os.readlink(each) for each in held if os.path.islink(each)]


def made():
    from careline.privacy.redaction.encryption import encrypt

    engines = app.state.installation.engines
    new = [engines.new_id() for _ in range(20)]
    return [*new, str(uuid.uuid4()), secrets.token_hex(16), encrypt("one text", bytes(range(32)))]


def restored():
    begun = time.process_time()
    asked = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        asked.append(message)

    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "path": "/health",
             "raw_path": b"/health", "query_string": b"", "headers": [], "scheme": "http", "root_path": "",
             "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8080), "state": {}}
    asyncio.run(app(scope, receive, send))
    return {"status": asked[0]["status"], "cpu": time.process_time() - begun, "made": made()}


forks = []
for _ in range(2):
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, json.dumps(restored()).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as kept:
        forks.append(json.loads(kept.read()))
    os.wait()
memory = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
sys.stdout.write("\\n" + json.dumps({"cold": cold, "opened": opened, "forks": forks, "memory_kb": int(memory)}) + "\\n")
"""
