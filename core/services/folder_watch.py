"""Watching one folder: a whole look, then what happens in it, as it happens.

What the system tells is only a hint where to look; what is decided, is decided by what lies there. So nothing is lost
when it tells too much, too little or nothing: a look at everything follows after bursts, after sleep and now and then.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.clock import Clock
from core.domain.papers import Artifact
from core.domain.scopes import ActorType, Job, JobState
from core.domain.watching import (
    LONGEST_PROBLEMS,
    Act,
    FolderState,
    FoundFile,
    Keep,
    KnownFile,
    LookReport,
    Settled,
    TakenFile,
    Waiting,
    WatchedFolder,
    act_on,
    unseen,
)
from core.errors import EnvironmentFault, UserError
from core.ports.papers import ArtifactPort
from core.ports.watching import Batch, FolderWatcherPort, Root, WatchedFoldersPort
from core.services.apart import workspace_around
from core.services.jobs import JobService
from core.tasks import TaskScope

TICK = 0.5  # seconds between two looks at files that may be half written
TOGETHER = 32  # files that are written down in one transaction
PAGE = 1024  # known files that are compared at once
BURST = 1000  # places told at once after which everything is looked at: some may have been lost
CHECK = 5.0  # seconds between two looks whether the folder is there
ASLEEP = 30.0  # seconds by which the clock may run ahead of the steady one before it counts as sleep
LOOK_AGAIN = 900.0  # seconds between two looks at everything
UNTOLD = 60.0  # the same where the system doesn't tell what happens
LONGEST_WAIT = 120.0  # seconds until it is tried again after a fault; the wait doubles each time
STATS_A_SECOND = 5000


@dataclass(slots=True)
class Means:
    """What watching needs of its workspace. settled hears which papers are to be read, or are renamed."""

    folders: WatchedFoldersPort
    watcher: FolderWatcherPort
    artifacts: ArtifactPort
    jobs: JobService
    tasks: TaskScope
    clock: Clock
    settled: Callable[[Settled], Awaitable[None]]
    byte_limit: int


class FolderWatch:
    """Watches `folder` for as long as `run` runs. pause: called where a person stops the job of a look."""

    def __init__(self, folder: WatchedFolder, means: Means, pause: Callable[[str], object]) -> None:
        self.folder = folder
        self._path = Path(folder.path)
        self._means = means
        self._pause = pause
        self._told: set[str] = set()
        self._told_once = asyncio.Event()
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._waiting = Waiting()
        self._trouble, self._fault, self._wait = "", "", CHECK
        self._job: Job | None = None
        self._looked, self._took = 0, 0
        self._state: tuple[FolderState, str] | None = None

    # ---- the life of it ---------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            root = await self._means.watcher.root(self._path)
            if root is None or self._is_another_disk(root):
                await self._not_there()
                continue
            self._trouble = ""
            self._told_once.clear()
            told = self._means.tasks.start(self._listen(), latest=f"listen {self.folder.id}")
            try:
                await self._live(root, told)
            finally:
                told.cancel()
                await asyncio.wait([told])
                self._end_job(JobState.CANCELLED)

    async def idle(self) -> None:
        """Wait until the folder was looked at and nothing of it waits, or until it can't be."""
        await self._idle.wait()

    def look_again(self) -> None:
        """Look at everything."""
        self._hear(frozenset({""}))

    def _is_another_disk(self, root: Root) -> bool:
        """Where a network folder or a stick lies when it is there, an empty folder of this computer is left."""
        return root.empty and self.folder.device not in (None, root.device)

    async def _not_there(self) -> None:
        self._trouble = "The folder is not there, or can't be opened. Its papers stay."
        await self._say(FolderState.NOT_THERE)
        self._idle.set()
        await self._sleep(CHECK)

    async def _listen(self) -> None:
        try:
            await self._means.watcher.follow(self._path, self.folder.subfolders, self._hear)
        except EnvironmentFault as fault:
            self._trouble = f"{fault.sentence} Muniment looks once a minute."
        finally:
            self._told_once.set()

    def _hear(self, paths: frozenset[str]) -> None:
        self._told_once.set()
        if paths:
            self._told |= {""} if len(paths) > BURST else paths
            self._idle.clear()
            self._woken.set()

    async def _live(self, root: Root, told: "asyncio.Task[None]") -> None:
        """While the folder is there. Answers when it is another one, or when the system's watcher ended."""
        await self._told_once.wait()  # from now on nothing is missed
        self._told.add("")
        looked = checked = time.monotonic()
        ahead = time.time() - looked
        while True:
            now = time.monotonic()
            if now - checked >= CHECK or "" in self._told:
                checked = now
                there = await self._means.watcher.root(self._path)
                if there is None or (there.device, there.inode) != (root.device, root.inode):
                    return
                if told.done() and not self._trouble:
                    return
            slept = abs(time.time() - now - ahead) > ASLEEP
            ahead = time.time() - now
            if slept or now - looked >= (UNTOLD if self._trouble else LOOK_AGAIN):
                self._told.add("")
            if "" in self._told:
                looked = now
            await self._turn(root)
            if not self._told and not self._waiting:
                self._idle.set()
            await self._sleep(TICK + len(self._waiting) / STATS_A_SECOND if self._waiting else CHECK)

    async def _sleep(self, seconds: float) -> None:
        """Until something is told, at most so long."""
        if not self._told:
            self._woken.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._woken.wait()
            except TimeoutError:
                return

    async def _turn(self, root: Root) -> None:
        told, self._told = self._told, set[str]()
        try:
            if "" in told:
                await self._look_at_all(root)
            elif told or self._waiting:
                await self._look_at(sorted(told | set(self._waiting.paths)))
            self._fault, self._wait = "", CHECK
            await self._say(FolderState.WATCHING)
        except EnvironmentFault as fault:  # the disk is full, the network stumbles: later it works
            self._fault = fault.sentence
            await self._say(FolderState.WATCHING)
            self._end_job(JobState.FAILED)
            self._idle.set()
            await asyncio.sleep(self._wait)
            self._wait = min(2 * self._wait, LONGEST_WAIT)
            self._told.add("")

    async def _say(self, state: FolderState, look: LookReport | None = None) -> None:
        trouble = self._fault or self._trouble
        if look is not None or self._state != (state, trouble):
            self._state = (state, trouble)
            await self._means.folders.note(self.folder.id, state, trouble, look)

    # ---- looking ----------------------------------------------------------------------------------------------------

    async def _look_at_all(self, root: Root) -> None:
        await self._say(FolderState.CATCHING_UP)
        self._looked = self._took = 0
        seen, unread, skipped = set[int](), dict[str, str](), 0
        async for batch in self._batches(""):
            seen.update(hash(file.path) for file in batch.files)
            skipped += batch.skipped
            unread.update(batch.unread)
        there = await self._means.watcher.root(self._path)
        if "" not in unread and there is not None and (there.device, there.inode) == (root.device, root.inode):
            await self._lose_unseen("", seen, tuple(unread))
        self._end_job(JobState.COMPLETED)
        problems = tuple(unread.values())[:LONGEST_PROBLEMS]
        self.folder = replace(self.folder, device=root.device)
        await self._say(FolderState.WATCHING, LookReport(problems, skipped, root.device))

    async def _batches(self, below: str) -> AsyncIterator[Batch]:
        folder = self.folder
        async for batch in self._means.watcher.look(self._path, folder.rules, folder.subfolders, below):
            await self._consider(batch.files)
            self._looked += len(batch.files)
            yield batch

    async def _look_at(self, paths: Sequence[str]) -> None:
        """What lies at these paths, and below those that are folders."""
        for start in range(0, len(paths), PAGE):
            some = paths[start : start + PAGE]
            seen = await self._means.watcher.see(self._path, self.folder.rules, self.folder.subfolders, some)
            for path in (*seen.missing, *seen.left_out, *seen.folders):
                self._waiting.forget(path)
            await self._consider(seen.files)
            for folder in seen.folders:
                await self._look_below(folder)
            for path in seen.missing:
                await self._lose_unseen(path, set(), ())

    async def _look_below(self, folder: str) -> None:
        seen, unread = set[int](), list[str]()
        async for batch in self._batches(folder):
            seen.update(hash(file.path) for file in batch.files)
            unread += [path for path, _ in batch.unread]
        await self._lose_unseen(folder, seen, tuple(unread))

    async def _lose_unseen(self, below: str, seen: set[int], unread: tuple[str, ...]) -> None:
        """Of what is known below a folder, that which isn't there any more."""
        means, after = self._means, ""
        while known := await means.folders.known_below(self.folder.id, below, after, PAGE):
            after = list(known)[-1]
            candidates = unseen(known, seen, unread)
            if not candidates:
                continue
            lies = await means.watcher.see(self._path, self.folder.rules, self.folder.subfolders, candidates)
            if lies.missing and await means.watcher.root(self._path) is not None:
                await means.settled(await means.folders.lose(self.folder.id, lies.missing))

    # ---- taking -----------------------------------------------------------------------------------------------------

    async def _consider(self, files: Sequence[FoundFile]) -> None:
        if not files:
            return
        await self._keep_apart()
        known = await self._means.folders.known(self.folder.id, [file.path for file in files])
        taken: list[tuple[FoundFile, TakenFile, int]] = []
        for file in files:
            act = self._act_on(file, known.get(file.path))
            if act is Act.LOSE:
                await self._means.settled(await self._means.folders.lose(self.folder.id, [file.path]))
            elif act in {Act.TAKE, Act.COMPARE}:
                self._show_job()
                taken.append((file, *await self._take(file, known.get(file.path), act)))
            if len(taken) >= TOGETHER:
                await self._settle(taken)
                taken = []
        await self._settle(taken)

    def _act_on(self, file: FoundFile, known: KnownFile | None) -> Act:
        act = act_on(file, known, self.folder.keep, self._means.clock())
        if act is not Act.WAIT:
            self._waiting.forget(file.path)
            return act
        if not self._waiting.see(file, time.monotonic()):
            return Act.NOTHING
        long_ago = max(file.signature.modified, file.signature.changed) / 1e9 + 10.0
        return act_on(file, known, self.folder.keep, long_ago)

    async def _keep_apart(self) -> None:
        """The folder may lie in one of a workspace by now; of folders below it, looks leave those out."""
        if (home := await asyncio.to_thread(workspace_around, self._path / "file")) is not None:
            raise EnvironmentFault(f"The folder belongs to the workspace in “{home.name}”. Workspaces are kept apart.")

    async def _take(self, file: FoundFile, known: KnownFile | None, act: Act) -> tuple[TakenFile, int]:
        """What came of it, and the length of its bytes."""
        try:
            digest, length, linked = await self._bytes(self._path / file.path, known, act)
        except UserError as error:
            return TakenFile(file.path, file.signature, trouble=error.sentence), 0
        return TakenFile(file.path, file.signature, digest, linked), length

    async def _bytes(self, source: Path, known: KnownFile | None, act: Act) -> tuple[str, int, bool]:
        """Digest, length, and whether they stay where they are."""
        keeps = self.folder.keep is Keep.LINK
        if keeps or act is Act.COMPARE:
            found = await self._hashed(source)
            in_store = known is not None and known.digest == found.digest and not known.linked
            if keeps or in_store:
                return found.digest, found.byte_length, keeps
        taken = await self._copied(source)
        return taken.digest, taken.byte_length, False

    async def _copied(self, source: Path) -> Artifact:
        """Raises EnvironmentFault only for what concerns this computer: a file that can't even be read is a file with
        a trouble, and the others go on."""
        try:
            return await self._means.artifacts.take(source, self._means.byte_limit)
        except EnvironmentFault:
            await self._hashed(source)
            raise

    async def _hashed(self, source: Path) -> Artifact:
        try:
            return await self._means.artifacts.link(source, self._means.byte_limit)
        except EnvironmentFault as fault:
            raise UserError(fault.sentence) from fault

    async def _settle(self, taken: Sequence[tuple[FoundFile, TakenFile, int]]) -> None:
        """Write down what came of files that are still as they were found: of others nobody knows which bytes these
        are, so they are looked at once more."""
        if not taken:
            return
        paths = [found.path for found, _, _ in taken]
        seen = await self._means.watcher.see(self._path, self.folder.rules, self.folder.subfolders, paths)
        unchanged = set(seen.files)
        self._hear(frozenset(found.path for found, _, _ in taken if found not in unchanged))
        files = [(file, length) for found, file, length in taken if found in unchanged]
        lengths = {file.digest: length for file, length in files if file.digest is not None}
        await self._means.settled(
            await self._means.folders.settle(self.folder.id, [file for file, _ in files], lengths)
        )
        self._took += len(files)
        if self._job is not None:
            self._means.jobs.heartbeat(self._job.id, detail=f"{self._took:,} files taken in")

    def _show_job(self) -> None:
        """A look that takes something in stands among the jobs, where it can be stopped."""
        if self._job is None and self._state is not None and self._state[0] is FolderState.CATCHING_UP:
            self._job = self._means.jobs.start(
                f"Looking through “{self._path.name}”",
                actor="Muniment",
                actor_type=ActorType.SYSTEM,
                on_cancel=lambda: self._pause(self.folder.id),
            )

    def _end_job(self, state: JobState) -> None:
        if self._job is not None:
            job, self._job = self._job, None
            self._means.jobs.end(job.id, state, f"{self._took:,} files taken in")
