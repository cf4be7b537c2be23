"""The numbers of rules in texts, as links to where they can be read."""

from __future__ import annotations

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_RULE = re.compile(r"\bUC-\d+(?:\.\d+)?\b")
#: The numbers of a sentence with the blank and the brackets round them.
_MENTIONS = re.compile(r"\s?[(（][^()（）]*\bUC-\d[^()（）]*[)）]|^UC-[\d.]+(?:, UC-[\d.]+)*$")


@register.filter
def rule_links(text: str) -> SafeString:
    """Return a text whose rule numbers ("UC-1.3") open the rules there, beside what is being typed.

    Brackets with numbers in them can be shown and hidden by the page as one (``_rules_toggle.html``).
    """
    page = reverse("play:rules", args=["uroboros"])

    def link(mention: re.Match[str]) -> str:
        return format_html('<a class="rule-id" href="{0}#{1}" target="_blank">{1}</a>', page, mention[0])

    def mention(numbers: re.Match[str]) -> str:
        return f'<span class="rule-ref">{_RULE.sub(link, numbers[0])}</span>'

    escaped = conditional_escape(text)
    marked = _MENTIONS.sub(mention, escaped) if _MENTIONS.search(escaped) else _RULE.sub(link, escaped)
    return mark_safe(marked)  # noqa: S308 (escaped before)
