// What runs on every page.
import "./visibility.js";
import "./base.js";
import "./company.js";
import "./kept.js";
