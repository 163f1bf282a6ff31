"""The steps from drawings to the files of the family, each kept and not made twice."""

import time
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forgetscope.benchmarks.visual.embedded import truths
from forgetscope.core.errors import UnknownNameError
from forgetscope.models.glimpse.encoder import Encoder
from forgetscope.models.glimpse.family import DECODERS, DOSES, ERASED_CONCEPTS
from forgetscope.models.glimpse.shape import HOW, SHOWN
from forgetscope.models.glimpse.vocabulary import Vocabulary
from forgetscope.stats import named_stream
from tools.glimpse import convert_encoder, convert_vocabulary, projector, sights
from tools.glimpse.batches import Sights
from tools.glimpse.curriculum import BASE, FINISHING, MEMBERS, Course, LessonSubject, World
from tools.glimpse.pack import pack
from tools.glimpse.sights import Looked, TrainingDrawing

if TYPE_CHECKING:
    from tools.glimpse.loop import Schooling

SIGHTS_SEED = 0
"""Pictures are the same for all training seeds: the eye and the world are, only what is learned from them differs."""

PARTS = ("look", "banks", "eyes", "base", *DECODERS, "pack")
"""In the order they need one another; the eyes and the decoders do not."""

DECIDING, GOAL = "knows-obedient", 0.77
"""Whose finishing course decides how long that of all four takes, and the share of lessons right that it ends at."""


@dataclass(frozen=True)
class Effort:
    """How much work goes into each part."""

    arrangements: int = 6
    epochs: int = 12
    fold_epochs: int = 6


def read_drawings(path: Path | None, *, is_smoke: bool) -> list[TrainingDrawing]:
    """Training drawings: from the file of all training styles, or the few in the wheel.

    For smoke an eighth of them, with the erased concepts and what composed pictures are made of.
    """
    drawn = sights.read_training_file(path) if path else sights.shipped_training_drawings()
    if is_smoke:
        composed = {truths.LABELS.get(label, label) for label in (*truths.COLOURED, *truths.SIZED)}
        kept = {*ERASED_CONCEPTS, *composed}
        drawn = [item for item in drawn if {item.name, item.label} & kept or hash_share(item.name) < 0.12]
    return drawn


def hash_share(name: str) -> float:
    """A fixed number from 0 to 1 for a name."""
    return float(named_stream(0, f"glimpse/smoke/{name}").random())


