"""The views of character creation: one question per page, each answer saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import zip_longest
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django import forms as django_forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from characters import access, forms, rules
from characters.exchange import parsing
from characters.models import Character, Creation
from characters.reference import PEOPLE
from characters.services import drafts, exchange, sheets
from characters.services.sheets import ItemWish
from characters.views.responses import (
    View,
    form_page,
    local_path,
    posted_data,
    run_service,
    status,
    submit_form,
)
from characters.views.sheet import item_form, powers
from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, ensure_person
from companion.pages.defaults import render_fragment

#: The URL name of a session's page.
SESSION_PAGE = "play:session"
#: The purchases of twelve cards: field of the spending, field of the allowance, label, price. [UC-2.2]
PURCHASES = [
    ("hp", "hp_max", _("Maximum HP"), _("+1 for two number cards")),
    ("skills", "skills", _("Skills"), _("+1 for two number cards")),
    ("suits", "suits", _("Favoured suits"), _("+1 for two court cards or jokers")),
    ("specials", "specials", _("Special items"), _("+1 for one court card or joker")),
]


@answered_once
@form_page
def start(request: HttpRequest) -> HttpResponse:
    """Choose the creation method. ``?next=`` is the page that receives the finished character."""
    form = forms.StartForm(request.POST or None, initial={"method": Creation.Method.STANDARD})
    return_to = _return_path(request)
    if request.method == "POST" and form.is_valid():
        character = drafts.start_draft(owner=ensure_person(request), return_to=return_to, **form.cleaned_data)
        return redirect("characters:create-cards", character.pk)
    context = {"form": form, "next": return_to, "people": [(key, one.sheet) for key, one in PEOPLE.items()]}
    return render(request, "characters/creation/start.html", context, status=status(form))


def _return_path(request: HttpRequest) -> str:
    return local_path(request.POST.get("next", request.GET.get("next", "")))


@answered_once
@require_POST
def take_ready(request: HttpRequest) -> HttpResponse:
    """Copy a pregenerated character, and redirect to ``next`` of the form or the address."""
    chosen = PEOPLE.get(request.POST.get("who", ""))
    if chosen is None:
        return redirect("characters:start")
    character = exchange.import_character(owner=ensure_person(request), sheet=chosen.sheet)
    return _leave_creation(character, _return_path(request))


@require_safe
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the open question, or to the sheet of a finished character."""
    creation = access.get_own_creation(request, pk)
    return redirect(creation.character) if creation.character.is_done else _go_on(creation)


def question(step: str, allow: Callable[[View], View] = form_page) -> Callable[[View], View]:
    """Decorate the view of one question: pass the draft, or redirect if an earlier question is open."""

    def decorate(view: View) -> View:
        @allow
        @wraps(view)
        def answer(request: HttpRequest, pk: int) -> HttpResponse:
            creation = access.get_own_creation(request, pk)
            if creation.character.is_done and request.method == "POST":
                return _leave_creation(creation.character, creation.return_to)
            if creation.character.is_done:
                return redirect(creation.character)
            order = drafts.steps(creation)
            if step not in order or order.index(step) > order.index(drafts.open_step(creation)):
                return _go_on(creation)
            return view(request, creation)

        return answer

    return decorate


def _go_on(creation: Creation) -> HttpResponse:
    fresh = Creation.objects.select_related("character").get(pk=creation.pk)
    return redirect(f"characters:create-{drafts.open_step(fresh)}", creation.pk)


def _page(request: HttpRequest, creation: Creation, step: str, **context: Any) -> HttpResponse:
    order = drafts.steps(creation)
    place = order.index(step)
    code = status(context["form"]) if "form" in context else 200
    context = {
        "creation": creation,
        "character": creation.character,
        "allowance": drafts.allowance(creation),
        "chapters": drafts.chapters(step),
        "back": reverse(f"characters:create-{order[place - 1]}", args=[creation.pk]) if place else "",
        **context,
    }
    return render(request, f"characters/creation/{step}.html", context, status=code)


