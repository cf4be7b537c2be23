// What runs on a phone at Liar Mafia.
import "../../js/hand.js";
import "./place.js";
import "../../js/lessons.js";
import "../../js/first-game.js";
import "../../js/insight.js";
import "../../js/lively.js";