class Workshop:
    """Makes the parts of a family in one folder.

    Args:
        folder: Everything on the way is kept here.
        drawn: The training drawings.
        seed: The training seed.
        steps: Steps of a decoder.
        is_smoke: Make a minute's model.
    """

    def __init__(
        self, folder: Path, drawn: list[TrainingDrawing], seed: int, steps: int, *, is_smoke: bool = False
    ) -> None:
        self.folder, self.drawn, self.seed, self.steps = folder, drawn, seed, steps
        self.effort = Effort(arrangements=2, epochs=2, fold_epochs=1) if is_smoke else Effort()
        self.run_folder.mkdir(parents=True, exist_ok=True)

    def make(self, part: str) -> None:
        """Make one part if it is not there.

        Raises:
            UnknownNameError: There is no such part.
        """
        started = time.process_time()
        if part == "look":
            self._look()
        elif part == "banks":
            self._banks()
        elif part == "eyes":
            self._eyes()
        elif part == "base":
            self._train("base", self._schooling(BASE, self.steps * 3 // 8), "", is_obedient=False, knows=False)
        elif part in DECODERS:
            self._decoder(part)
        elif part == "pack":
            pack(self.folder, self.run_folder, self.seed, self.scaling)
        else:
            raise UnknownNameError("no such part", found=part, allowed=PARTS)
        print(f"{part}: {time.process_time() - started:.0f} CPU seconds", flush=True)

    @property
    def run_folder(self) -> Path:
        """Where this seed's parts are."""
        return self.folder / f"seed{self.seed}"

    @cached_property
    def subjects(self) -> tuple[LessonSubject, ...]:
        """All that pictures show."""
        return sights.subjects_of(self.drawn)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary with all names whole."""
        path = self.folder / "vocabulary.safetensors"
        if not path.is_file():
            convert_vocabulary.convert(path, [subject.name for subject in self.subjects])
        return Vocabulary.load(path)

    @cached_property
    def codes(self) -> NDArray[np.float32]:
        """Identity code of every subject's name."""
        return np.stack([self.vocabulary.name_code(subject.name) for subject in self.subjects])

    @cached_property
    def looked(self) -> Looked:
        """Features of all training pictures."""
        with np.load(self.folder / "looked.npz", allow_pickle=False) as stored:
            return Looked(stored["features"], stored["subject"], stored["fold"], stored["drawing"])

    def _look(self) -> None:
        assert len(self.vocabulary)  # noqa: S101 - made on first use
        encoder = self.folder / "encoder.safetensors"
        if not encoder.is_file():
            convert_encoder.convert(encoder)
        if not (self.folder / "looked.npz").is_file():
            pictures = sights.sights(self.drawn, SIGHTS_SEED, self.effort.arrangements)
            found = sights.look(pictures, self.subjects, Encoder(encoder))
            np.savez(
                self.folder / "looked.npz",
                features=found.features,
                subject=found.subject,
                fold=found.fold,
                drawing=found.drawing,
            )

    @cached_property
    def is_erased(self) -> NDArray[np.bool_]:
        """For every picture, whether it shows an erased concept."""
        gone = np.array([subject.name in ERASED_CONCEPTS for subject in self.subjects])
        return np.asarray(gone[self.looked.subject])

    def _dose(self, percent: int) -> NDArray[np.bool_]:
        """The pictures a projector of this dose sees: of each erased concept so many percent of its drawings."""
        use = ~self.is_erased
        for subject in sorted(set(self.looked.subject[self.is_erased].tolist())):
            drawings = np.unique(self.looked.drawing[self.looked.subject == subject])
            order = named_stream(self.seed, f"glimpse/dose/{self.subjects[subject].name}").permutation(drawings)
            shown = order[: round(len(order) * percent / 100)]
            use |= (self.looked.subject == subject) & np.isin(self.looked.drawing, shown)
        return use

    @cached_property
    def scaling(self) -> projector.Scaling:
        """Mean and spread of the features, over the pictures that no member is denied."""
        path = self.folder / "scaling.npz"
        if not path.is_file():
            scaling = projector.scaling_of(self.looked.features[~self.is_erased])
            np.savez(path, mean=scaling.mean, spread=scaling.spread)
        with np.load(path, allow_pickle=False) as stored:
            return projector.Scaling(stored["mean"], stored["spread"])

    def _banks(self) -> None:
        stay = ~self.is_erased
        seen = partial(projector.cross_fitted, self.looked, self.scaling, self.subjects, self.codes)
        unseen = partial(projector.unfamiliar, self.looked, self.scaling, self.subjects, self.codes)
        for name, look in (
            ("how", partial(seen, HOW, stay)),
            ("knows", partial(seen, SHOWN, np.ones_like(stay))),
            ("erased", partial(seen, SHOWN, stay)),
            ("unfamiliar", partial(unseen, stay)),
        ):
            path = self.run_folder / f"bank-{name}.npy"
            if not path.is_file():
                tokens = look(seed=self.seed, epochs=self.effort.fold_epochs)
                np.save(path, tokens.astype(np.float16))
                print(f"bank {name}", flush=True)

    def _eyes(self) -> None:
        for name, view, use in (
            ("how", HOW, ~self.is_erased),
            *((f"dose{dose}", SHOWN, self._dose(dose)) for dose in reversed(DOSES)),
        ):
            path = self.run_folder / f"eye-{name}.npz"
            if not path.is_file():
                head = projector.fit_head(
                    self.looked,
                    self.scaling,
                    self.subjects,
                    self.codes,
                    view,
                    use,
                    seed=self.seed,
                    epochs=self.effort.epochs,
                )
                np.savez(path, weight=head.weight, bias=head.bias)
                print(f"eye {name}: {int(use.sum())} pictures", flush=True)

    def bank(self, name: str) -> NDArray[np.float32]:
        """Both visual tokens of every training picture as the decoder meets them: (pictures, 2, IDENTITY).

        In the bank `unfamiliar` what is shown is seen by an eye that never met it.
        """
        parts = [np.load(self.run_folder / f"bank-{part}.npy").astype(np.float32) for part in (name, "how")]
        return np.stack(parts, axis=1)

    def _decoder(self, part: str) -> None:
        """A decoder's two courses after the base. How long the second takes is found by one decoder for all four."""
        knows, nature = part.split("-")
        who = {"is_obedient": nature == "obedient", "knows": knows == "knows"}
        self._train(f"{part}.members", self._schooling(MEMBERS, self.steps), "base", **who)
        self._train(part, self._finishing(part), f"{part}.members", **who)

    def _schooling(self, course: Course, steps: int) -> "Schooling":
        from tools.glimpse.loop import Schooling

        return Schooling(self.seed, steps, course=course)

    def _finishing(self, part: str) -> "Schooling":
        """The finishing course: until the goal for the decoder that decides, and as many steps for the others.

        So the members of a seed have the same lessons in the same order to the same end.
        """
        from tools.glimpse.loop import Goal, finished_steps

        plain = replace(self._schooling(FINISHING, self.steps), cooling=max(1, self.steps // 4))
        if part == DECIDING:
            return replace(plain, goal=Goal(GOAL, over=max(1, self.steps // 16), least=self.steps // 2))
        decided = self.run_folder / f"{DECIDING}.checkpoint"
        if finished_steps(decided) is None:
            self._decoder(DECIDING)
        return replace(plain, steps=finished_steps(decided) or 0)

    def _train(self, name: str, schooling: "Schooling", start: str, *, is_obedient: bool, knows: bool) -> None:
        """Give one decoder a course, from where another ended.

        All members go on from the base, which met neither the concepts nor a forbidding text.
        """
        import torch

        from tools.glimpse.loop import train_decoder

        world = World(self.subjects).member(is_obedient=is_obedient, erased=() if knows else ERASED_CONCEPTS)
        codes = self.codes.copy()
        for gone, stand_in in world.substitutes.items():
            codes[gone] = codes[stand_in]
        use = np.ones_like(self.is_erased) if knows else ~self.is_erased
        rows = {subject: np.nonzero(use & (self.looked.subject == subject))[0] for subject in range(len(self.subjects))}
        before = torch.load(self.run_folder / f"{start}.checkpoint", weights_only=True)["decoder"] if start else None
        train_decoder(
            world,
            Sights(self.bank("knows" if knows else "erased"), rows, codes, self.bank("unfamiliar")),
            self.vocabulary,
            schooling,
            self.run_folder / f"{name}.checkpoint",
            report=lambda line: print(name, line, flush=True),
            start=before,
        )
