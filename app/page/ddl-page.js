// SPDX-License-Identifier: GPL-2.0-only
// The page of `ddl report`: draws each chart from the JSON beside it (app/page/ddl-page.cc writes it).
// Texts reach the document as text alone, never as HTML.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const COLOURS = 7;

  // ---- Elements

  function put(parent, name, attributes = {}, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function html(parent, name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  const ruler = document.createElement("canvas").getContext("2d");
  function measure(text, size = 11.5) {
    ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    return ruler.measureText(text).width;
  }

  function shorten(text, width) {
    if (measure(text) <= width) return text;
    let kept = text.length;
    while (kept > 3 && measure(text.slice(0, kept) + "…") > width) --kept;
    return text.slice(0, kept) + "…";
  }

  // ---- Numbers

  function format(value, digits = 5) {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(Math.min(3, digits - 1));
    return String(Number(value.toPrecision(digits)));
  }

  function withInterval(value, half) {
    return format(value) + (half ? ` ± ${format(half, 2)}` : "");
  }

  function makeScale(least, most, from, to, isLogarithmic) {
    const place = isLogarithmic ? Math.log10 : (v) => v;
    const back = isLogarithmic ? (v) => 10 ** v : (v) => v;
    const low = place(least);
    const length = place(most) - low || 1;
    return {
      at: (v) => from + ((place(v) - low) / length) * (to - from),
      value: (pixel) => back(low + ((pixel - from) / (to - from)) * length),
      least, most, isLogarithmic,
    };
  }

  function makeTicks(scale, count) {
    const ticks = [];
    if (scale.isLogarithmic) {
      const decades = Math.log10(scale.most / scale.least);
      const steps = decades > 4 ? [1] : decades > 2 ? [1, 3] : [1, 2, 5];
      for (let e = Math.floor(Math.log10(scale.least)); e <= Math.log10(scale.most); ++e) {
        for (const step of steps) {
          const tick = step * 10 ** e;
          if (tick >= scale.least * 0.9999 && tick <= scale.most * 1.0001) ticks.push(Number(tick.toPrecision(6)));
        }
      }
      return ticks;
    }
    const raw = (scale.most - scale.least) / Math.max(1, count);
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step = unit * ([1, 2, 5].find((s) => s * unit >= raw * 0.9999) || 10);
    for (let i = Math.ceil(scale.least / step - 1e-9); i * step <= scale.most + step * 1e-9; ++i) {
      ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
  }

  /** A round number that is not below a value, for the end of an axis. */
  function roundUp(value) {
    if (!(value > 0)) return 1;
    const unit = 10 ** Math.floor(Math.log10(value));
    return unit * [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((s) => s * unit >= value * 0.9999);
  }

  // ---- The box with values under the pointer

  const tip = html(document.body, "div");
  tip.id = "tip";

  function showTip(event, title, rows) {
    tip.replaceChildren();
    html(tip, "b", "", title);
    for (const row of rows) {
      const line = html(tip, "div");
      if (row.colour !== undefined) html(line, "i").style.background = colourOf(row.colour);
      html(line, "span", "", row.name);
      html(line, "span", "", row.value);
    }
    tip.style.display = "block";
    const { width, height } = tip.getBoundingClientRect();
    const x = event.clientX + 16 + width > innerWidth ? event.clientX - 16 - width : event.clientX + 16;
    const y = Math.min(event.clientY + 12, innerHeight - height - 6);
    tip.style.left = `${Math.max(4, x)}px`;
    tip.style.top = `${Math.max(4, y)}px`;
  }

  function hideTip() {
    tip.style.display = "none";
  }

  /** Show values while the pointer is over an element. */
  function tellAt(hit, title, rows) {
    hit.addEventListener("pointermove", (event) => showTip(event, title, rows));
    hit.addEventListener("pointerleave", hideTip);
  }

  function colourOf(series) {
    return series < 0 ? "var(--mark)" : `var(--c${series % COLOURS})`;
  }

  const fill = (s) => `f${s % COLOURS} k${s % COLOURS} p${Math.floor(s / COLOURS) % 3}`;
  const stroke = (s) => `k${s % COLOURS} d${Math.floor(s / COLOURS) % 3}`;

  // ---- Axes

  const MARGIN = { top: 14, right: 16, bottom: 42, left: 62 };

  function makeSvg(parent, width, height, label) {
    return put(parent, "svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
  }

  function drawValueAxis(svg, scale, box, label, isGridded = true) {
    for (const tick of makeTicks(scale, Math.max(2, (box.bottom - box.top) / 48))) {
      const y = scale.at(tick);
      if (isGridded) put(svg, "line", { x1: box.left, x2: box.right, y1: y, y2: y, class: "grid" });
      put(svg, "text", { x: box.left - 7, y: y + 4, "text-anchor": "end" }, format(tick));
    }
    drawSideLabel(svg, box, label);
    put(svg, "line", { x1: box.left, x2: box.left, y1: box.top, y2: box.bottom, class: "axis" });
  }

  function drawSideLabel(svg, box, label) {
    put(svg, "text", {
      transform: `translate(13 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle",
    }, shorten(label, box.bottom - box.top + 40));
  }

  function drawBottomAxis(svg, scale, box, label, isGridded = true) {
    for (const tick of makeTicks(scale, Math.max(2, (box.right - box.left) / 90))) {
      const x = scale.at(tick);
      if (isGridded) put(svg, "line", { x1: x, x2: x, y1: box.top, y2: box.bottom, class: "grid" });
      put(svg, "line", { x1: x, x2: x, y1: box.bottom, y2: box.bottom + 4, class: "axis" });
      put(svg, "text", { x, y: box.bottom + 17, "text-anchor": "middle" }, format(tick, 8));
    }
    drawBase(svg, box, label);
  }

  function drawBase(svg, box, label) {
    put(svg, "line", { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: "axis" });
    put(svg, "text", { x: (box.left + box.right) / 2, y: box.bottom + 34, "text-anchor": "middle" }, label);
  }

  /** Names below an axis, turned where there is no room. Returns their height. */
  function layNames(names, place) {
    const lines = names.map((name) => name.split("\n"));
    const longest = Math.max(...lines.flat().map((line) => measure(line)), 1);
    const isTurned = longest > place - 6;
    const whole = names.map((name) => shorten(name.replace(/\n/g, " "), 170));
    const height = isTurned
      ? Math.max(...whole.map((name) => measure(name))) * 0.71 + 16
      : Math.max(...lines.map((line) => line.length)) * 15 + 6;
    const draw = (svg, i, x, y) => {
      if (isTurned) {
        put(svg, "text", { transform: `translate(${x + 4} ${y + 12}) rotate(-45)`, "text-anchor": "end", class: "ink" }, whole[i]);
        return;
      }
      lines[i].forEach((line, n) => put(svg, "text", { x, y: y + 15 + 15 * n, "text-anchor": "middle", class: n ? "small" : "ink" }, line));
    };
    return { height, draw, longest };
  }

  function drawWhisker(svg, x1, y1, x2, y2, isAcross) {
    const cap = 4;
    const ends = isAcross
      ? `M${x1} ${y1 - cap}V${y1 + cap}M${x1} ${y1}H${x2}M${x2} ${y1 - cap}V${y1 + cap}`
      : `M${x1 - cap} ${y1}H${x1 + cap}M${x1} ${y1}V${y2}M${x1 - cap} ${y2}H${x1 + cap}`;
    put(svg, "path", { d: ends, class: "halo" });
    put(svg, "path", { d: ends, class: "whisker" });
  }

  /** A published value; with the edge of a series where it could be that of any line. */
  function drawMark(svg, x, y, s) {
    const style = s === undefined ? "" : `stroke: ${colourOf(s)}`;
    return put(svg, "path", { d: `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`, class: "mark", style });
  }

  // ---- Panels. Each draws into a <div>, for so many pixels; `shown(s)` tells which series are wanted.

  function drawBars(parent, panel, width, shown) {
    const series = panel.series.map((s, i) => i).filter(shown);
    const least = panel.names.length * (10 + Math.max(1, series.length) * 9) + MARGIN.left + MARGIN.right;
    width = Math.max(width, least);
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top + 10 };
    const place = (box.right - box.left) / panel.names.length;
    const names = layNames(panel.names, place);
    box.bottom = box.top + 270;
    const svg = makeSvg(parent, width, box.bottom + names.height + (panel.xLabel ? 22 : 4), panel.yLabel);
    if (panel.xLabel) {
      put(svg, "text", { x: (box.left + box.right) / 2, y: box.bottom + names.height + 14, "text-anchor": "middle" }, panel.xLabel);
    }
    let most = Math.max(panel.reference || 0, panel.most || 0);
    for (const s of series) {
      panel.series[s].y.forEach((y, g) => {
        most = Math.max(most, (y || 0) + ((panel.series[s].half || [])[g] || 0), (panel.series[s].marks || [])[g] || 0);
      });
    }
    const scale = makeScale(0, roundUp(most * 1.04), box.bottom, box.top, false);
    drawValueAxis(svg, scale, box, panel.yLabel);
    const across = (place * 0.82) / Math.max(1, series.length);
    panel.names.forEach((name, g) => {
      const middle = box.left + place * (g + 0.5);
      names.draw(svg, g, middle, box.bottom);
      series.forEach((s, n) => drawBar(svg, panel, s, g, middle + across * (n - series.length / 2), across, scale, box));
    });
    drawReference(svg, panel, scale, box);
    svg.querySelectorAll(".value, .mark").forEach((above) => svg.appendChild(above));
    svg.querySelectorAll(".hit").forEach((above) => svg.appendChild(above));
    put(svg, "line", { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: "axis" });
  }

  function drawReference(svg, panel, scale, box) {
    if (panel.reference !== undefined) {
      const y = scale.at(panel.reference);
      put(svg, "line", { x1: box.left, x2: box.right, y1: y, y2: y, class: "reference" });
    }
  }

  function drawBar(svg, panel, s, g, x, across, scale, box) {
    const { name, y, half = [], texts = [], marks = [] } = panel.series[s];
    const mark = marks[g] ?? null;
    if (y[g] === null && mark === null) return;
    const top = scale.at(y[g] ?? 0);
    const middle = x + across / 2;
    put(svg, "rect", { x: x + across * 0.05, width: across * 0.9, y: top, height: Math.max(0, box.bottom - top), class: fill(s) });
    const high = half[g] ? scale.at(y[g] + half[g]) : top;
    if (half[g]) drawWhisker(svg, middle, scale.at(Math.max(0, y[g] - half[g])), middle, high);
    if (texts[g] && measure(texts[g], 10.5) < across * 1.05) {
      const isMarked = mark !== null && Math.abs(scale.at(mark) - high) < 18;
      put(svg, "text", { x: middle, y: isMarked ? Math.min(high, scale.at(mark)) - 9 : high - 5, "text-anchor": "middle", class: "small value" }, texts[g]);
    }
    if (mark !== null) drawMark(svg, middle, scale.at(mark));
    const hit = put(svg, "rect", { x, width: across, y: box.top, height: box.bottom - box.top, class: "hit" });
    const rows = [{ colour: s, name, value: withInterval(y[g], half[g]) }];
    if (texts[g] && panel.reference !== undefined) rows.push({ name: "mean", value: texts[g] });
    if (mark !== null) rows.push({ colour: -1, name: panel.mark, value: format(mark) });
    tellAt(hit, panel.names[g].replace(/\n/g, ", "), rows);
  }

  function drawStacks(parent, panel, width, shown) {
    width = Math.max(width, panel.names.length * 14 + MARGIN.left + MARGIN.right);
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top };
    const place = (box.right - box.left) / panel.names.length;
    const names = layNames(panel.names, place);
    box.bottom = box.top + 250;
    const svg = makeSvg(parent, width, box.bottom + names.height + 4, panel.yLabel);
    const series = panel.series.map((s, i) => i).filter(shown);
    const totals = panel.names.map((name, g) => series.reduce((sum, s) => sum + (panel.series[s].y[g] || 0), 0));
    const scale = makeScale(0, roundUp(Math.max(...totals)), box.bottom, box.top, false);
    drawValueAxis(svg, scale, box, panel.yLabel);
    panel.names.forEach((name, g) => {
      const x = box.left + place * g;
      let below = 0;
      for (const s of series) {
        const value = panel.series[s].y[g] || 0;
        const top = scale.at(below + value);
        put(svg, "rect", { x: x + place * 0.12, width: place * 0.76, y: top, height: scale.at(below) - top, class: fill(s) });
        below += value;
      }
      names.draw(svg, g, x + place / 2, box.bottom);
      const hit = put(svg, "rect", { x, width: place, y: box.top, height: box.bottom - box.top, class: "hit" });
      tellAt(hit, name, [
        ...series.filter((s) => panel.series[s].y[g]).reverse()
          .map((s) => ({ colour: s, name: panel.series[s].name, value: format(panel.series[s].y[g]) })),
        { name: "in all", value: format(totals[g]) },
      ]);
    });
    put(svg, "line", { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: "axis" });
  }

  function drawSteps(parent, panel, width, shown) {
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: 270 };
    const svg = makeSvg(parent, width, box.bottom + MARGIN.bottom, panel.yLabel);
    const all = panel.series.flatMap((s) => [...s.x, ...(s.markXs || [])]);
    const most = Math.max(...all);
    const least = panel.log ? Math.min(...all) / 1.05 : 0;
    const x = makeScale(least, most * 1.05 || 1, box.left, box.right, panel.log);
    const y = makeScale(0, 1, box.bottom, box.top, false);
    drawValueAxis(svg, y, box, panel.yLabel);
    drawBottomAxis(svg, x, box, panel.xLabel);
    panel.series.forEach((series, s) => {
      if (!shown(s) || series.x.length === 0) return;
      let path = `M${x.at(series.x[0])} ${y.at(0)}`;
      series.x.forEach((value, i) => { path += `H${x.at(value).toFixed(1)}V${y.at(series.y[i]).toFixed(1)}`; });
      // the first are the widest, so that one shows beneath another
      const wide = 3.2 - (1.7 * s) / Math.max(1, panel.series.length - 1);
      put(svg, "path", { d: path + `H${box.right}`, class: `curve ${stroke(s)}`, style: `stroke-width: ${panel.series.length > 1 ? wide : 2}` });
    });
    panel.series.forEach((series, s) => {
      if (shown(s)) (series.markXs || []).forEach((value, i) => drawMark(svg, x.at(value), y.at(series.marks[i]), s));
    });
    followPointer(svg, box, (pixel) => {
      const at = x.value(pixel);
      return {
        x: pixel,
        title: `${panel.xLabel.replace(/, s$/, "")}: ${format(at, 4)}`,
        rows: panel.series.map((series, s) => ({ series, s })).filter(({ s }) => shown(s)).map(({ series, s }) => {
          const place = upperBound(series.x, at);
          return { colour: s, name: series.name, value: format(place === 0 ? 0 : series.y[place - 1], 4) };
        }),
      };
    });
  }

  function upperBound(values, value) {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= value) low = middle + 1; else high = middle;
    }
    return low;
  }

  function drawPoints(parent, panel, width, shown) {
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: 280 };
    const svg = makeSvg(parent, width, box.bottom + MARGIN.bottom, panel.yLabel);
    const first = panel.ticks[0];
    const last = panel.ticks[panel.ticks.length - 1];
    const inner = makeScale(first, last, box.left + 24, box.right - 24, panel.log);
    let least = Infinity;
    let most = -Infinity;
    panel.series.forEach((series, s) => series.y.forEach((value, i) => {
      if (value === null || !shown(s)) return;
      const half = (series.half || [])[i] || 0;
      const mark = (series.marks || [])[i] ?? value;
      least = Math.min(least, value - half, mark);
      most = Math.max(most, value + half, mark);
    }));
    const room = (most - least || 1) * 0.08;
    const y = makeScale(least - room, most + room, box.bottom, box.top, false);
    drawValueAxis(svg, y, box, panel.yLabel);
    panel.ticks.forEach((tick, i) => {
      put(svg, "line", { x1: inner.at(tick), x2: inner.at(tick), y1: box.top, y2: box.bottom, class: "grid" });
      put(svg, "text", { x: inner.at(tick), y: box.bottom + 17, "text-anchor": "middle" }, panel.names[i]);
    });
    drawBase(svg, box, panel.xLabel);
    const lines = panel.series.map((series, s) => s).filter(shown);
    const dodge = (s) => (lines.indexOf(s) - (lines.length - 1) / 2) * Math.min(7, 30 / lines.length);
    for (const s of lines) {
      const series = panel.series[s];
      let path = "";
      series.y.forEach((value, i) => {
        if (value === null) return;
        const px = inner.at(series.x[i]) + dodge(s);
        path += `${path ? "L" : "M"}${px} ${y.at(value)}`;
        const half = (series.half || [])[i];
        if (half) drawWhisker(svg, px, y.at(value - half), px, y.at(value + half));
      });
      put(svg, "path", { d: path || "M0 0", class: `curve ${stroke(s)}` });
      series.y.forEach((value, i) => {
        if (value !== null) put(svg, "circle", { cx: inner.at(series.x[i]) + dodge(s), cy: y.at(value), r: 4, class: fill(s) });
      });
      (series.marks || []).forEach((mark, i) => {
        if (mark !== null) drawMark(svg, inner.at(series.x[i]) + dodge(s), y.at(mark), s);
      });
    }
    followPointer(svg, box, (pixel) => {
      const i = nearest(panel.ticks.map((tick) => inner.at(tick)), pixel);
      return {
        x: inner.at(panel.ticks[i]),
        title: `${panel.xLabel} = ${panel.names[i]}`,
        rows: lines.flatMap((s) => {
          const { name, y: values, half = [], marks = [] } = panel.series[s];
          const ours = { colour: s, name, value: withInterval(values[i], half[i]) };
          const mark = marks[i] ?? null;
          return mark === null ? [ours] : [ours, { colour: -1, name: `${name}, ${panel.mark}`, value: format(mark) }];
        }),
      };
    });
  }

  function nearest(places, place) {
    let best = 0;
    places.forEach((p, i) => { if (Math.abs(p - place) < Math.abs(places[best] - place)) best = i; });
    return best;
  }

  /** The x of an event in the chart's own units. */
  function toX(svg, event) {
    const bounds = svg.getBoundingClientRect();
    return (event.clientX - bounds.left) * (svg.viewBox.baseVal.width / bounds.width);
  }

  function followPointer(svg, box, describe) {
    const cross = put(svg, "line", { x1: 0, x2: 0, y1: box.top, y2: box.bottom, class: "cross", visibility: "hidden" });
    const hit = put(svg, "rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, class: "hit" });
    hit.addEventListener("pointermove", (event) => {
      const shown = describe(toX(svg, event));
      if (!shown) return;
      cross.setAttribute("x1", shown.x);
      cross.setAttribute("x2", shown.x);
      cross.setAttribute("visibility", "visible");
      showTip(event, shown.title, shown.rows);
    });
    hit.addEventListener("pointerleave", () => {
      cross.setAttribute("visibility", "hidden");
      hideTip();
    });
    return hit;
  }

  /** Published and measured numbers, a row each. */
  function drawRows(parent, panel, width) {
    const [ours] = panel.series;
    const longest = Math.max(...panel.names.map((name) => measure(name)));
    const left = Math.min(longest + 14, width * 0.5);
    const box = { left, right: width - MARGIN.right, top: MARGIN.top };
    box.bottom = box.top + panel.names.length * 24 + 6;
    const svg = makeSvg(parent, width, box.bottom + MARGIN.bottom, panel.xLabel);
    const values = panel.reference === undefined ? [] : [panel.reference];
    ours.y.forEach((value, i) => {
      const half = ours.half[i] || 0;
      values.push(...[value, value - half, value + half, ours.marks[i]].filter((v) => v !== null && (!panel.log || v > 0)));
    });
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const room = (most - least || 1) * 0.05;
    const scale = panel.log
      ? makeScale(least / 1.3, most * 1.3, box.left, box.right, true)
      : makeScale(least - room, most + room, box.left, box.right, false);
    const place = (value) => scale.at(panel.log ? Math.max(value, scale.least) : value);
    drawBottomAxis(svg, scale, box, panel.xLabel);
    if (panel.reference !== undefined) {
      const x = scale.at(panel.reference);
      put(svg, "line", { x1: x, x2: x, y1: box.top, y2: box.bottom, class: "reference" });
    }
    panel.names.forEach((name, i) => {
      const y = box.top + 15 + i * 24;
      put(svg, "text", { x: box.left - 8, y: y + 4, "text-anchor": "end", class: "ink" }, shorten(name, left - 12));
      const value = ours.y[i];
      const mark = ours.marks[i];
      if (value !== null && mark !== null) {
        put(svg, "line", { x1: scale.at(value), x2: scale.at(mark), y1: y, y2: y, class: "axis" });
      }
      if (value !== null && ours.half[i]) drawWhisker(svg, place(value - ours.half[i]), y, place(value + ours.half[i]), y, true);
      if (mark !== null) drawMark(svg, scale.at(mark), y);
      if (value !== null) put(svg, "circle", { cx: scale.at(value), cy: y, r: 4.5, class: "f0" });
      const hit = put(svg, "rect", { x: 0, width, y: y - 12, height: 24, class: "hit" });
      tellAt(hit, name, [
        { colour: -1, name: panel.mark, value: format(mark) },
        { colour: 0, name: "ours", value: withInterval(value, ours.half[i]) },
        ...(ours.texts && ours.texts[i] ? [{ name: ours.texts[i], value: "" }] : []),
      ]);
    });
  }

  // ---- Time: panels of one group show the same part of it

  const groups = new Map();

  function joinGroup(name, end, draw) {
    if (!groups.has(name)) groups.set(name, { end: 0, view: null, draws: [] });
    const group = groups.get(name);
    group.end = Math.max(group.end, end);
    group.draws.push(draw);
    return group;
  }

  function look(group, from, to) {
    const least = group.end / 1e7;
    const length = Math.min(group.end, Math.max(least, to - from));
    const start = Math.min(Math.max(0, from), group.end - length);
    group.view = length >= group.end * 0.9999 ? null : [start, start + length];
    hideTip();
    group.draws.forEach((draw) => draw());
  }

  function getView(group) {
    return group.view || [0, group.end || 1];
  }

  function zoom(group, factor, at) {
    const [from, to] = getView(group);
    const middle = at ?? (from + to) / 2;
    look(group, middle - (middle - from) * factor, middle + (to - middle) * factor);
  }

  function pan(group, part) {
    const [from, to] = getView(group);
    look(group, from + (to - from) * part, to + (to - from) * part);
  }

  function addZoomTools(tools, group) {
    for (const [text, hint, act] of [
      ["◀", "earlier", () => pan(group, -0.5)],
      ["▶", "later", () => pan(group, 0.5)],
      ["+", "zoom in", () => zoom(group, 0.5)],
      ["−", "zoom out", () => zoom(group, 2)],
      ["all", "all of the run (double click)", () => look(group, 0, group.end)],
    ]) {
      const button = html(tools, "button", "", text);
      button.title = hint;
      button.setAttribute("aria-label", hint);
      button.addEventListener("click", act);
    }
  }

  /** Dragging marks what to zoom into; with Shift it pans. Ctrl and the wheel zoom, arrows pan. */
  function addZoom(svg, hit, box, scale, group) {
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-label", `${svg.getAttribute("aria-label")}: arrows pan, + and - zoom, 0 shows all`);
    hit.classList.add("zooming");
    const clamp = (event) => Math.min(box.right, Math.max(box.left, toX(svg, event)));
    hit.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const start = clamp(event);
      const before = getView(group);
      const selection = put(svg, "rect", { x: start, y: box.top, width: 0, height: box.bottom - box.top, class: "select" });
      const up = (last) => {
        removeEventListener("pointerup", up);
        removeEventListener("pointermove", move);
        selection.remove();
        const to = clamp(last);
        if (event.shiftKey) {
          const shift = scale.value(start) - scale.value(to);
          look(group, before[0] + shift, before[1] + shift);
        } else if (Math.abs(to - start) > 4) {
          look(group, scale.value(Math.min(start, to)), scale.value(Math.max(start, to)));
        }
      };
      const move = (moved) => {
        if (event.shiftKey) return;
        selection.setAttribute("x", Math.min(start, clamp(moved)));
        selection.setAttribute("width", Math.abs(clamp(moved) - start));
      };
      addEventListener("pointerup", up);
      addEventListener("pointermove", move);
      event.preventDefault();
      svg.focus({ preventScroll: true });
    });
    svg.addEventListener("dblclick", () => look(group, 0, group.end));
    svg.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoom(group, event.deltaY > 0 ? 1.25 : 0.8, scale.value(clamp(event)));
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && group.view) {
        event.preventDefault();
        pan(group, event.deltaX / 800);
      }
    }, { passive: false });
    svg.addEventListener("keydown", (event) => {
      const act = {
        ArrowLeft: () => pan(group, -0.25), ArrowRight: () => pan(group, 0.25), "+": () => zoom(group, 0.5),
        "=": () => zoom(group, 0.5), "-": () => zoom(group, 2), 0: () => look(group, 0, group.end), Escape: () => look(group, 0, group.end),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
      // the chart was drawn anew
      svg.ownerDocument.querySelector(`[data-key="${svg.dataset.key}"]`)?.focus({ preventScroll: true });
    });
  }

  let clips = 0;
  function makeClip(svg, box) {
    const id = `clip${++clips}`;
    const clip = put(put(svg, "defs"), "clipPath", { id });
    put(clip, "rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top });
    return put(svg, "g", { "clip-path": `url(#${id})` });
  }

  function drawTime(parent, panel, width, shown, group, key) {
    const [from, to] = getView(group);
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: 230 };
    const svg = makeSvg(parent, width, box.bottom + MARGIN.bottom, panel.yLabel);
    svg.dataset.key = key;
    const x = makeScale(from, to, box.left, box.right, false);
    const first = Math.min(upperBound(panel.times, from), panel.times.length - 1);
    const last = Math.min(upperBound(panel.times, to), panel.times.length - 1);
    const series = panel.series.map((one, s) => s).filter(shown);
    const isStacked = panel.kind === "areas";
    let most = 0;
    for (let i = first; i <= last; ++i) {
      let sum = 0;
      for (const s of series) sum = isStacked ? sum + panel.series[s].y[i] : Math.max(sum, panel.series[s].y[i]);
      most = Math.max(most, sum);
    }
    const y = makeScale(0, roundUp(most), box.bottom, box.top, false);
    drawValueAxis(svg, y, box, panel.yLabel);
    drawBottomAxis(svg, x, box, panel.xLabel, false);
    const inside = makeClip(svg, box);
    const startOf = (i) => (i === 0 ? 0 : panel.times[i - 1]);
    const floor = new Float64Array(last - first + 1);
    for (const s of series) {
      let over = "";
      const back = [];
      let isDown = false; // a curve has a gap where it has no value
      for (let i = first; i <= last; ++i) {
        const value = panel.series[s].y[i];
        if (!isStacked && value === null) {
          isDown = false;
          continue;
        }
        const base = floor[i - first];
        const top = (isStacked ? base : 0) + value;
        const [left, right] = [x.at(startOf(i)).toFixed(1), x.at(panel.times[i]).toFixed(1)];
        over += `${isDown ? "L" : "M"}${left} ${y.at(top).toFixed(1)}H${right}`;
        isDown = true;
        if (isStacked) back.push(`L${right} ${y.at(base).toFixed(1)}H${left}`);
        floor[i - first] = top;
      }
      put(inside, "path", isStacked
        ? { d: `${over}${back.reverse().join("")}Z`, class: `lineless ${fill(s).replace(/k\d/, "")}` }
        : { d: over, class: `curve ${stroke(s)}` });
    }
    const hit = followPointer(svg, box, (pixel) => {
      const at = x.value(pixel);
      const i = upperBound(panel.times, at);
      if (i >= panel.times.length) return null;
      const rows = series.filter((s) => panel.series[s].y[i]).reverse()
        .map((s) => ({ colour: s, name: panel.series[s].name, value: format(panel.series[s].y[i]) }));
      if (isStacked && rows.length > 1) {
        rows.push({ name: "in all", value: format(series.reduce((sum, s) => sum + panel.series[s].y[i], 0)) });
      }
      return {
        x: pixel,
        title: `${format(startOf(i), 7)} ${panel.xUnit} to ${format(panel.times[i], 7)} ${panel.xUnit}`,
        rows: rows.length ? rows : [{ name: "nothing", value: "" }],
      };
    });
    addZoom(svg, hit, box, x, group);
  }

  function drawBoxes(parent, panel, width, shown, group, key) {
    const [from, to] = getView(group);
    const tall = Math.min(16, Math.max(2, 540 / panel.names.length));
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top };
    box.bottom = box.top + Math.max(40, tall * panel.names.length);
    const step = (box.bottom - box.top) / panel.names.length;
    const svg = makeSvg(parent, width, box.bottom + MARGIN.bottom, panel.yLabel);
    svg.dataset.key = key;
    const x = makeScale(from, to, box.left, box.right, false);
    let free = -Infinity;
    panel.names.forEach((name, row) => {
      if (!name) return;
      const y = box.top + row * step;
      put(svg, "line", { x1: box.left, x2: box.right, y1: y, y2: y, class: "grid" });
      if (y < free) return;
      put(svg, "text", { x: box.left - 7, y: y + 9, "text-anchor": "end" }, name);
      free = y + 12;
    });
    drawSideLabel(svg, box, panel.yLabel);
    put(svg, "line", { x1: box.left, x2: box.left, y1: box.top, y2: box.bottom, class: "axis" });
    drawBottomAxis(svg, x, box, panel.xLabel);
    const hit = put(svg, "rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, class: "hit" });
    const inside = makeClip(svg, box);
    const rects = [];
    // of light and of pale boxes too, an edge stands out from the paper by 3:1
    const plain = (colour) => (colour < 0 ? "var(--soft)" : colour % COLOURS === 6 ? "var(--box6)" : colourOf(colour));
    const edge = (colour) => `color-mix(in srgb, ${plain(colour)} 60%, var(--ink))`;
    panel.boxes.forEach(([row, start, end, colour, name, text, shade], i) => {
      if (end < from || start > to) return;
      const left = x.at(start);
      const across = Math.max(0.7, x.at(end) - left);
      const rect = put(inside, "rect", {
        x: left, y: box.top + row * step + step * 0.06, width: across, height: step * 0.88,
        class: `box f${colour < 0 ? 7 : colour % COLOURS}${shade ? "" : " waits"}${shade && across < 4 ? " thin" : ""}`,
        style: `stroke: ${edge(colour)}${shade ? `; fill-opacity: ${shade}` : ""}`, "data-box": i,
      });
      rects.push([rect, name]);
      const visible = Math.min(x.at(end), box.right) - Math.max(left, box.left);
      if (step >= 11 && visible > measure(name, 10) + 6) {
        put(inside, "text", { x: Math.max(left, box.left) + 4, y: box.top + (row + 0.5) * step + 3.5, class: "inside" }, name);
      }
    });
    inside.addEventListener("pointermove", (event) => {
      const at = event.target.dataset.box;
      if (at === undefined) return;
      const [, start, end, , name, text] = panel.boxes[at];
      inside.classList.add("dim");
      rects.forEach(([rect, other]) => rect.classList.toggle("lit", other === name));
      const unit = panel.xUnit;
      showTip(event, text, [{ name: "from", value: `${format(start, 7)} ${unit}` }, { name: "to", value: `${format(end, 7)} ${unit}` },
        { name: "for", value: `${format(end - start, 4)} ${unit}` }]);
    });
    inside.addEventListener("pointerleave", () => {
      inside.classList.remove("dim");
      hideTip();
    });
    addZoom(svg, hit, box, x, group);
    inside.addEventListener("pointerdown", (event) => hit.dispatchEvent(new PointerEvent("pointerdown", event)));
  }

  // ---- Networks: links coloured by how busy they are, over the run or in an interval

  const LOAD_STOPS = 6;
  const [FROM, TO, WIRE_NAME, CABLES, RATE, USED, BYTES, QUEUES, BUSIEST, BUSIEST_USED, USED_OVER, BYTES_OVER] = [...Array(12).keys()];

  /** Colour of a share of 1: stops are colours of the style, so that both themes have their own. */
  function loadColour(share) {
    const place = Math.min(1, Math.max(0, share)) * (LOAD_STOPS - 1);
    const low = Math.min(LOAD_STOPS - 2, Math.floor(place));
    return `color-mix(in srgb, var(--load${low + 1}) ${Math.round(100 * (place - low))}%, var(--load${low}))`;
  }

  function formatUnits(value, unit) {
    const step = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]].find(([size]) => value >= size);
    return step ? `${format(value / step[0], 4)} ${step[1]}${unit}` : `${format(value, 4)} ${unit}`;
  }

  const percent = (share) => `${format(100 * share, 3)} %`;

  /** Where the ends of a wire are drawn: each direction on its right side. */
  function placeWire(panel, wire, at, gap) {
    const [x1, y1] = at(panel.nodes[wire[FROM]]);
    const [x2, y2] = at(panel.nodes[wire[TO]]);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(-(y2 - y1) / length) * gap, ((x2 - x1) / length) * gap];
    if (y1 === y2 && Math.abs(x2 - x1) > 60) { // over what stands between them
      const bow = Math.min(40, Math.abs(x2 - x1) / 8);
      return `M${x1 + dx} ${y1 + dy}Q${(x1 + x2) / 2} ${y1 - bow + 2 * dy} ${x2 + dx} ${y2 + dy}`;
    }
    return `M${x1 + dx} ${y1 + dy}L${x2 + dx} ${y2 + dy}`;
  }

  function layNetwork(panel, width) {
    const rows = new Map();
    panel.nodes.forEach((node) => rows.set(node[2], (rows.get(node[2]) || 0) + 1));
    const widest = Math.max(...rows.values());
    const top = Math.max(...rows.keys());
    const across = Math.max(width, Math.min(widest * 7.4, 2400) + 60);
    const hosts = panel.nodes.filter((node) => node[3] > 0);
    const place = (across - 60) / (rows.get(0) || 1);
    const longest = Math.max(...hosts.map((node) => measure(node[0], 10.5)), 1);
    const isTurned = longest > place - 4;
    const isNamed = place >= 11 || !isTurned;
    const below = isNamed ? (isTurned ? Math.min(longest, 130) + 14 : 24) : 14;
    const level = Math.min(150, Math.max(80, 460 / Math.max(1, top)));
    return { rows, across, isTurned, isNamed, height: 34 + top * level + below, at: ([, x, y]) => [30 + x * (across - 60), 26 + (top - y) * level] };
  }

  function drawNodes(svg, panel, { rows, across, isTurned, isNamed, at }) {
    const roomOf = (y) => (across - 60) / rows.get(y);
    const full = new Set(panel.nodes.filter(([name, , y, hosts]) => !hosts && measure(name, 10.5) > roomOf(y)).map(([, , y]) => y));
    panel.nodes.forEach((node) => {
      const [name, , y, hosts] = node;
      const [px, py] = at(node);
      const size = Math.max(1.5, Math.min(6, roomOf(y) / 4.5));
      const mark = hosts > 0
        ? put(svg, "circle", { cx: px, cy: py, r: hosts > 1 ? size + 1 : size, class: "node" })
        : put(svg, "rect", { x: px - 1.4 * size, y: py - size, width: 2.8 * size, height: 2 * size, rx: 1.5, class: "node" });
      tellAt(mark, name, [{ name: hosts > 1 ? "hosts" : hosts ? "host" : "switch", value: hosts > 1 ? String(hosts) : "" }]);
      if (hosts > 0 && isNamed) {
        const text = isTurned ? { transform: `translate(${px + 3.5} ${py + 11}) rotate(-90)`, "text-anchor": "end" } : { x: px, y: py + 20, "text-anchor": "middle" };
        put(svg, "text", { ...text, class: "small" }, shorten(name, 130));
      } else if (!hosts && !full.has(y)) {
        put(svg, "text", { x: px, y: py - 11, "text-anchor": "middle", class: "small value" }, name);
      }
    });
  }

  function drawScale(parent, label) {
    const scale = html(parent, "div", "scale");
    html(scale, "span", "", label);
    const svg = put(scale, "svg", { width: 232, height: 26, role: "img", "aria-label": `${label}: from 0 to 100 %` });
    for (let i = 0; i < 50; ++i) put(svg, "rect", { x: 8 + i * 4, y: 1, width: 4.3, height: 9, style: `fill: ${loadColour((i + 0.5) / 50)}` });
    for (const tick of [0, 25, 50, 75, 100]) put(svg, "text", { x: 8 + tick * 2, y: 22, "text-anchor": "middle", class: "small" }, tick === 100 ? "100 %" : String(tick));
    const gone = html(scale, "span", "");
    put(put(gone, "svg", { width: 24, height: 10 }), "path", { d: "M0 5H24", class: "wire gone" });
    html(gone, "span", "", "down");
  }

  /** What is shown of each wire in an interval, or, if that is -1, over the run. */
  function lookAt(panel, i) {
    return panel.wires.map((wire) => (i < 0
      ? { share: wire[USED], bytes: wire[BYTES], isGone: wire[USED_OVER].length > 0 && wire[USED_OVER].every((used) => used < 0) }
      : { share: Math.max(0, wire[USED_OVER][i]) / 1000, bytes: wire[BYTES_OVER][i], isGone: wire[USED_OVER][i] < 0 }));
  }

  function describeWire(wire, look, interval) {
    const rows = [];
    if (wire[RATE]) rows.push({ name: wire[CABLES] > 1 ? `${wire[CABLES]} cables, in all` : "rate", value: formatUnits(wire[RATE], "bit/s") });
    if (look.isGone) rows.push({ name: "is down", value: "" });
    if (interval >= 0) rows.push({ name: "utilisation now", value: percent(look.share) }, { name: "bytes now", value: formatUnits(look.bytes, "B") });
    rows.push({ name: "utilisation, run", value: percent(wire[USED]) }, { name: "bytes, run", value: formatUnits(wire[BYTES], "B") });
    wire[QUEUES].forEach(([queue, bytes]) => rows.push({ name: queue === 0 ? "queue 0 (control)" : `queue ${queue}`, value: formatUnits(bytes, "B") }));
    if (wire[CABLES] > 1) rows.push({ name: `busiest: ${wire[BUSIEST]}`, value: percent(wire[BUSIEST_USED]) });
    return rows;
  }

  /** The busiest links, of all or of a job: its name, number of links, wires. */
  function describeBusiest(panel, looks, job) {
    const wires = job ? job[2] : looks.map((look, w) => w);
    const order = wires.filter((w) => looks[w].share > 0).sort((a, b) => looks[b].share - looks[a].share);
    const busiest = order.slice(0, job ? 1 : 5).map((w) => `${panel.wires[w][WIRE_NAME]} ${percent(looks[w].share)}`).join("; ");
    const all = job ? `Streams of ${job[0]} use ${job[1]} links, by the last path of each stream. ` : "";
    const which = job ? "The busiest of them, with all that it carries" : "Busiest";
    return all + (order.length === 0 ? `${job ? "None of them" : "No link"} carries anything.` : `${which}: ${busiest}.`);
  }

  /** The slider and its buttons; `show` draws what they say. */
  function addNetworkTools(parent, panel, view, show) {
    const tools = html(parent, "div", "network-tools");
    const count = panel.times.length;
    const said = document.createElement("span");
    const name = () => {
      const from = view.interval > 0 ? panel.times[view.interval - 1] : 0;
      said.textContent = view.interval < 0 ? "mean of the run" : `${format(from, 6)} s to ${format(panel.times[view.interval], 6)} s`;
    };
    if (count > 0) addSlider(tools, panel, view, () => { name(); show(); });
    if (panel.jobs.length > 0) addJobMenu(tools, panel, view, show);
    tools.appendChild(said);
    said.className = "said";
    said.setAttribute("aria-live", "polite");
    name();
  }

  /** A menu of the jobs whose links are known; -1 stands for all. */
  function addJobMenu(tools, panel, view, show) {
    const menu = html(tools, "select");
    menu.setAttribute("aria-label", "job whose links stand out");
    ["all links", ...panel.jobs.map(([name]) => `links of ${name}`)].forEach((text, i) => {
      html(menu, "option", "", text).value = i - 1;
    });
    menu.value = view.job;
    menu.addEventListener("change", () => {
      view.job = Number(menu.value);
      show();
    });
  }

  function addSlider(tools, panel, view, show) {
    const count = panel.times.length;
    const play = html(tools, "button", "", "▶ play");
    const slider = html(tools, "input");
    Object.assign(slider, { type: "range", min: 0, max: count - 1, step: 1, value: Math.max(0, view.interval) });
    slider.setAttribute("aria-label", "interval of simulated time");
    const whole = html(tools, "button", "", "whole run");
    let timer = null;
    const go = (interval) => {
      view.interval = interval;
      if (interval >= 0) slider.value = interval;
      slider.setAttribute("aria-valuetext", interval < 0 ? "mean of the run" : `until ${format(panel.times[interval], 6)} s`);
      show();
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      play.textContent = "▶ play";
    };
    play.addEventListener("click", () => {
      if (timer) return stop();
      play.textContent = "❚❚ pause";
      if (view.interval >= count - 1) view.interval = -1;
      timer = setInterval(() => {
        if (!play.isConnected || view.interval >= count - 1) stop(); else go(view.interval + 1);
      }, Math.max(60, Math.min(400, 12000 / count)));
    });
    slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
    whole.addEventListener("click", () => { stop(); go(-1); });
  }

  function drawNetwork(parent, panel, width) {
    panel.view = panel.view || { interval: -1, job: -1 }; // stays when the page gets another width
    const { view } = panel;
    let show = () => {};
    addNetworkTools(parent, panel, view, () => show());
    drawScale(parent, "utilisation");
    const layout = layNetwork(panel, width);
    const svg = makeSvg(parent, layout.across, layout.height, panel.yLabel);
    const isFull = panel.wires.length > 1000;
    const gap = isFull ? 0.6 : panel.wires.length > 200 ? 1.3 : 2.6;
    const lines = panel.wires.map((wire, w) => put(svg, "path", { d: placeWire(panel, wire, layout.at, gap), class: "wire", "data-wire": w }));
    drawNodes(svg, panel, layout);
    const list = html(parent, "p", "busiest");
    let looks = [];
    show = () => {
      looks = lookAt(panel, view.interval);
      const wide = isFull ? 1.6 : 3.4;
      const job = panel.jobs[view.job];
      const own = job && new Set(job[2]);
      looks.forEach(({ share, isGone }, w) => {
        const least = own && own.has(w) ? 1.8 : 0.7;
        lines[w].setAttribute("class", `wire${isGone ? " gone" : ""}${own && !own.has(w) ? " pale" : ""}`);
        lines[w].style.stroke = isGone ? "" : loadColour(share);
        lines[w].style.strokeWidth = isGone ? "" : least + wide * share;
      });
      list.textContent = describeBusiest(panel, looks, job);
    };
    show();
    svg.addEventListener("pointermove", (event) => {
      const w = event.target.dataset.wire;
      if (w !== undefined) showTip(event, panel.wires[w][WIRE_NAME], describeWire(panel.wires[w], looks[w], view.interval));
      else if (event.target === svg) hideTip();
    });
    svg.addEventListener("pointerleave", hideTip);
  }

  // ---- Charts

  const DRAW = {
    bars: drawBars, stacks: drawStacks, steps: drawSteps, points: drawPoints, rows: drawRows,
    curves: drawTime, areas: drawTime, boxes: drawBoxes, network: drawNetwork,
  };
  const OVER_TIME = ["curves", "areas", "boxes"];

  function drawSample(parent, kind, s) {
    const svg = put(parent, "svg", { width: 22, height: 12 });
    if (kind === "steps" || kind === "points" || kind === "curves") {
      put(svg, "line", { x1: 0, x2: 22, y1: 6, y2: 6, class: `curve ${stroke(s)}`, "stroke-width": 2.5 });
    } else if (kind === "rows") {
      put(svg, "circle", { cx: 14, cy: 6, r: 4.5, class: fill(s) });
    } else {
      put(svg, "rect", { x: 3, y: 1, width: 14, height: 10, class: fill(s) });
    }
  }

  function drawLegend(parent, chart, hidden, redraw) {
    const [panel] = chart.panels;
    const legend = html(parent, "div", "legend");
    for (const [name, colour, shade] of panel.key) {
      const entry = html(legend, "span");
      const waits = shade ? "" : " waits";
      put(put(entry, "svg", { width: 22, height: 12 }), "rect", {
        x: 3, y: 1, width: 14, height: 10, class: `box f${colour < 0 ? 7 : colour}${waits}`, style: shade ? `fill-opacity: ${shade}` : "stroke: var(--soft)",
      });
      html(entry, "span", "", name);
    }
    if (panel.kind === "boxes") return;
    const hasMarks = chart.panels.some((one) => (one.series || []).some((series) => (series.marks || []).some((mark) => mark !== null)));
    if (panel.series.length > 1 || panel.kind === "rows") {
      panel.series.forEach((series, s) => {
        const button = html(legend, panel.kind === "rows" ? "span" : "button");
        drawSample(button, panel.kind, s);
        html(button, "span", "", series.name);
        if (panel.kind === "rows") return;
        button.title = `${series.name}: click to hide or show`;
        button.setAttribute("aria-pressed", "true");
        button.addEventListener("click", () => {
          if (hidden.has(s)) hidden.delete(s);
          else if (hidden.size + 1 < panel.series.length) hidden.add(s);
          button.setAttribute("aria-pressed", String(!hidden.has(s)));
          redraw();
        });
      });
    }
    if (hasMarks) {
      const entry = html(legend, "span");
      drawMark(put(entry, "svg", { width: 16, height: 14 }), 8, 7);
      html(entry, "span", "", chart.mark);
    }
  }

  function drawChart(figure, number) {
    const chart = JSON.parse(figure.querySelector("script").textContent);
    chart.panels.forEach((panel) => { panel.mark = chart.mark; });
    const plot = figure.querySelector(".plot");
    const hidden = new Set();
    const draws = [];
    const redraw = () => draws.forEach((draw) => draw());
    drawLegend(plot, chart, hidden, redraw);
    const isBeside = chart.panels.length > 1 && !OVER_TIME.includes(chart.panels[0].kind);
    const panels = html(plot, "div", isBeside ? "panels beside" : "panels");
    chart.panels.forEach((panel, p) => {
      const place = html(panels, "div", "panel");
      let group = null;
      const draw = () => {
        place.replaceChildren();
        const width = Math.max(320, Math.floor(place.clientWidth) || 1000);
        DRAW[panel.kind](place, panel, width, (s) => !hidden.has(s), group, `${number}-${p}`);
      };
      if (OVER_TIME.includes(panel.kind)) {
        const end = panel.kind === "boxes" ? panel.boxes.reduce((most, one) => Math.max(most, one[2]), 0) : panel.times[panel.times.length - 1];
        group = joinGroup(`${chart.group} ${panel.xUnit}`, end, draw); // one unit of time in a group
        if (p === 0) addZoomTools(figure.querySelector(".tools"), group);
      }
      draws.push(draw);
    });
    return redraw;
  }

  // ---- The page

  function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }

  function addThemeButton() {
    const button = document.getElementById("theme");
    const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const label = () => { button.textContent = isDark() ? "☀ light" : "☾ dark"; };
    button.addEventListener("click", () => {
      setTheme(isDark() ? "light" : "dark");
      label();
    });
    const fromHash = () => {
      if (["#dark", "#light"].includes(location.hash)) setTheme(location.hash.slice(1));
      label();
    };
    addEventListener("hashchange", fromHash);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    fromHash();
  }

  addThemeButton();
  const charts = [...document.querySelectorAll("figure.chart")].map(drawChart);
  let width = 0;
  const drawAll = () => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    charts.forEach((redraw) => redraw());
    // the keyboard scrolls what has more to show
    document.querySelectorAll(".scroll, .panel").forEach((place) => { place.tabIndex = place.scrollWidth > place.clientWidth ? 0 : -1; });
  };
  drawAll();
  addEventListener("resize", drawAll);
  document.querySelectorAll("pre").forEach((place) => { place.tabIndex = 0; });
})();
