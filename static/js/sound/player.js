// The player of a scene's sounds, for listeners who have asked for them (asked.js).
import "./ambiences.js";
import "./scene.js";
