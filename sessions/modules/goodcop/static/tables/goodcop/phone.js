// What runs on a phone at Good Cop Bad Cop.
import "../../js/hand.js";
import "./aims.js";
import "./targets.js";
import "./passing.js";
import "./moments.js";
import "../../js/lessons.js";
import "../../js/first-game.js";
import "../../js/insight.js";
