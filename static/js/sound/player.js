// What makes the sounds of a scene, for those who have asked for them (asked.js).
import "./ambiences.js";
import "./scene.js";
