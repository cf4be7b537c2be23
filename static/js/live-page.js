// What runs on a page that lives: every table of any game, and the lobby. htmx is there already, and starts after all of it.
import "./live.js";
import "./travel.js";
import "./grace.js";
import "./sharing.js";
import "./picture.js";
import "./moments.js";
import "./chat.js";
import "./care.js";
import "./sha256.js";
import "./shares.js";
import "./notify.js";
import "./emotes.js";
import "./clock.js";
import "./every-page.js";
import "./room.js";
import "./write.js";
import "./rules.js";
