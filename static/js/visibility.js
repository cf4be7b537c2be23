// checkVisibility() where a browser has none (Safari before 17.4, Chrome before 105), as far as it is asked for here.
Element.prototype.checkVisibility ??= function checkVisibility({ visibilityProperty = false } = {}) {
  return this.getClientRects().length > 0 && !(visibilityProperty && getComputedStyle(this).visibility !== "visible");
};
