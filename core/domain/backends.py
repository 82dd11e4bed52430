"""Where the records of a workspace are kept: the names that a setting and the environment may give."""

from collections.abc import Mapping

from core.errors import UserError

VARIABLE = "MUNIMENT_MEMORY_BACKEND"
DEFAULT = "sqlite"
SUPPORTED = (DEFAULT,)
LATER = ("spector", "postgres", "remote")


def memory_backend(setting: str, environment: Mapping[str, str]) -> str:
    """The backend to use. The environment variable goes before the setting (`memory_backend` in workspace.toml); with
    neither it is SQLite.

    Raises UserError (code "backend") for an unknown name, and for one that this version can't serve yet.
    """
    said = environment.get(VARIABLE, "").strip()
    name = (said or setting.strip() or DEFAULT).lower()
    if name in SUPPORTED:
        return name
    place = f"the environment variable {VARIABLE}" if said else "the settings of this workspace"
    if name in LATER:
        raise UserError(
            f"Memory can't be kept in “{name}” yet; that comes with a later Muniment. "
            f"Supported now: {', '.join(SUPPORTED)}. Change it in {place}.",
            code="backend",
        )
    raise UserError(
        f"“{name}” is no place where memory can be kept. Supported: {', '.join(SUPPORTED)} "
        f"(later also {', '.join(LATER)}). Change it in {place}.",
        code="backend",
    )
