"""A browser of 2022 (WebView 100): Chromium without its later features.

Its own parser drops what it does not know, so new words of style sheets get unknown
names; scripts find neither the new methods nor the new selectors.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from playwright.async_api import BrowserContext, Route

#: By 2022 all browsers had layers, ":is", ":where" and "inset"; these came later.
NEW_STYLE = re.compile(
    r":(?=has\(|popover-open|modal)|@(?=container|starting-style|scope)"
    r"|(?=\blight-dark\(|\bcolor-mix\()|(?<=\d)(?=[dsl]v[hw]\b|cq[wihb]\b)"
)
NEW_SCRIPT = """(() => {
  for (const name of ["checkVisibility"]) delete Element.prototype[name];
  const pops = ["showPopover", "hidePopover", "togglePopover", "popover"];
  for (const name of pops) delete HTMLElement.prototype[name];
  const isNew = /:has\\(|:modal|:popover-open/;
  for (const kind of [Element, Document])
    for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
      const known = kind.prototype[name];
      if (known) kind.prototype[name] = function (selector) {
        if (isNew.test(selector)) throw new SyntaxError(`'${selector}' is not a valid selector`);
        return known.call(this, selector);
      };
    }
})()"""


def old_style(text: str) -> str:
    """Return a style sheet in which everything new has a name that no browser knows."""
    return NEW_STYLE.sub(lambda found: f"{found[0]}-of-tomorrow-", text)


async def make_old(context: BrowserContext) -> None:
    async def style(route: Route) -> None:
        name = urlsplit(route.request.url).path.removeprefix("/static/")
        found = finders.find(name)
        assert found, name
        await route.fulfill(body=old_style(Path(found).read_text("utf-8")), content_type="text/css")

    await context.route(re.compile(r"\.css($|\?)"), style)
    await context.add_init_script(NEW_SCRIPT)