def _ask(
    request: HttpRequest,
    creation: Creation,
    step: str,
    form: django_forms.Form,
    verb: Callable[[], Any],
    **context: Any,
) -> HttpResponse:
    """Save the answer and redirect to the next question, or show the question with its errors."""
    if submit_form(form, verb):
        return _go_on(creation)
    return _page(request, creation, step, form=form, **context)


@question("cards")
def cards(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Show the drawn cards; a POST keeps them. [UC-1.2, UC-1.3, UC-2.1]"""
    drawn, method = creation.cards, drafts.method(creation)
    choices = rules.joker_choices(drawn) if method == "standard" else {}
    initial = {"red_jokers": creation.red_jokers if creation.step != "cards" else None}
    form = forms.KeepForm(**posted_data(request), choices=choices, initial=initial)

    def keep() -> None:
        drafts.keep(character=creation.character, red_jokers=form.cleaned_data["red_jokers"])

    context = {
        "six": method == "standard",
        "count": rules.CARDS_DRAWN[method],
        "choices": choices,
        "verdict": rules.judge(method, drawn) if drawn else "",
        "joker_count": rules.jokers_in(drawn),
        "layout": rules.lay_out(drawn, rules.Spending()),
        "by_hand": [rules.allowance_by_hand(hp_max) for hp_max in rules.HP_OF_SIX] if creation.offers else [],
    }
    return _ask(request, creation, "cards", form, keep, **context)


@question("cards", require_POST)
def by_hand(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Choose figures that six cards could give, for a character imported from another game. [UC-1.3]"""
    hp_max = parsing.number(request.POST.get("hp_max")) or 0
    run_service(request, lambda: drafts.choose_by_hand(character=creation.character, hp_max=hp_max))
    return _go_on(creation)


@question("cards", require_POST)
def draw(request: HttpRequest, creation: Creation) -> HttpResponse:
    run_service(request, lambda: drafts.draw(character=creation.character))
    return redirect("characters:create-cards", creation.pk)


@question("cards", require_POST)
def redraw(request: HttpRequest, creation: Creation) -> HttpResponse:
    seen = parsing.number(request.POST.get("seen"))
    run_service(request, lambda: drafts.redraw(character=creation.character, seen=seen))
    return redirect("characters:create-cards", creation.pk)


@question("spend")
def spend(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Spend twelve cards: each button changes one purchase, and "next" confirms them. [UC-2.2]"""
    if request.method != "POST":
        return _page(request, creation, "spend", **_spending_context(creation))
    change = request.POST.get("change")
    if change is None:
        run_service(request, lambda: drafts.settle_spending(character=creation.character))
        return _go_on(creation)
    what, by = change[:-1], {"+": 1, "-": -1}.get(change[-1:], 0)
    refusal = run_service(request, lambda: drafts.spend(character=creation.character, what=what, by=by))
    fresh = access.get_own_creation(request, creation.pk)
    page = reverse("characters:create-spend", args=[creation.pk])
    context = {
        "creation": fresh,
        "character": fresh.character,
        "refusal": refusal,
        **_spending_context(fresh),
    }
    return render_fragment(request, "characters/creation/_spend.html", context, page=page)


def _spending_context(creation: Creation) -> dict[str, Any]:
    """Return each purchase with the cards that pay for it, the unspent cards, and the CA."""
    spending, layout = creation.spending, rules.lay_out(creation.cards, creation.spending)
    allowed = rules.twelve_allowance(creation.cards, spending)
    lines = [
        {
            "what": what,
            "label": label,
            "price": price,
            "cards": getattr(layout, what),
            "bought": getattr(spending, what),
            "total": getattr(allowed, total),
            "more": _can_buy(creation, what),
        }
        for what, total, label, price in PURCHASES
    ]
    return {"lines": lines, "layout": layout, "ca": allowed.ca}


def _can_buy(creation: Creation, what: str) -> bool:
    try:
        rules.lay_out(creation.cards, creation.spending.with_purchase(what, 1))
    except rules.SheetRefused:
        return False
    return True


@question("suit")
def suit(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Choose favoured suits. [UC-1.1, UC-2.2]"""
    form = forms.SuitsForm(**posted_data(request))

    def choose() -> None:
        drafts.choose_suits(character=creation.character, suits="".join(form.cleaned_data["suits"]))

    return _ask(request, creation, "suit", form, choose)


@question("skills")
def skills(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Name the skills. [UC-1.3, UC-2.2]"""
    form = forms.SkillsForm(
        **posted_data(request),
        count=drafts.require_allowance(creation).skills,
        skills=[skill.name for skill in creation.character.skills.all()],
    )

    def choose() -> None:
        drafts.choose_skills(character=creation.character, names=form.names)

    return _ask(request, creation, "skills", form, choose)


@question("special")
def special(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Choose special items. [UC-1.4, UC-2.2]"""
    sent, tables = posted_data(request), powers(creation.character)
    places = range(drafts.require_allowance(creation).specials)
    asked = [
        forms.ItemForm(**sent, prefix=f"item{place}", powers=tables, special=True, item=item)
        for place, item in zip_longest(places, creation.character.special_items)
    ]
    if sent and all(form.is_valid() for form in asked):
        wishes = [form.wish for form in asked]
        if not run_service(
            request, lambda: drafts.choose_specials(character=creation.character, wishes=wishes)
        ):
            return _go_on(creation)
    return _page(request, creation, "special", form=asked[0], forms=asked)


@question("items")
def items(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Show and confirm the ordinary items. [UC-1.5, UC-2.3]"""
    if request.method == "POST":
        run_service(request, lambda: drafts.settle_items(character=creation.character))
        return _go_on(creation)
    return _page(request, creation, "items", item_form=item_form(creation.character))


@question("items", require_POST)
def take_offered_item(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Add one item of the imported character, at the lowest value of its kind. [UC-1.5]"""
    wanted = request.POST.get("thing")
    thing = next((item for item in creation.offered_items if item["name"] == wanted), None)
    if thing:
        wish = ItemWish(kind=thing["kind"], name=thing["name"], table_value=0, quality=0)
        run_service(request, lambda: sheets.add_item(character=creation.character, wish=wish))
    return redirect("characters:create-items", creation.pk)


@question("about")
def about(request: HttpRequest, creation: Creation) -> HttpResponse:
    character = creation.character
    texts = {name: getattr(character, name) for name in ("name", "concept", "background")}
    form = forms.AboutForm(**posted_data(request), initial=texts)
    return _ask(
        request, creation, "about", form, lambda: drafts.describe(character=character, **form.cleaned_data)
    )


@question("review")
def review(request: HttpRequest, creation: Creation) -> HttpResponse:
    """Show the whole sheet; a POST finishes the creation. [UC-1.6]"""
    if request.method != "POST":
        return _page(request, creation, "review")
    if run_service(request, lambda: drafts.finish(character=creation.character)):
        return _go_on(creation)
    return _leave_creation(creation.character, creation.return_to)


def _leave_creation(character: Character, return_to: str) -> HttpResponse:
    """Redirect to ``return_to`` with ``?character=``, by POST if it is a session; without it, to the sheet.

    A session takes a character only by POST, so that no link can change a seat. No other page is posted to,
    since anybody can write the ``next`` of a link.
    """
    if not return_to:
        return redirect(character)
    address = urlsplit(return_to)
    query = [pair for pair in parse_qsl(address.query) if pair[0] != "character"]
    goal = address._replace(query=urlencode([*query, ("character", character.pk)])).geturl()
    return redirect(goal, preserve_request=_is_session_page(goal))


def _is_session_page(address: str) -> bool:
    try:
        return resolve(urlsplit(address).path).view_name == SESSION_PAGE
    except Resolver404:
        return False
