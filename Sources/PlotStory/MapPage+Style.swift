extension MapPage {
  /// The style sheet of the page.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --ground: #f3f0e8; --grid: #dfdacc; --grid-text: #8b8574; --panel: #fdfcf9; --rule: #e4dfd3;
      --ink: #23292e; --quiet: #666a68; --wash: #f1ede3; --wash-on: #ece6d8;
      --track: #2d5b7b; --casing: #f9f7f2; --region: #97917f; --region-fill: rgb(151 145 127 / .12);
      --seen: #3c7a5a; --seen-fill: rgb(60 122 90 / .16); --pin: #c2432b; --pin-text: #fff;
      --doubt: #b97a08; --doubt-fill: rgb(217 154 30 / .2); --in: #1d7a48; --in-fill: rgb(30 140 80 / .34);
      --dwell: #0b5f73; --dwell-fill: rgb(15 120 145 / .4); --drop: #a3361d;
      --bg-green: #dfe6d0; --bg-water: #c6dbe6; --bg-building: #e3ddd0; --bg-road: #fffdf8; --bg-rail: #cbc5b8; --bg-other: #d6d0c3;
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
        --doubt: #e0b04c; --doubt-fill: rgb(224 176 76 / .2); --in: #6fd39f; --in-fill: rgb(90 200 140 / .3);
        --dwell: #6fc6dd; --dwell-fill: rgb(90 190 215 / .34); --drop: #f0907a;
        --bg-green: #1a241d; --bg-water: #17303f; --bg-building: #222a2f; --bg-road: #313b42; --bg-rail: #3a444b; --bg-other: #2b343a;
        --geo: #b69ae6; --edge: #14191d; --focus: #7cc0ff; --shadow: rgb(0 0 0 / .5);
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body { background: var(--panel); color: var(--ink); font: 14px/1.4 var(--sans); -webkit-text-size-adjust: 100%; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(340px, 29vw); height: 100%; }
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
    .region[data-state=pending], .region[data-state=leaving] { fill: var(--doubt-fill); stroke: var(--doubt); }
    .region[data-state=pending]:not(.line), .region[data-state=leaving]:not(.line) { stroke-width: 2.2; stroke-dasharray: 5 4; }
    .region[data-state=inside] { fill: var(--in-fill); stroke: var(--in); }
    .region[data-state=inside]:not(.line) { stroke-width: 2.4; }
    .region[data-state=dwelling] { fill: var(--dwell-fill); stroke: var(--dwell); }
    .region[data-state=dwelling]:not(.line) { stroke-width: 3.4; }
    .region.hot:not(.line) { stroke-width: 3.4; }
    .region.dim { opacity: .3; }
    #world .region.line { fill: none; stroke: var(--region-fill); stroke-linecap: round; stroke-linejoin: round;
      vector-effect: none; }
    #world .region.line.seen { stroke: var(--seen-fill); }
    #world .region.line[data-state=pending], #world .region.line[data-state=leaving] { stroke: var(--doubt-fill); }
    #world .region.line[data-state=inside] { stroke: var(--in-fill); }
    #world .region.line[data-state=dwelling] { stroke: var(--dwell-fill); }
    #world .region.line.hot { stroke: var(--region); }
    .casing, .track, .gap { fill: none; stroke-linejoin: round; stroke-linecap: round; }
    .bg { stroke: none; fill: var(--bg-other); }
    .bg.green { fill: var(--bg-green); } .bg.water { fill: var(--bg-water); } .bg.building { fill: var(--bg-building); }
    .bg.road, .bg.path { fill: var(--bg-road); }
    .bgline, .bgdot { fill: none; stroke: var(--bg-other); stroke-width: 1.2; stroke-linecap: round; stroke-linejoin: round; }
    .bgline.road { stroke: var(--bg-road); stroke-width: 4; } .bgline.path { stroke: var(--bg-road); stroke-width: 1.6; }
    .bgline.water { stroke: var(--bg-water); stroke-width: 3; } .bgline.rail { stroke: var(--bg-rail); stroke-width: 1.8; stroke-dasharray: 7 3; }
    .bgline.green { stroke: var(--bg-green); stroke-width: 2; } .bgline.building { stroke: var(--bg-rail); }
    .bgdot { stroke: var(--bg-rail); stroke-width: 5; } .bgdot.water { stroke: var(--bg-water); }
    .casing { stroke: var(--casing); stroke-width: 6; opacity: .85; }
    .track { stroke: var(--track); stroke-width: 2.6; }
    /* The future is faint; without JavaScript nothing is. */
    :root[data-time]:not(.whole) #track, :root[data-time]:not(.whole) #arrows, :root[data-time]:not(.whole) .anchor.end { opacity: .28; }
    #error, .error { fill: var(--track); fill-opacity: .1; stroke: var(--track); stroke-opacity: .55; stroke-width: 1.2;
      stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; pointer-events: none; }
    #crosses, .out { fill: none; stroke: var(--quiet); stroke-width: 1.6; vector-effect: non-scaling-stroke; pointer-events: none; }
    #here { pointer-events: none; }
    #here circle:first-child { fill: var(--track); opacity: .2; }
    #here circle:last-child { fill: var(--track); stroke: var(--edge); stroke-width: 2.4; }
    .off, .same { display: none; }
    .drawing #map { cursor: crosshair; }
    .region.away { display: none; }
    #edited { fill: var(--doubt-fill); stroke: var(--doubt); stroke-width: 2.2; vector-effect: non-scaling-stroke; }
    #edited.line { fill: none; stroke: var(--doubt-fill); stroke-linecap: round; stroke-linejoin: round; vector-effect: none; }
    .handle { cursor: move; }
    .handle circle { fill: var(--doubt); stroke: var(--casing); stroke-width: 2; }
    .handle.between circle { fill: var(--casing); stroke: var(--doubt); stroke-width: 1.6; }
    .handle circle.reach { fill: transparent; stroke: none; }
    .handle:focus { outline: none; }
    .handle:focus-visible circle:not(.reach) { stroke: var(--ink); stroke-width: 3.5; }
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
    .visit.exit > *, .visit.other > * { fill: var(--quiet); }
    .visit.dwell > * { fill: none; stroke: var(--seen); stroke-width: 2.2; }
    .visit.dropped { cursor: pointer; }
    .visit.dropped > * { fill: var(--edge); stroke: var(--drop); stroke-width: 1.8; }
    .visit.on > *, .visit.hot > * { transform: scale(1.5); }
    /* The whole run, as it is without JavaScript, has no room for what was not shown. */
    :root:not([data-time]) #drops, :root:not([data-time]) .controls { display: none; }
    :root:not([data-time]) .live, :root[data-view=happened] .kept { display: none; }

    .now { position: absolute; left: 14px; top: 26px; max-width: min(330px, calc(100% - 90px)); padding: 6px 11px; border-radius: 8px;
      background: var(--panel); box-shadow: 0 1px 2px var(--shadow); font-size: 12px; pointer-events: none; opacity: .94; }
    .now p { margin: 2px 0; padding-left: 13px; position: relative; overflow-wrap: anywhere; color: var(--quiet); }
    .now b { color: var(--ink); font-weight: 600; }
    .now p[class]::before { content: ""; position: absolute; left: 0; top: .42em; width: 8px; height: 8px; border-radius: 50%;
      background: var(--in); }
    .now p.pending::before, .now p.leaving::before { background: var(--doubt); }
    .now p.objection::before { background: var(--quiet); }
    .now p.dwelling::before { background: var(--dwell); }
    .time { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr) auto; gap: 4px; align-items: center; padding: 6px 14px 6px 10px;
      border-top: 1px solid var(--rule); background: var(--panel); }
    .time button { width: 44px; height: 44px; padding: 14px; border: 0; border-radius: 50%; background: none; color: inherit; cursor: pointer; }
    .time button:hover { background: var(--wash); }
    .time #play { background: var(--wash-on); }
    .time svg { display: block; overflow: visible; }
    .time button svg { fill: currentColor; stroke: currentColor; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
    .time .halt { stroke-width: 2.6; }
    .playing .go, :root:not(.playing) .halt { display: none; }
    .slide { position: relative; padding: 0 4px; }
    .slide svg { position: absolute; left: 12px; top: 0; width: calc(100% - 24px); height: 7px; pointer-events: none; }
    .slide path { stroke: var(--pin); stroke-width: 2; vector-effect: non-scaling-stroke; }
    .slide .geotrigger { stroke: var(--geo); }
    .slide #breaks { stroke: var(--quiet); stroke-width: 5; stroke-dasharray: 1 2; }
    .slide input { display: block; width: 100%; height: 44px; margin: 0; accent-color: var(--track); cursor: pointer; }
    #clock { min-width: 66px; font-weight: 600; font-variant-numeric: tabular-nums; text-align: right; }

    .controls { position: absolute; top: 14px; right: 14px; display: grid; border-radius: 9px; overflow: hidden;
      background: var(--panel); box-shadow: 0 1px 2px var(--shadow), 0 3px 12px var(--shadow); }
    .controls button { width: 44px; height: 44px; padding: 14px; border: 0; background: none; color: inherit;
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
    .credit { position: absolute; right: 0; bottom: 0; margin: 0; padding: 1px 6px; background: var(--panel); color: var(--quiet); font-size: 11px; opacity: .9; }
    #tiles { opacity: .8; }
    .tip { position: absolute; z-index: 2; max-width: min(280px, 80%); padding: 8px 11px; border-radius: 8px;
      background: var(--panel); box-shadow: 0 1px 2px var(--shadow), 0 4px 18px var(--shadow); pointer-events: none;
      font-size: 12.5px; line-height: 1.35; }
    .tip b { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden;
      font-weight: 600; overflow-wrap: anywhere; }
    .tip small { display: block; color: var(--quiet); font-size: 11.5px; overflow-wrap: anywhere; }
    .legend { display: flex; flex-wrap: wrap; gap: 3px 12px; padding: 8px 14px; border-top: 1px solid var(--rule);
      background: var(--panel); color: var(--quiet); font-size: 12px; }
    .legend span { display: inline-flex; align-items: center; gap: 6px; }
    .legend svg { width: 18px; height: 18px; }

    /* The list */
    .panel { display: flex; flex-direction: column; min-height: 0; border-left: 1px solid var(--rule);
      background: var(--panel); }
    .panel header { padding: 16px 18px 10px; border-bottom: 1px solid var(--rule); }
    .when { margin: 0 0 4px; color: var(--quiet); font-size: 12px; }
    h1 { margin: 0; font: 600 21px/1.2 var(--serif); letter-spacing: -.005em; text-wrap: balance; overflow-wrap: anywhere; }
    dl { display: flex; flex-wrap: wrap; gap: 6px 15px; margin: 10px 0 0; }
    dt { color: var(--quiet); font-size: 11px; }
    dd { margin: 0; font-size: 14px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .plain { margin: 10px 0 0; color: var(--quiet); font-size: 12.5px; }
    .filters { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 10px; margin-top: 12px; }
    .views { grid-column: 1 / -1; display: grid; grid-auto-flow: column; border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }
    .views label { position: relative; text-align: center; font-size: 13px; cursor: pointer; }
    .views label + label { border-left: 1px solid var(--rule); }
    .views input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
    .views span { display: grid; align-content: center; min-height: 44px; padding: 0 4px; white-space: nowrap; }
    .views small { display: block; line-height: 1.1; color: var(--quiet); font-size: 11px; font-variant-numeric: tabular-nums; }
    .views input:checked + span { background: var(--wash-on); font-weight: 600; }
    .views input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: -3px; border-radius: 7px; }
    .pick { display: grid; gap: 2px; min-width: 0; }
    .pick span { color: var(--quiet); font-size: 11px; }
    .pick select { width: 100%; min-width: 0; height: 44px; padding: 0 6px; border: 1px solid var(--rule); border-radius: 7px;
      background: var(--panel); color: inherit; font: inherit; font-size: 13px; text-overflow: ellipsis; }
    .count { grid-column: 1 / -1; margin: 0; color: var(--quiet); font-size: 11.5px; }
    .count:empty { display: none; }
    .scroll { flex: 1; min-height: 0; overflow: auto; padding: 4px 8px; scrollbar-width: thin;
      scrollbar-color: var(--rule) transparent; }
    .list { margin: 0; padding: 0; list-style: none; }
    .day h2 { margin: 14px 10px 4px; color: var(--quiet); font-size: 12px; font-weight: 600; }
    .rows { position: relative; border-radius: 8px; }
    .rows:focus-visible { outline-offset: -2px; }
    .row { display: grid; grid-template-columns: 22px minmax(0, 1fr) auto; gap: 0 10px; padding: 7px 10px; --colour: var(--pin); }
    .row.geotrigger { --colour: var(--geo); }
    .rows .row { position: absolute; left: 0; right: 0; height: 48px; padding: 5px 10px; border-radius: 7px; cursor: pointer;
      border-left: 3px solid transparent; }
    .rows .row:hover { background: var(--wash); }
    .rows .row.on { background: var(--wash-on); border-left-color: var(--track); }
    .rows .later .number, .rows .later .words, .rows .later time { opacity: .62; }
    .rows .short { align-items: center; }
    .rows .words { display: contents; }
    .rows .number { grid-row: 1 / span 2; }
    .rows .message { grid-column: 2; }
    .rows time { grid-column: 3; grid-row: 1; }
    .rows .details { grid-column: 2 / span 2; grid-row: 2; }
    .rows .message, .rows .details { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; display: block; }
    .number { display: grid; place-items: center; width: 22px; height: 22px; margin-top: 1px; border-radius: 50%;
      background: var(--colour); color: var(--pin-text); font-size: 10.5px; font-weight: 650; font-variant-numeric: tabular-nums; }
    .geotrigger .number { border-radius: 5px; }
    .quiet .number, .decision .number { background: none; color: var(--quiet); font-size: 13px; }
    .quiet .number svg { width: 20px; height: 20px; }
    .decision.pass .number { color: var(--in); }
    .decision.hold .number { color: var(--doubt); }
    .decision.drop .number { color: var(--drop); }
    .message { display: block; font-weight: 500; line-height: 1.4; overflow-wrap: anywhere; white-space: pre-line; }
    .quiet .message { font-weight: 400; }
    .details { display: flex; flex-wrap: wrap; gap: 0 12px; color: var(--quiet); font-size: 12px; overflow-wrap: anywhere; }
    .campaign { font-style: italic; }
    time { padding-top: 2px; color: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
    .empty { margin: 0; padding: 18px 12px; color: var(--quiet); }
    .detail { max-height: 38%; overflow: auto; padding: 10px 18px 12px; border-top: 1px solid var(--rule); background: var(--wash); }
    .detail dl { display: block; margin: 0; }
    .detail dl div { display: grid; grid-template-columns: 84px minmax(0, 1fr); gap: 8px; padding: 1px 0; }
    .detail dt { font-size: 12px; padding-top: 1px; }
    .detail dd { font-size: 13px; font-weight: 500; white-space: pre-line; }
    .note { padding: 7px 18px 9px; border-top: 1px solid var(--rule); color: var(--quiet); font-size: 11.5px; }
    .note p { margin: 0; }
    .note summary { cursor: pointer; font-size: 12px; }
    .note table { margin: 4px 0 6px; border-spacing: 0; }
    .note td { padding: 1px 10px 1px 0; vertical-align: top; }
    kbd { padding: 0 4px; border: 1px solid var(--rule); border-radius: 4px; font: 11px var(--sans); white-space: nowrap; }

    @media (max-width: 799px) {
      main { grid-template-columns: minmax(0, 1fr); grid-template-rows: 54vh minmax(0, 1fr); grid-template-rows: 54svh minmax(0, 1fr); }
      .map { border-bottom: 1px solid var(--rule); }
      .legend { flex-wrap: nowrap; gap: 12px; padding: 5px 12px; font-size: 11px; overflow-x: auto; scrollbar-width: none; }
      .legend span { white-space: nowrap; }
      .legend svg { width: 15px; height: 15px; flex: none; }
      .scale { left: 12px; bottom: 12px; }
      .controls { top: 10px; right: 10px; }
      .time { padding: 4px 10px 4px 6px; gap: 2px; }
      .now { left: 10px; top: 10px; max-width: calc(100% - 72px); padding: 3px 9px; }
      #grid text { display: none; }
      .panel { border-left: 0; overflow: auto; display: block; }
      .panel header { padding: 12px 14px 10px; }
      h1 { font-size: 19px; }
      .scroll { overflow: visible; padding: 4px 4px; }
      .detail { position: sticky; bottom: 0; z-index: 1; max-height: 150px; padding: 8px 14px; box-shadow: 0 -2px 8px var(--shadow); }
      .note { padding: 8px 14px 14px; }
    }
    /* A phone on its side: the map and the list side by side, with less around them. */
    @media (max-height: 480px) and (min-width: 560px) {
      main { grid-template-columns: minmax(0, 1fr) minmax(250px, 40vw); grid-template-rows: minmax(0, 1fr); }
      .legend { display: none; }
      .panel { display: block; overflow: auto; }
      .scroll { overflow: visible; }
    }
    @media print {
      main, .map { display: block; height: auto; position: static; }
      #map { height: 16cm; }
      .controls, .time, .filters { display: none; }
      .scroll, .panel { overflow: visible; }
    }

    """#
}
