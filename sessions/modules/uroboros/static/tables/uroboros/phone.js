// What runs on a player's phone at the card table.
import "../../js/hand.js";
import "./attack.js";
import "./marks.js";
