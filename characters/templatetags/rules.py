"""The numbers of rules in texts, as links to where they can be read."""

from __future__ import annotations

import re

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_RULE = re.compile(r"\bUC-\d+(?:\.\d+)?\b")


@register.filter
def rule_links(text: str) -> SafeString:
    """Return a text whose rule numbers ("UC-1.3") open the rules there, beside what is being typed."""
    page = reverse("play:rules", args=["uroboros"])

    def link(mention: re.Match[str]) -> str:
        return format_html('<a class="rule-id" href="{0}#{1}" target="_blank">{1}</a>', page, mention[0])

    return mark_safe(_RULE.sub(link, conditional_escape(text)))  # noqa: S308 (escaped one call before)
