"""The five scopes as five interfaces for callers that act under an owner: assistants, jobs, steps.

Each call shows who asks (`Owner`). What belongs to another owner is an OutsideScope error, never an empty answer. A
person
looks across owners in the browsers, which read the ports themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.memory import Json, Message, Record, Role, Session, SharedEntry, Source, ValueType
from core.domain.scopes import RULES, Owner, Scope, require_owner
from core.domain.tiers import REINFORCEMENT, Tier
from core.errors import OutsideScope
from core.ports.conversations import ConversationPort
from core.ports.memory import MemoryPort, SharedPort
from core.services.jobs import ProcessStore


class ConversationScope:
    """Messages of the caller's own session."""

    rule = RULES[Scope.CONVERSATION]

    def __init__(self, workspace: str, port: ConversationPort) -> None:
        self._workspace = workspace
        self._port = port

    async def messages(self, caller: Owner, session: str, limit: int = 100) -> list[Message]:
        self._check(caller, session)
        return await self._port.messages(session, limit)

    async def add(
        self, caller: Owner, session: str, role: Role, content: str, metadata: Mapping[str, Json] | None = None
    ) -> Message:
        self._check(caller, session)
        return await self._port.add(session, role, content, metadata=metadata)

    async def clear(self, caller: Owner, session: str) -> int:
        self._check(caller, session)
        return await self._port.clear(session)

    async def end(self, caller: Owner, session: str, *, keep: bool) -> Session | None:
        """End a session: archived, or removed, as the person chose."""
        self._check(caller, session)
        if keep:
            return await self._port.archive(session)
        await self._port.remove(session)
        return None

    def _check(self, caller: Owner, session: str) -> None:
        require_owner(RULES[Scope.WORKSPACE], caller.workspace, self._workspace)
        if caller.session is None:
            raise OutsideScope("A conversation belongs to its session, and none was named.")
        require_owner(self.rule, caller.session, session)


class WorkspaceScope:
    """Settings and context shared in the workspace."""

    rule = RULES[Scope.WORKSPACE]

    def __init__(self, workspace: str, port: SharedPort) -> None:
        self._workspace = workspace
        self._port = port

    async def get(self, caller: Owner, key: str) -> SharedEntry | None:
        require_owner(self.rule, caller.workspace, self._workspace)
        return await self._port.get(key)

    async def set(
        self,
        caller: Owner,
        key: str,
        value: Json,
        metadata: Mapping[str, Json] | None = None,
        *,
        type: ValueType | None = None,
        expected: int | None = None,
    ) -> SharedEntry:
        require_owner(self.rule, caller.workspace, self._workspace)
        return await self._port.set(key, value, metadata, type=type, expected=expected)

    async def delete(self, caller: Owner, key: str, *, expected: int | None = None) -> bool:
        require_owner(self.rule, caller.workspace, self._workspace)
        return await self._port.delete(key, expected=expected)


class SemanticScope:
    """Lasting records of the workspace."""

    rule = RULES[Scope.SEMANTIC]

    def __init__(self, workspace: str, port: MemoryPort) -> None:
        self._workspace = workspace
        self._port = port

    async def get(self, caller: Owner, key: str, namespace: str = "default") -> Record | None:
        self._check(caller)
        return await self._port.get(key, namespace)

    async def remember(
        self,
        caller: Owner,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
        *,
        source: Source | None = None,
        expected: int | None = None,
    ) -> Record:
        self._check(caller)
        return await self._port.remember(key, value, tier, namespace, metadata, source=source, expected=expected)

    async def recall(
        self,
        caller: Owner,
        query: str,
        tier: Tier | None = None,
        namespace: str = "default",
        limit: int = 10,
        *,
        tags: Sequence[str] = (),
        after: float | None = None,
        before: float | None = None,
        learn: bool = False,
    ) -> list[Record]:
        self._check(caller)
        return await self._port.recall(
            query, tier, namespace, limit, tags=tags, after=after, before=before, learn=learn
        )

    async def reinforce(
        self, caller: Owner, key: str, namespace: str = "default", delta: float = REINFORCEMENT
    ) -> Record:
        self._check(caller)
        return await self._port.reinforce(key, namespace, delta)

    async def forget(self, caller: Owner, key: str, namespace: str = "default") -> bool:
        self._check(caller)
        return await self._port.forget(key, namespace)

    async def forget_all(self, caller: Owner, namespace: str) -> int:
        self._check(caller)
        return await self._port.forget_all(namespace)

    def _check(self, caller: Owner) -> None:
        require_owner(self.rule, caller.workspace, self._workspace)


@dataclass(frozen=True, slots=True)
class Scopes:
    conversation: ConversationScope
    workspace: WorkspaceScope
    execution: ProcessStore
    scratchpad: ProcessStore
    semantic: SemanticScope
