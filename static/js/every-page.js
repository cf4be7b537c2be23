// What runs on every page.
import "./base.js";
import "./kept.js";
