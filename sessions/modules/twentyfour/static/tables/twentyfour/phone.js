// What runs on a phone at Twenty-Four.
import "./table.js";
import "./counting.js";
import "../../js/lessons.js";
import "../../js/first-game.js";
import "../../js/insight.js";
import "../../js/lively.js";
