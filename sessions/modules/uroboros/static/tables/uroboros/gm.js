// What runs on the GM's desk at the card table.
import "../../js/hand.js";
import "./attack.js";
import "./marks.js";
import "./spawn.js";
import "./peek.js";
