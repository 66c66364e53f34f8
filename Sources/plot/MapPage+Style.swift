extension MapPage {
  /// The style sheet of the page.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --ground: #f3f0e8; --grid: #dfdacc; --grid-text: #8b8574; --panel: #fdfcf9; --rule: #e4dfd3;
      --ink: #23292e; --quiet: #666a68; --wash: #f1ede3; --wash-on: #ece6d8;
      --track: #2d5b7b; --casing: #f9f7f2; --region: #97917f; --region-fill: rgb(151 145 127 / .12);
      --seen: #3c7a5a; --seen-fill: rgb(60 122 90 / .16); --pin: #c2432b; --pin-text: #fff;
      --geo: #6a4c9c; --edge: #fdfcf9; --focus: #1f6fb5; --shadow: rgb(40 34 20 / .18);
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", sans-serif;
      --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Liberation Serif", Georgia, serif;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14191d; --grid: #232b31; --grid-text: #77828a; --panel: #1a2025; --rule: #2b343b;
        --ink: #e4e6e3; --quiet: #9ba4a8; --wash: #222a30; --wash-on: #2c363d;
        --track: #86b6d8; --casing: #14191d; --region: #6f7a80; --region-fill: rgb(111 122 128 / .12);
        --seen: #76bb96; --seen-fill: rgb(118 187 150 / .14); --pin: #ef8064; --pin-text: #241009;
        --geo: #b69ae6; --edge: #14191d; --focus: #7cc0ff; --shadow: rgb(0 0 0 / .5);
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body { background: var(--panel); color: var(--ink); font: 14px/1.4 var(--sans); -webkit-text-size-adjust: 100%; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(320px, 27vw); height: 100%; }
    :focus { outline: none; }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }

    /* The map */
    .map { position: relative; display: flex; flex-direction: column; margin: 0; min-height: 0; overflow: hidden; }
    .stage { position: relative; flex: 1; min-height: 0; overflow: hidden; background: var(--ground); }
    #map { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab;
      user-select: none; -webkit-user-select: none; }
    #map:focus-visible { outline-offset: -3px; }
    #map.moving { cursor: grabbing; }
    svg text { font-family: var(--sans); }
    #grid path { stroke: var(--grid); fill: none; shape-rendering: crispEdges; }
    #grid text { fill: var(--grid-text); font-size: 10px; letter-spacing: .02em; paint-order: stroke;
      stroke: var(--ground); stroke-width: 3px; }
    #world * { vector-effect: non-scaling-stroke; }
    .region { fill: var(--region-fill); stroke: var(--region); }
    .region:not(.line) { stroke-width: 1; }
    .region.seen { fill: var(--seen-fill); stroke: var(--seen); }
    .region.seen:not(.line) { stroke-width: 1.4; }
    .region.hot:not(.line) { stroke-width: 2.6; }
    #world .region.line { fill: none; stroke: var(--region-fill); stroke-linecap: round; stroke-linejoin: round;
      vector-effect: none; }
    #world .region.line.seen { stroke: var(--seen-fill); }
    #world .region.line.hot { stroke: var(--region); }
    .casing, .track, .gap { fill: none; stroke-linejoin: round; stroke-linecap: round; }
    .casing { stroke: var(--casing); stroke-width: 6; opacity: .85; }
    .track { stroke: var(--track); stroke-width: 2.6; }
    .gap { stroke: var(--track); stroke-width: 1.4; stroke-dasharray: 2 6; opacity: .8; }
    #arrows path { fill: none; stroke: var(--casing); stroke-width: 3.6; stroke-linecap: round; stroke-linejoin: round; }
    #arrows path + path { stroke: var(--track); stroke-width: 1.8; }
    .anchor > * { fill: var(--edge); stroke: var(--track); stroke-width: 2.6; }
    .anchor.end > * { fill: var(--track); stroke: var(--edge); stroke-width: 1.8; }
    #labels text { fill: var(--ink); font-size: 11.5px; paint-order: stroke; stroke: var(--ground);
      stroke-width: 3.4px; stroke-linejoin: round; pointer-events: none; }
    #labels .plain { fill: var(--quiet); }
    .pin { cursor: pointer; --colour: var(--pin); }
    .pin.geotrigger { --colour: var(--geo); }
    .pin .drop, .pin .dot { fill: var(--colour); stroke: var(--edge); stroke-width: 1.4; }
    .pin .dot { opacity: 0; }
    .pin text { fill: var(--pin-text); font-size: 10.5px; font-weight: 650; text-anchor: middle;
      font-variant-numeric: tabular-nums; pointer-events: none; }
    .pin .long { font-size: 8.5px; }
    .pin.small .dot { opacity: 1; }
    .pin.small .drop, .pin.small text { display: none; }
    .pin.on .drop, .pin.hot .drop { stroke: var(--ink); stroke-width: 1.8; }
    .pin.on .drop, .pin.on text { transform: scale(1.28); }
    .pin:focus-visible { outline: none; }
    .pin:focus-visible .drop { stroke: var(--focus); stroke-width: 3; }
    .visit > * { fill: var(--seen); stroke: var(--edge); stroke-width: 1.2; }
    .visit.exit > * { fill: var(--quiet); }
    .visit.dwell > * { fill: none; stroke: var(--seen); stroke-width: 2.2; }
    .visit.other > * { fill: var(--quiet); }
    #visits { display: none; }
    .map:has(+ .panel.visits) #visits { display: inline; }
    #visits .visit.on > * { stroke: var(--ink); stroke-width: 2; transform: scale(1.6); }

    .controls { position: absolute; top: 14px; right: 14px; display: grid; border-radius: 9px; overflow: hidden;
      background: var(--panel); box-shadow: 0 1px 2px var(--shadow), 0 3px 12px var(--shadow); }
    .controls button { width: 36px; height: 36px; padding: 10px; border: 0; background: none; color: inherit;
      cursor: pointer; }
    .controls button + button { border-top: 1px solid var(--rule); }
    .controls button:hover { background: var(--wash); }
    .controls button:focus-visible { outline-offset: -3px; border-radius: 9px; }
    .controls svg { display: block; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round;
      stroke-linejoin: round; }
    .scale { position: absolute; left: 16px; bottom: 16px; height: 7px; border: 1.5px solid var(--ink); border-top: 0;
      font-size: 11px; pointer-events: none; visibility: hidden; }
    .scale span { position: absolute; left: 0; right: 0; bottom: 7px; text-align: center; white-space: nowrap;
      text-shadow: 0 0 3px var(--ground), 0 0 3px var(--ground), 0 0 3px var(--ground); }
    .tip { position: absolute; z-index: 2; max-width: min(280px, 80%); padding: 8px 11px; border-radius: 8px;
      background: var(--panel); box-shadow: 0 1px 2px var(--shadow), 0 4px 18px var(--shadow); pointer-events: none;
      font-size: 12.5px; line-height: 1.35; }
    .tip b { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden;
      font-weight: 600; overflow-wrap: anywhere; }
    .tip small { display: block; color: var(--quiet); font-size: 11.5px; overflow-wrap: anywhere; }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 9px 16px; border-top: 1px solid var(--rule);
      background: var(--panel); color: var(--quiet); font-size: 12px; }
    .legend span { display: inline-flex; align-items: center; gap: 6px; }
    .legend svg { width: 18px; height: 18px; }

    /* The list */
    .panel { display: flex; flex-direction: column; min-height: 0; border-left: 1px solid var(--rule);
      background: var(--panel); }
    .panel header { padding: 22px 22px 14px; border-bottom: 1px solid var(--rule); }
    .when { margin: 0 0 5px; color: var(--quiet); font-size: 12px; }
    h1 { margin: 0; font: 600 25px/1.18 var(--serif); letter-spacing: -.005em; text-wrap: balance;
      overflow-wrap: anywhere; }
    dl { display: grid; grid-template-columns: repeat(3, auto); justify-content: start; gap: 8px 28px;
      margin: 14px 0 0; }
    dt { color: var(--quiet); font-size: 11.5px; }
    dd { margin: 0; font-size: 15px; font-weight: 600; font-variant-numeric: tabular-nums; }
    .toggle { display: inline-flex; align-items: center; gap: 8px; margin-top: 14px; color: var(--quiet); font-size: 13px;
      cursor: pointer; }
    .toggle input { width: 15px; height: 15px; margin: 0; accent-color: var(--seen); }
    .list { flex: 1; min-height: 0; margin: 0; padding: 6px 10px; overflow: auto; list-style: none;
      scrollbar-width: thin; scrollbar-color: var(--rule) transparent; }
    .panel:not(.visits) .list .visit-only { display: none; }
    .map:not(:has(+ .panel.visits)) .visit-only { display: none; }
    .day h2 { margin: 16px 12px 6px; color: var(--quiet); font-size: 12px; font-weight: 600; }
    .row { display: grid; grid-template-columns: 24px minmax(0, 1fr) auto; gap: 0 12px; width: 100%; padding: 9px 12px;
      border: 0; border-radius: 8px; background: none; color: inherit; font: inherit; text-align: start;
      cursor: pointer; --colour: var(--pin); }
    .row.geotrigger { --colour: var(--geo); }
    .row:hover, .row.hot { background: var(--wash); }
    .row.on { background: var(--wash-on); }
    .row:focus-visible { outline-offset: -2px; }
    .number { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 50%;
      background: var(--colour); color: var(--pin-text); font-size: 11px; font-weight: 650;
      font-variant-numeric: tabular-nums; }
    .geotrigger .number { border-radius: 5px; }
    .message { display: block; font-weight: 500; line-height: 1.35; padding-top: 2px; overflow-wrap: anywhere;
      white-space: pre-line; }
    .details { display: flex; flex-wrap: wrap; gap: 0 14px; color: var(--quiet); font-size: 12.5px;
      overflow-wrap: anywhere; }
    .campaign { font-style: italic; }
    time { padding-top: 3px; color: var(--quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
    .row.quiet { padding-block: 3px; color: var(--quiet); font-size: 13px; }
    .row.quiet .number { background: none; height: 20px; }
    .row.quiet .number svg { width: 20px; height: 20px; }
    .row.quiet time { padding-top: 1px; }
    .empty { flex: 1; margin: 0; padding: 24px 22px; color: var(--quiet); }
    .note { margin: 0; padding: 10px 22px 12px; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 11.5px; }

    @media (max-width: 799px) {
      main { display: block; height: auto; }
      .map { position: sticky; top: 0; z-index: 1; height: 56vh; height: 56svh; border-bottom: 1px solid var(--rule); }
      .legend { gap: 2px 12px; padding: 6px 12px; font-size: 11px; }
      .legend svg { width: 15px; height: 15px; }
      .scale { left: 12px; bottom: 12px; }
      .controls { top: 10px; right: 10px; }
      .controls button { width: 42px; height: 42px; padding: 12px; }
      .panel { border-left: 0; }
      .panel header { padding: 16px 16px 12px; }
      h1 { font-size: 22px; }
      .list { overflow: visible; padding: 4px; }
      .row { scroll-margin: calc(56vh + 12px) 0 12px; padding: 10px 12px; }
      .empty { padding: 20px 16px; }
      .note { padding: 10px 16px 20px; }
    }
    @media print {
      main, .map { display: block; height: auto; position: static; }
      #map { height: 16cm; }
      .controls, .toggle { display: none; }
      .list { overflow: visible; }
    }

    """#
}
