// What runs on every page.
import "./visibility.js";
import "./stored.js";
import "./base.js";
import "./answers.js";
import "./company.js";
import "./kept.js";
