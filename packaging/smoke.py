"""Try the frozen program: make a workspace, take a PDF and a picture in, find words and a meaning, open the window.

Runs dist/muniment (or the program named as the first argument) with an empty home, away from the sources. Output that
is not expected fails it. Prints size and times.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from PIL import Image, ImageDraw, ImageFont  # noqa: E402
from sample_pdf import Pdf  # noqa: E402

PROGRAM = ROOT / "dist" / "muniment" / ("muniment.exe" if os.name == "nt" else "muniment")
LIMIT = 120  # seconds for one call
PAGES = (
    "Reference SMOKE-4711. The waiting room closes at half past five. Please hand in your insurance card on arrival.",
    "After the operation the patient must not drive a car for at least two days, and somebody should stay overnight.",
)


class Failure(Exception):
    """The program did something else than expected; the text says what."""


class Trial:
    """Calls of the frozen program in one home. home: an empty folder."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program = program
        self.home = home
        # Nothing of this environment but what a login would give: no Python settings, no display.
        self.environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TMPDIR": str(home)}
        if os.name == "nt":
            self.environment = {**os.environ, "USERPROFILE": str(home), "LOCALAPPDATA": str(home)}

    def call(self, *arguments: str | Path, code: int = 0) -> str:
        """Run a command, require its exit code and silence on standard error; return what it said."""
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
        if done.returncode != code or done.stderr.strip():
            raise Failure(f"{list(map(str, arguments))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def ask(self, *arguments: str | Path, code: int = 0) -> Any:
        """Run a command with --json; return its answer."""
        return json.loads(self.call(*arguments, "--json", code=code))


def require(condition: bool, what: str, answer: object) -> None:
    """Raise Failure unless the condition holds."""
    if not condition:
        raise Failure(f"{what}: {json.dumps(answer, indent=2, default=str)}")


def write_papers(folder: Path) -> tuple[Path, Path]:
    """Make a PDF of two pages, and one that only claims to be a PDF."""
    pdf = Pdf("Advice")
    for text in PAGES:
        pdf.paragraph(pdf.page(), 780, text)
    good, bad = folder / "advice.pdf", folder / "broken.pdf"
    good.write_bytes(pdf.save())
    bad.write_bytes(b"%PDF-1.7\nnothing more")
    return good, bad


def write_photo(folder: Path) -> Path:
    """Make a picture of one line of text."""
    picture = Image.new("RGB", (700, 120), "white")
    font = ImageFont.truetype(str(ROOT / "resources" / "fonts" / "Inter-Regular.ttf"), 32)
    ImageDraw.Draw(picture).text((40, 40), "The boiler was repaired on Thursday", font=font, fill="black")
    photo = folder / "photo.png"
    picture.save(photo)
    return photo


def try_commands(trial: Trial, times: dict[str, float]) -> None:
    """Make a workspace, take papers in, find them."""
    begun = time.perf_counter()
    version = trial.call("--version")
    times["first word, cold"] = time.perf_counter() - begun
    require(version.startswith("Muniment "), "no version", version)
    begun = time.perf_counter()
    made = trial.ask("workspace", "create", "Smoke", "--in", trial.home)
    times["make a workspace"] = time.perf_counter() - begun
    good, bad = write_papers(trial.home)
    begun = time.perf_counter()
    (taken,) = trial.ask("add", good, "-w", "Smoke")
    times["take a PDF in"] = time.perf_counter() - begun
    require((taken["state"], taken["pages"]) == ("searchable", 2), "the PDF was not read", taken)
    (refused,) = trial.ask("add", bad, "-w", "Smoke", code=1)
    require(refused["state"] == "attention" and bool(refused["reason"]), "the broken PDF was not noticed", refused)
    begun = time.perf_counter()
    (seen,) = trial.ask("add", write_photo(trial.home), "-w", "Smoke")
    times["take a picture in"] = time.perf_counter() - begun
    require(seen["state"] == "searchable", "the picture was not read", seen)
    for words, mode, page in (
        ("boiler", "words", None),
        ("SMOKE-4711", "words", 1),
        ("overnight", "words", 2),
        ("is it safe to take the wheel following surgery", "meaning", 2),
    ):
        found = trial.ask("search", words, "--mode", mode, "-w", made["path"])
        first = found["hits"][0] if found["hits"] else {}
        require(first.get("page") == page, f"{words!r} was not found on page {page}", found)
    status = trial.ask("status", "-w", "Smoke")
    require(status["passages_with_meaning"] == status["passages"] > 0, "passages without meaning", status)
    require(status["waiting"] == 0, "papers still waiting", status)


def try_window(trial: Trial, times: dict[str, float]) -> None:
    """Open the window off screen, wait until it can be used, ask it to quit."""
    for name in ("window, cold", "window, warm"):
        times[name] = open_window(trial)


def open_window(trial: Trial) -> float:
    """Return the seconds from the call to a usable window; require that it goes away quietly."""
    environment = {**trial.environment, "QT_QPA_PLATFORM": "offscreen", "MUNIMENT_SAY_WHEN_READY": "1"}
    begun = time.perf_counter()
    process = subprocess.Popen(
        [trial.program], cwd=trial.home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        taken = time.perf_counter() - begun
        require(line == "ready\n", "the window did not open", line)
        process.send_signal(signal.SIGTERM)
        said, complained = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    if process.returncode or said or complained:
        raise Failure(f"the window ended with {process.returncode}:\n{said}{complained}")
    return taken


def main(argv: list[str]) -> int:
    """Run the trial; return 1 when something was not as expected."""
    program = Path(argv[0]).resolve() if argv else PROGRAM
    size = sum(path.stat().st_size for path in program.parent.rglob("*") if path.is_file() and not path.is_symlink())
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as home:
        trial = Trial(program, Path(home))
        try:
            try_commands(trial, times)
            try_window(trial, times)
        except Failure as failure:
            print(f"The frozen program failed: {failure}")
            return 1
    print(f"Size: {size / 1e6:.0f} MB")
    for name, seconds in times.items():
        print(f"{name[:1].upper()}{name[1:]}: {seconds:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
