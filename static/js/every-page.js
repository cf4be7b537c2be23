// What runs on every page.
import "./base.js";
import "./answers.js";
import "./company.js";
import "./kept.js";
