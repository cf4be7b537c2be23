// What runs on a phone on the journey.
import "./trial.js";
import "./journey.js";
import "./trying.js";
import "./hint.js";
import "../../js/lessons.js";
import "../../js/first-game.js";
import "../../js/insight.js";
