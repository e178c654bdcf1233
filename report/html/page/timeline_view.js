// SPDX-License-Identifier: Apache-2.0
// Which part of the time is in view, and how keys, wheel, mouse and fingers move it.
{
  const shortest = 10;  // ns across the screen
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** Calls `changed` after each move. */
  kdiag.View = class {
    constructor(from, to, changed) {
      const room = Math.max((to - from) * 0.02, shortest);
      this.all = {from: from - room, to: to + room};
      Object.assign(this, this.all);
      this.changed = changed;
      this.goal = null;
      this.speeds = {zoom: 0, pan: 0};
      this.focus = 0.5;  // the part of the width around which keys zoom
      this.running = false;
    }

    set(from, to) {
      const whole = this.all.to - this.all.from;
      const length = Math.min(Math.max(to - from, shortest), whole);
      const start = Math.min(Math.max((from + to - length) / 2, this.all.from - length / 2), this.all.to - length / 2);
      this.from = start;
      this.to = start + length;
      this.changed();
    }
    /** Moves there in steps that the eye can follow. */
    go(from, to) {
      if (still()) {
        this.goal = null;
        return this.set(from, to);
      }
      this.goal = {from, to};
      this.run();
    }
    zoom(factor, part) {
      const length = this.to - this.from, at = this.from + length * part;
      const next = Math.min(Math.max(length * factor, shortest), this.all.to - this.all.from);
      this.goal = null;
      this.set(at - next * part, at + next * (1 - part));
    }
    pan(part) {
      const by = (this.to - this.from) * part;
      this.goal = null;
      this.set(this.from + by, this.to + by);
    }
    settled() { return !this.goal && !this.speeds.zoom && !this.speeds.pan; }

    run() {
      if (this.running) return;
      this.running = true;
      let before = performance.now();
      const frame = now => {
        const seconds = Math.min((now - before) / 1000, 0.05);
        before = now;
        if (this.speeds.zoom) this.zoom(2.8 ** (this.speeds.zoom * seconds), this.focus);
        if (this.speeds.pan) this.pan(this.speeds.pan * seconds);
        if (this.goal) this.approach(1 - 0.00002 ** seconds);
        this.running = !this.settled();
        if (this.running) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }
    approach(part) {
      const {from, to} = this.goal, length = to - from;
      const close = Math.abs(from - this.from) + Math.abs(to - this.to) < length * 0.004;
      if (close) {
        this.goal = null;
        return this.set(from, to);
      }
      this.set(this.from + (from - this.from) * part, this.to + (to - this.to) * part);
    }
  };

  const held = {w: ["zoom", -1], s: ["zoom", 1], a: ["pan", -0.9], d: ["pan", 0.9],
    ArrowLeft: ["pan", -0.9], ArrowRight: ["pan", 0.9], "+": ["zoom", -1], "-": ["zoom", 1]};

  /** Keys as in Perfetto: W and S zoom, A and D pan. `left`: px of the lane names. */
  kdiag.navigate = (box, view, left) => {
    const part_at = event => {
      const bounds = box.getBoundingClientRect();
      return Math.min(Math.max((event.clientX - bounds.left - left()) / (bounds.width - left()), 0), 1);
    };
    box.addEventListener("keydown", event => {
      const move = held[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      view.goal = null;
      view.speeds[move[0]] = move[1] * (event.shiftKey ? 3 : 1);
      if (still()) {
        if (move[0] === "zoom") view.zoom(move[1] < 0 ? 0.7 : 1.4, view.focus);
        else view.pan(Math.sign(move[1]) * 0.2);
        view.speeds[move[0]] = 0;
      } else view.run();
    });
    const stop = event => {
      const move = held[event.key && (event.key.length === 1 ? event.key.toLowerCase() : event.key)];
      if (move) view.speeds[move[0]] = 0;
    };
    box.addEventListener("keyup", stop);
    box.addEventListener("blur", () => view.speeds = {zoom: 0, pan: 0});
    box.addEventListener("wheel", event => {
      const sideways = event.shiftKey ? event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
      if (event.ctrlKey || event.metaKey) view.zoom(1.0015 ** event.deltaY, part_at(event));
      else if (sideways) view.pan(sideways / 1200);
      else return;  // up and down scrolls the lanes
      event.preventDefault();
    }, {passive: false});

    const pointers = new Map();
    box.addEventListener("pointerdown", event => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      pointers.set(event.pointerId, event.clientX);
    });
    box.addEventListener("pointermove", event => {
      if (event.pointerType === "mouse") view.focus = part_at(event);
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      const width = box.clientWidth - left();
      if (pointers.size === 1) {
        if (Math.abs(event.clientX - before) < 3 && !box.hasPointerCapture(event.pointerId)) return;
        box.setPointerCapture(event.pointerId);
        view.pan((before - event.clientX) / width);
      } else {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = Math.max(Math.abs(before - other), 10), now = Math.max(Math.abs(event.clientX - other), 10);
        const middle = ((event.clientX + other) / 2 - box.getBoundingClientRect().left - left()) / width;
        view.zoom(apart / now, Math.min(Math.max(middle, 0), 1));
      }
      pointers.set(event.pointerId, event.clientX);
    });
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, event => pointers.delete(event.pointerId));
  };
}
