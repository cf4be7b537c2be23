// What runs on the table face at Twenty-Four.
import "./counting.js";
import "../../js/lively.js";
