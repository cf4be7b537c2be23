// Cuts a picture on the device that chose it: a 3:4 window over it, dragged and zoomed by finger, mouse or keys.
// What the device cannot read is sent as it is, and the server says whether it can.
"use strict";
(() => {
  const form = document.querySelector("[data-crop]");
  const file = form.querySelector("input[type=file]");
  const stage = form.querySelector("[data-stage]");
  const canvas = stage.querySelector("canvas");
  const slider = stage.querySelector("[data-zoom]");
  const pen = canvas.getContext("2d");
  const CLOSEST = 4;
  const STEP = 16;
  let picture = null;
  let x = 0, y = 0;

  const least = () => Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const scale = () => least() * CLOSEST ** (slider.value / 100);
  const within = (value, size, room) => Math.min(0, Math.max(room - size, value));

  const draw = () => {
    const width = picture.width * scale(), height = picture.height * scale();
    x = within(x, width, canvas.width);
    y = within(y, height, canvas.height);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, x, y, width, height);
  };
  const move = (dx, dy) => { x += dx; y += dy; draw(); };
  // The middle of the window stays where it is.
  const zoomTo = (value) => {
    const before = scale();
    slider.value = value;
    const grown = scale() / before;
    x = canvas.width / 2 - (canvas.width / 2 - x) * grown;
    y = canvas.height / 2 - (canvas.height / 2 - y) * grown;
    draw();
  };

  file.addEventListener("change", async () => {
    picture = null;
    stage.hidden = true;
    if (!file.files.length) return;
    try { picture = await createImageBitmap(file.files[0]); } catch { return; }
    stage.hidden = false;
    slider.value = shown = 0;
    x = (canvas.width - picture.width * scale()) / 2;
    // Faces are in the upper part of most pictures.
    y = (canvas.height - picture.height * scale()) / 3;
    draw();
    stage.scrollIntoView({ block: "nearest" });
  });

  // The slider has moved already when it tells: the zoom before is remembered.
  let shown = 0;
  slider.addEventListener("input", () => {
    const wanted = slider.value;
    slider.value = shown;
    zoomTo(wanted);
    shown = wanted;
  });
  const zoomBy = (by) => { zoomTo(Math.min(100, Math.max(0, Number(slider.value) + by))); shown = slider.value; };

  const KEYS = {
    ArrowLeft: () => move(-STEP, 0), ArrowRight: () => move(STEP, 0),
    ArrowUp: () => move(0, -STEP), ArrowDown: () => move(0, STEP),
    "+": () => zoomBy(5), "-": () => zoomBy(-5),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!picture || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last || !picture) return;
    const before = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, event);
    const ratio = canvas.width / canvas.clientWidth;
    if (fingers.size === 1) move((event.clientX - last.clientX) * ratio, (event.clientY - last.clientY) * ratio);
    else if (before) zoomBy((100 * Math.log(spread() / before)) / Math.log(CLOSEST));
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));

  form.addEventListener("submit", (event) => {
    if (!picture) return;
    event.preventDefault();
    canvas.toBlob((cut) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([cut], "portrait", { type: cut.type }));
      file.files = chosen.files;
      form.submit();
    }, "image/jpeg", 0.92);
  });
})();
