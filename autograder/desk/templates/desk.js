"use strict";
// Keys for the desk's forms, and marks that are saved as they are given. Without it every button still works.
(() => {
  const $ = (id) => document.getElementById(id);
  const form = $("marks"), group = $("alike"), fields = form || group;
  const AGAIN = 3000;  // milliseconds, until a page looks whether a run has ended
  let saving = Promise.resolve(), unsaved = false;

  function tell(text, bad) {
    const told = $("told");
    told.textContent = text;
    told.hidden = !text;
    told.classList.toggle("bad", Boolean(bad));
  }

  // One after another, each with what the one before has left: two quick keys are two saves, in order.
  function save() {
    unsaved = true;
    saving = saving.then(send);
    return saving;
  }

  async function send() {
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" },
      });
      const said = await answer.json();
      unsaved = false;
      if (!answer.ok) { tell(said.told, true); return; }
      form.elements.seen.value = said.seen;
      $("earned").textContent = said.mark || "–";
      $("count").textContent = `${said.marked} of ${said.of} marked`;
      $("progress").value = said.marked;
      $("marker").textContent = "saved";
      tell("");
    } catch {
      tell("the desk does not answer: this mark is not saved. Is its terminal still open?", true);
    }
  }

  function go(link) {
    if (link) saving.then(() => { if (!unsaved) location.assign(link.href); });
  }

  function type(value) {
    fields.elements.score.value = value;
    if (form) save();
  }

  // The tick box of the next or the previous member of a group, with its answer in view.
  function step(by) {
    const ticks = [...group.querySelectorAll("[name=looked]")];
    const at = ticks.indexOf(document.activeElement);
    const tick = ticks[Math.min(Math.max(at + by, 0), ticks.length - 1)];
    tick.focus({ preventScroll: true });
    tick.closest(".member").scrollIntoView({ block: "nearest" });
  }

  function press(key) {
    if (fields) {
      if (key === "ArrowRight") return go($("after"));
      if (key === "ArrowLeft") return go($("before"));
      if (group && key === "ArrowDown") return step(1);
      if (group && key === "ArrowUp") return step(-1);
      if (key === "0") { fields.querySelectorAll("[name=item]").forEach((each) => { each.checked = false; }); return type("0"); }
      if (key === "f") return type(fields.elements.score.dataset.most);
      if (key === "m" || key === "c") { const field = $(key === "m" ? "score" : "words"); field.focus(); field.select(); return true; }
    }
    const found = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!found) return false;
    if (form && found.form && found.form !== form) { saving.then(() => { if (!unsaved) found.click(); }); return true; }
    found.click();
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    const field = event.target;
    const typing = field.matches("textarea, select, input:not([type=checkbox])");
    if (typing && event.key === "Escape") { field.blur(); return; }
    if (fields && event.ctrlKey && event.key === "Enter") {
      event.preventDefault();
      if (group) { group.requestSubmit(); return; }
      field.blur();
      go($("after"));
      return;
    }
    if (typing || event.ctrlKey || event.key.length > 1 && !event.key.startsWith("Arrow") && event.key !== "Escape") return;
    if (press(event.key) !== false) event.preventDefault();
  });

  fields?.addEventListener("change", (event) => {
    // A ticked item is the rubric's word: a mark that was typed before it gives way.
    if (event.target.name === "item") fields.elements.score.value = "";
    if (form) save();
  });
  if (form) window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  if ($("running")) setTimeout(() => location.reload(), AGAIN);
  document.querySelectorAll("[name=back]:not([data-own])").forEach((each) => { each.value = location.pathname + location.search; });
  document.querySelectorAll(".who [name=marker]").forEach((each) => each.addEventListener("change", () => each.form.submit()));
})();
