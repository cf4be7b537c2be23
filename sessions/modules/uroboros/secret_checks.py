"""Secret checks 秘密判定: the card lies face down, and the GM reveals the result. [UC-4.11]

Difficulty and result are not public, no card is turned and the field card stays. So neither the field, nor
the chain, nor any later check depends on the card that was laid.
"""

from __future__ import annotations

from companion.cards import Card, Suit
from sessions.game import IllegalMove, Seat, demand

from . import results, telling
from .checks import Bond
from .moves import Call, Reveal
from .piles import lay_under
from .scene import Scene
from .state import GM, Link, Secrecy, SecretCheck, State, Task, TaskResult

#: The number of secret checks that may wait to be revealed.
MOST_SECRETS = 30


def may_be_secret(state: State, move: Call) -> None:
    """Refuse a secret chain, because everybody sees its length, and more than ``MOST_SECRETS`` secrets.

    :raises IllegalMove: ``secret_chain``, ``too_many_secrets``.
    """
    demand(not (move.secret and move.chain), "secret_chain", "UC-4.11")
    demand(not move.secret or len(state.secrets) < MOST_SECRETS, "too_many_secrets", "UC-4.11")


def knows(looker: Seat | None, seat: Seat, secrecy: Secrecy | None) -> bool:
    """True if ``looker`` knows the difficulty and the result of a check of ``seat``."""
    return secrecy is None or looker == GM or (secrecy == "own" and looker == seat)


def sees_card(looker: Seat | None, check: SecretCheck) -> bool:
    """True if ``looker`` knows the card, because it knows the result or has laid the card from its hand."""
    seat = check.result.seat
    return knows(looker, seat, check.secrecy) or (looker == seat and not check.drew)


def readers(seat: Seat, secrecy: Secrecy) -> tuple[Seat, ...]:
    """Return the seats that know the result of a check of ``seat``."""
    return (GM, seat) if secrecy == "own" and seat != GM else (GM,)


def lay_face_down(state: State, task: Task, card: Card, named: Suit | None, bond: Bond) -> None:
    """Lay a card face down under the field card, which stays the target of the next check.

    :param named: the suit that a joker stands for.
    """
    target = Link(state.pile[-1], state.field_suit)
    task.face_down = [target, Link(card, named, played=True, by=bond.by, gap=bond.gap)]
    lay_under(state, card)


def keep_secret(scene: Scene, task: Task, result: TaskResult) -> None:
    """Store the result of a secret check, and tell it only to the seats that may know it."""
    if task.secrecy is None:
        raise ValueError("no secret check")
    state = scene.state
    deed, drew = telling.deed_of(state, task), task.sides[0].drew
    down = task.face_down
    state.secrets.append(SecretCheck(task.number, task.secrecy, deed, result, down, drew, bool(down)))
    known = {"number": task.number, "secret": task.secrecy, **results.result_fields(result)}
    scene.seal(task.number, readers(result.seat, task.secrecy), "decided", **known)
    telling.record_secret(state, task, result)


def reveal(scene: Scene, move: Reveal) -> None:
    """Tell everybody the result of a secret check; everybody may read its events from now on.

    :raises IllegalMove: ``unknown_secret``.
    """
    state = scene.state
    check = next((check for check in state.secrets if check.number == move.number), None)
    if check is None:
        raise IllegalMove("unknown_secret", rule="UC-4.11")
    state.secrets.remove(check)
    state.opened.append(check.number)
    results.add_result(state, check.result, "")
    scene.tell("revealed", number=check.number, deed=check.deed, **results.result_fields(check.result))
    telling.record_reveal(state, check)
