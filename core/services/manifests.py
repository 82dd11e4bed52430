"""Agents and skills from files into the catalog, and out of it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.catalog import BrokenManifest, Entry, IndexOutcome, Problem, Source
from core.domain.manifest_reading import Bundle, Reading, read_bundle
from core.domain.manifest_writing import exported_files
from core.domain.manifests import Manifest, ManifestKind
from core.domain.scopes import ActorType, JobState
from core.errors import NotFound, UserError
from core.events import EventHub, Progress
from core.ports.catalog import CatalogPort
from core.ports.manifests import LeftOutFile, ManifestFilesPort, ManifestScan, WrittenFiles
from core.services.apart import refuse_other_workspaces
from core.services.jobs import JobService

TOGETHER = 100  # manifests that are read and stored at once
ACTIVITY = "importing"


@dataclass(slots=True)
class ManifestReport:
    """What an import did. broken: what is listed as broken now. notes: what was read as it was meant, by place. left:
    files that are no manifests."""

    origin: str = ""
    found: int = 0
    done: int = 0
    created: list[Manifest] = field(default_factory=list[Manifest])
    updated: list[Manifest] = field(default_factory=list[Manifest])
    same: list[Manifest] = field(default_factory=list[Manifest])
    broken: list[BrokenManifest] = field(default_factory=list[BrokenManifest])
    notes: list[tuple[str, Problem]] = field(default_factory=list[tuple[str, Problem]])
    left: list[LeftOutFile] = field(default_factory=list[LeftOutFile])
    cancelled: bool = False


class ManifestExchange:
    """starter: the folder of the program's own agents and skills."""

    def __init__(
        self, catalog: CatalogPort, files: ManifestFilesPort, jobs: JobService, events: EventHub, starter: Path
    ) -> None:
        self._catalog = catalog
        self._files = files
        self._jobs = jobs
        self._events = events
        self._starter = starter
        self._one_at_a_time = asyncio.Lock()
        self._stop = False

    async def take(self, source: Path, *, on_progress: Callable[[Progress], None] | None = None) -> ManifestReport:
        """Take in every manifest of a folder, a ZIP archive, a git checkout or one file. What is there already under
        the same id is replaced, and its former version kept; what can't be read is listed as broken.

        Raises UserError, EnvironmentFault. Cancelled in the middle, what was taken by then stays.
        """
        await refuse_other_workspaces(source)
        return await self._take(source, on_progress)

    async def add_starter(self) -> ManifestReport:
        """Put the program's own agents and skills into the catalog. What a person changed of them is replaced by them,
        and kept as its former version."""
        return await self._take(self._starter, None)

    def cancel(self) -> None:
        """Stop the import that runs, after what is at hand."""
        self._stop = True

    async def export(
        self,
        agents: Sequence[str] | None,
        skills: Sequence[str] | None,
        target: Path,
        *,
        replace: bool = False,
    ) -> WrittenFiles:
        """Write entries as files into a folder, or into a ZIP archive where its name says so; None for all of a kind.
        Files that were imported go out as they came in. Raises NotFound, UserError, EnvironmentFault."""
        await refuse_other_workspaces(target / "catalog")
        files: dict[str, bytes] = {}
        for kind, wanted in ((ManifestKind.AGENT, agents), (ManifestKind.SKILL, skills)):
            for id in await self._catalog.ids(kind) if wanted is None else wanted:
                files |= exported_files(await self._entry(kind, id), files)
        if not files:
            raise UserError("There is nothing in the catalog that could be written.")
        return await self._files.write(target, files, replace=replace)

    async def _entry(self, kind: ManifestKind, id: str) -> Entry:
        get = self._catalog.get_agent if kind is ManifestKind.AGENT else self._catalog.get_skill
        entry = await get(id)
        if entry is None:
            raise NotFound(f"There is no {kind} “{id}” in the catalog.")
        return entry

    # ---- coming in --------------------------------------------------------------------------------------------------

    async def _take(self, source: Path, on_progress: Callable[[Progress], None] | None) -> ManifestReport:
        async with self._one_at_a_time:
            self._stop = False
            scan = await self._files.scan(source)
            report = ManifestReport(scan.origin, scan.count, left=list(scan.left_out))
            title = f"Import of “{scan.origin}”"
            job = self._jobs.start(title, actor="Muniment", actor_type=ActorType.SYSTEM, on_cancel=self.cancel).id
            state = JobState.FAILED
            try:
                await self._take_all(scan, report, job, on_progress)
                state = JobState.CANCELLED if report.cancelled else JobState.COMPLETED
            except asyncio.CancelledError:
                state = JobState.CANCELLED
                raise
            finally:
                self._jobs.end(job, state)
                self._events.publish([Progress(ACTIVITY, report.found, report.found)])
                await scan.close()
            return report

    async def _take_all(
        self, scan: ManifestScan, report: ManifestReport, job: str, on_progress: Callable[[Progress], None] | None
    ) -> None:
        places: dict[tuple[ManifestKind, str], str] = {}
        for first in range(0, scan.count, TOGETHER):
            if self._stop:
                report.cancelled = True
                return
            bundles = await scan.read(first, TOGETHER)
            readings = await asyncio.to_thread(_readings, bundles)
            await self._store(scan, list(zip(bundles, readings, strict=True)), report, places)
            report.done += len(bundles)
            progress = Progress(ACTIVITY, report.done, report.found, bundles[-1].place)
            self._events.publish([progress])
            if on_progress is not None:
                on_progress(progress)
            self._jobs.heartbeat(job, detail=f"{report.done:,} of {report.found:,}")

    async def _store(
        self,
        scan: ManifestScan,
        read: Sequence[tuple[Bundle, Reading]],
        report: ManifestReport,
        places: dict[tuple[ManifestKind, str], str],
    ) -> None:
        good: list[tuple[Manifest, Source | None]] = []
        broken: list[BrokenManifest] = []
        for bundle, reading in read:
            if not reading.is_manifest:
                report.left.append(LeftOutFile(bundle.place, "It is no agent and no skill."))
                continue
            report.notes += [(bundle.place, note) for note in reading.notes]
            problems, manifest = reading.problems, reading.manifest
            if manifest is not None:
                first = places.setdefault((manifest.kind, manifest.id), bundle.place)
                if first == bundle.place:
                    source = Source(bundle.place, scan.origin, scan.revision, bundle.modified, dict(bundle.files))
                    good.append((manifest, source))
                    continue
                rule = f"“{manifest.id}” is the id of “{first}” already"
                problems = (Problem(bundle.place, None, "id", rule),)
            broken.append(BrokenManifest(bundle.place, scan.origin, reading.kind, problems))
        await self._catalog.note_broken(broken)
        report.broken += broken
        lists = {IndexOutcome.CREATED: report.created, IndexOutcome.UPDATED: report.updated}
        for done in await self._catalog.index_many(good):
            lists.get(done.outcome, report.same).append(done.entry.manifest)


def _readings(bundles: Sequence[Bundle]) -> list[Reading]:
    return [read_bundle(bundle) for bundle in bundles]
