"use strict";
// Replays a game of this page. All texts are put in as text, never as markup: players may be called anything.
(() => {
  const by = (id) => document.getElementById(id);
  const make = (tag, text, className) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };
  let game = null;
  let step = 0;

  async function unpack(name) {
    const packed = document.getElementById("game-" + name);
    if (!packed) return null;
    const bytes = Uint8Array.from(atob(packed.textContent.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  function cards(label, list) {
    const zone = make("div", undefined, "zone");
    zone.append(make("b", label + " "));
    if (!list.length) zone.append("–");
    for (const card of list) zone.append(make("span", card, "card"));
    return zone;
  }

  function table(state) {
    const parts = [];
    if (state.draft) return [make("p", JSON.stringify(state.draft))];
    const market = state.market.map((slot, number) => (slot ? `${number}: ${slot[0]} (${slot[1]})` : `${number}: –`));
    parts.push(cards("Market, with costs", market));
    parts.push(make("div", `Market deck ${state.market_deck}, junk pile ${state.junk}`, "zone"));
    parts.push(cards("Market discard, top last", state.market_discard));
    const seats = make("div", undefined, "seats");
    for (const [seat, own] of Object.entries(state.seats)) {
      const box = make("div");
      box.append(make("h3", `${seat}: ${game.seats[seat]}`));
      box.append(cards("Hand", own.hand));
      own.stall.forEach((stack, number) => box.append(cards(`Stack ${number + 1}`, stack)));
      if (own.in_play.length) box.append(cards("In play", own.in_play));
      box.append(cards("Discard pile, top last", own.discard));
      box.append(make("div", `Deck ${own.deck}`, "zone"));
      seats.append(box);
    }
    parts.push(seats);
    return parts;
  }

  function attempt(one) {
    const box = make("div", undefined, "attempt");
    const why = [one.class, one.code, one.rules.join(" ")].filter(Boolean).join(", ");
    box.append(make("div", `Not accepted (${why}): ${one.stated || one.detail || "no readable answer"}`));
    return box;
  }

  function show() {
    const now = game.steps[step];
    const heading = now.seat ? `Round ${now.round}, ${now.seat} (${game.seats[now.seat]}): ` : "";
    by("told").replaceChildren(make("p", heading + now.told), ...now.attempts.map(attempt));
    const events = make("ul", undefined, "events");
    now.events.forEach((event) => events.append(make("li", event)));
    by("told").append(events);
    by("table").replaceChildren(...table(now.table));
    by("at").max = String(game.steps.length - 1);
    by("at").value = String(step);
    by("place").textContent = `${step} / ${game.steps.length - 1}`;
    const where = `#${encodeURIComponent(game.game)}/${step}`;
    // Whoever only opens the page is not brought here when it is loaded again.
    if (location.hash !== where && (step || location.hash)) history.replaceState(null, "", where);
  }

  function go(to) {
    if (!game) return;
    step = Math.max(0, Math.min(game.steps.length - 1, to));
    show();
  }

  function seek(direction) {
    for (let at = step + direction; at >= 0 && at < game.steps.length; at += direction) {
      if (game.steps[at].attempts.length) return go(at);
    }
  }

  async function open(name, at) {
    const found = await unpack(name);
    if (!found) return;
    game = found;
    by("choose").value = name;
    go(at);
  }

  function follow() {
    const [name, at] = decodeURIComponent(location.hash.slice(1)).split("/");
    const known = Boolean(document.getElementById("game-" + name));
    if (!known && game) return undefined; // a link to another part of the page
    // A link names the decision; its step is the one behind the deal.
    if (known) by("viewer").scrollIntoView();
    return open(known ? name : by("choose").value, known && at ? Number.parseInt(at, 10) || 0 : 0);
  }

  by("choose").addEventListener("change", () => open(by("choose").value, 0));
  by("first").addEventListener("click", () => go(0));
  by("back").addEventListener("click", () => go(step - 1));
  by("next").addEventListener("click", () => go(step + 1));
  by("last").addEventListener("click", () => go(Number.MAX_SAFE_INTEGER));
  by("earlier").addEventListener("click", () => game && seek(-1));
  by("later").addEventListener("click", () => game && seek(1));
  by("at").addEventListener("input", () => go(Number(by("at").value)));
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    if (event.key === "ArrowLeft") go(step - 1);
    if (event.key === "ArrowRight") go(step + 1);
  });
  by("viewer").hidden = false;
  follow();
})();
