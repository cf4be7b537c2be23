// What runs on the table face at Good Cop Bad Cop.
import "./aims.js";
import "./moments.js";
