"""Garbage is collected on the window's thread, and nowhere else."""

import gc
import threading
import weakref

from tests.ui.features.desk import until
from ui.qt.collecting import Collector


class Knot:
    def __init__(self) -> None:
        self.itself = self


async def test_another_thread_makes_garbage_and_this_one_collects_it() -> None:
    where: list[int] = []
    collector = Collector()
    try:
        gc.collect()
        knot = Knot()
        weakref.finalize(knot, lambda: where.append(threading.get_ident()))
        del knot

        kept: list[list[int]] = []
        thread = threading.Thread(target=lambda: kept.extend([n] for n in range(200_000)))
        thread.start()
        thread.join()
        assert where == []
        await until(lambda: where)
        assert where == [threading.get_ident()]
    finally:
        collector.stop()
    assert not gc.isenabled()  # as it was
