"""Commands: declared once, in the feature's folder. Menus, palette, shortcuts and the generated help are
projections."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """id: "papers.add". title: "Add papers…". keys: portable shortcuts ("Ctrl+N"). menu: "File" | "Edit" | "View" |
    "Go" | "Help" or "".

    run: a plain function or a coroutine function; errors go to the problems of the shell. when: False greys it out.
    help: one sentence for the help page. main: the one main action of its place.
    """

    id: str
    title: str
    run: Callable[[], Awaitable[object] | None]
    keys: tuple[str, ...] = ()
    menu: str = ""
    when: Callable[[], bool] = lambda: True
    help: str = ""
    icon: str = ""
    main: bool = False
