"""The foot: what it says about what goes on, and when it is there at all."""

import asyncio

from core.events import Progress
from tests.ui.features.desk import until
from tests.ui.shell.office import Office


def say(office: Office, *events: Progress) -> None:
    office.workspaces.current.events.publish(events)


async def test_shows_only_while_something_goes_on(office: Office) -> None:
    await office.open()
    foot = office.window.foot
    assert not foot.isVisible()
    say(office, Progress("reading", 100, 100), Progress("reading", 100, 152, "a.pdf"))
    assert foot.isVisible()
    assert foot.sentence.text() == "Reading 1 of 52 papers"
    say(office, Progress("reading", 113, 152, "scan_0231.pdf", attention=1))
    assert foot.sentence.text() == "Reading 14 of 52 papers"
    assert foot.bar.value() == 13
    assert foot.name.text() == "scan_0231.pdf"
    assert foot.attention.text() == "1 needs your attention"
    say(office, Progress("reading", 113, 152, "scan_0231.pdf", attention=2, paused=True))
    assert foot.sentence.text() == "Paused, 39 papers wait"
    assert foot.pause.text() == "Resume"
    say(office, Progress("reading", 152, 152))
    assert not foot.isVisible()


async def test_meaning_follows_reading(office: Office) -> None:
    await office.open()
    foot = office.window.foot
    say(office, Progress("meaning", 0, 400), Progress("reading", 0, 2))
    assert foot.sentence.text() == "Reading 1 of 2 papers"
    say(office, Progress("reading", 2, 2), Progress("meaning", 120, 400))
    assert foot.sentence.text() == "Preparing search by meaning, 120 of 400 passages"
    assert not foot.pause.isVisible()
    say(office, Progress("meaning", 400, 400))
    assert not foot.isVisible()


async def test_papers_that_wait_while_paused_are_counted(office: Office) -> None:
    workspace = await office.open()
    await workspace.papers.pause()
    for name in ("a.txt", "b.txt"):
        (office.folder / name).write_text(f"paper {name}")
    await workspace.papers.add([office.folder / "a.txt", office.folder / "b.txt"])
    await until(lambda: office.window.foot.sentence.text() == "Paused, 2 papers wait")
    office.window.foot.pause.click()
    await workspace.papers.idle()
    await until(lambda: not office.window.foot.isVisible())


async def test_pause_and_attention(office: Office) -> None:
    workspace = await office.open()
    foot = office.window.foot
    say(office, Progress("reading", 0, 3, attention=1))
    foot.pause.click()
    async with asyncio.timeout(5):
        while not (await workspace.papers.queue()).paused:  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)
    await workspace.papers.resume()
    say(office, Progress("reading", 0, 3, attention=1))
    office.window.desk.show("longterm")
    foot.attention.click()
    assert office.window.desk.place == "papers"


async def test_an_import_comes_first_and_can_be_stopped(office: Office) -> None:
    workspace = await office.open()
    foot = office.window.foot
    say(office, Progress("meaning", 5, 100), Progress("importing", 0, 340, "Room plan"))
    assert foot.sentence.text() == "Importing 1 of 340 conversations"
    assert foot.name.text() == "Room plan"
    assert (foot.pause.isVisible(), foot.stop.isVisible()) == (False, True)
    foot.stop.click()
    await until(lambda: workspace.exchange._stop)
    say(office, Progress("importing", 340, 340))
    assert foot.sentence.text().startswith("Preparing search by meaning")
    assert not foot.stop.isVisible()
