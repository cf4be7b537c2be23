"""Links from rule ids in texts to the rules."""

from __future__ import annotations

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_RULE = re.compile(r"\bUC-\d+(?:\.\d+)?\b")
#: Rule ids in brackets, with the blank before them, or a text of rule ids only.
_MENTIONS = re.compile(r"\s?[(（][^()（）]*\bUC-\d[^()（）]*[)）]|^UC-[\d.]+(?:, UC-[\d.]+)*$")


@register.filter
def rule_links(text: str) -> SafeString:
    """Turn the rule ids of a text ("UC-1.3") into links that open the rules in a new tab.

    Each bracket of ids is one element, which ``_rules_toggle.html`` can show and hide.
    """
    page = reverse("play:rules", args=["uroboros"])

    def link(mention: re.Match[str]) -> str:
        return format_html('<a class="rule-id" href="{0}#{1}" target="_blank">{1}</a>', page, mention[0])

    def bracket(mentions: re.Match[str]) -> str:
        return f'<span class="rule-ref">{_RULE.sub(link, mentions[0])}</span>'

    escaped = conditional_escape(text)
    marked = _MENTIONS.sub(bracket, escaped) if _MENTIONS.search(escaped) else _RULE.sub(link, escaped)
    return mark_safe(marked)  # noqa: S308 (escaped above)
