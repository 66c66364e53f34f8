#if os(Linux)
  /// The page of `plot studio`: one document without anything from elsewhere.
  enum StudioPage {
    static let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>plot studio</title>
      <style>
      \(style)</style>
      </head>
      <body>
      \(body)
      <script>
      \(shapes)
      \(script)</script>
      </body>
      </html>

      """

    /// The module that the service's dashboard shares, as an object of one script.
    static var shapes: String {
      var (lines, names): ([Substring], [Substring]) = ([], [])
      let module = String(decoding: PackageResources.shape_mjs, as: UTF8.self)
      for line in module.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("export ") else {
          lines.append(line)
          continue
        }
        let words = line.split(separator: " ", maxSplits: 2)
        lines.append(line.dropFirst(7))
        names.append(words[2].prefix { $0.isLetter })
      }
      return
        "const shapes = (() => {\n\(lines.joined(separator: "\n"))return {\(names.joined(separator: ", "))};\n})();"
    }

    private static let body = """
      <header>
      <h1>plot studio</h1>
      <label class="file">Feed <input type="file" id="feedFile" accept=".json"></label>
      <label class="file">Track <input type="file" id="trackFile"></label>
      <span id="trackName" class="quiet">no track</span>
      <button id="run" class="main">Run</button>
      <button id="keep">Compare from here</button>
      <button id="save">Save</button>
      <span id="state" role="status" class="quiet"></span>
      </header>
      <main>
      <section class="left" aria-label="The feed">
      <label for="feed" class="title">Feed</label>
      <textarea id="feed" spellcheck="false" autocomplete="off" wrap="off"></textarea>
      <div class="pane" id="findings" aria-live="polite"></div>
      <details id="way"><summary>A way without times, the zone, the person</summary>
      <label>Begins at <input id="start" placeholder="2026-05-16T09:00:00Z"></label>
      <label>Pace <input id="pace" placeholder="pedestrian, bicycle, auto, or km/h"></label>
      <label>Time zone <input id="timeZone" placeholder="of the place"></label>
      <label>Properties <input id="properties" placeholder="language=en premium=true"></label>
      </details>
      </section>
      <section class="middle" aria-label="The run">
      <p id="summary" role="status">Drop a feed and a track here, or choose them above.</p>
      <div id="maps"></div>
      </section>
      <section class="right" aria-label="Answers">
      <div class="title">Campaign</div>
      <div class="chooser"><select id="campaign" aria-label="Campaign"></select><button id="newCampaign">New</button></div>
      <form id="form">
      <label>Text <input name="message"></label>
      <label>At <input name="regions" class="list" placeholder="ids of regions" spellcheck="false"></label>
      <label>Trigger <select name="trigger"><option>enter</option><option>exit</option><option>dwelling</option></select></label>
      <label>Minutes of a dwelling <input name="dwellingMinutes" inputmode="numeric"></label>
      <label>Again after, in seconds <input name="cooldownPeriod" inputmode="numeric"></label>
      </form>
      <div class="title">Region</div>
      <div class="chooser"><select id="region" aria-label="Region"></select>
      <select id="newRegion" aria-label="New region"><option value="">New…</option><option value="circle">Circle</option><option value="area">Area</option>
      <option value="corridor">Corridor</option><option value="beacon">Beacon</option><option value="group">Group</option></select></div>
      <p id="drawing" hidden><span id="drawingWords"></span> <button id="done">Done</button> <button id="cancel">Cancel</button></p>
      <details id="regionValues"><summary>Values of the region</summary><form id="regionForm"></form></details>
      <label class="check"><input type="checkbox" id="move"> Edit regions on the map</label>
      <div class="title">Why?</div>
      <p class="quiet">Choose a campaign, a region, a row or a place on the map.</p>
      <pre class="pane" id="why" aria-live="polite"></pre>
      <div class="title">Difference</div>
      <div class="pane" id="difference" aria-live="polite"></div>
      </section>
      </main>
      """

    private static let style = """
      :root { color-scheme: light dark; --ground: #fbfaf6; --ink: #1d232b; --quiet: #5d646e; --rule: #dcd7c9; --wash: #f1ecdf; --bad: #b3261e; --warn: #8a5a00; --good: #1c6b3a; }
      @media (prefers-color-scheme: dark) { :root { --ground: #171b21; --ink: #e6e9ee; --quiet: #9aa3ae; --rule: #333a44; --wash: #232932; --bad: #ff8a80; --warn: #f0b95a; --good: #7fd39c; } }
      * { box-sizing: border-box; }
      html, body { height: 100%; margin: 0; }
      body { display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 14px/1.4 system-ui, sans-serif; }
      header { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; padding: 8px 14px; border-bottom: 1px solid var(--rule); }
      h1 { margin: 0 8px 0 0; font-size: 16px; }
      button, select, input, summary { min-height: 44px; font: inherit; color: inherit; }
      button { padding: 0 14px; border: 1px solid var(--rule); border-radius: 8px; background: var(--wash); cursor: pointer; }
      button.main { background: #2a5a7a; border-color: #2a5a7a; color: #fff; }
      button:disabled { opacity: .5; cursor: default; }
      input[type=file] { max-width: 190px; padding-top: 8px; }
      .quiet { color: var(--quiet); margin: 0; }
      main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(260px, 1fr) minmax(360px, 2fr) minmax(240px, 1fr); }
      section { display: flex; flex-direction: column; gap: 6px; min-width: 0; min-height: 0; padding: 10px 12px; overflow: auto; }
      section + section { border-left: 1px solid var(--rule); }
      .title { font-weight: 600; }
      textarea { flex: 2; min-height: 160px; width: 100%; resize: none; padding: 8px; border: 1px solid var(--rule); border-radius: 8px; background: transparent; color: inherit;
        font: 12px/1.45 ui-monospace, monospace; tab-size: 2; }
      .pane { flex: 1; min-height: 70px; margin: 0; padding: 8px; overflow: auto; border: 1px solid var(--rule); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere;
        font: 12px/1.45 ui-monospace, monospace; }
      .pane button { display: block; width: 100%; min-height: 44px; padding: 4px 8px; border: 0; background: none; text-align: left; font: inherit; }
      .pane button:hover { background: var(--wash); }
      .error { color: var(--bad); } .warning { color: var(--warn); } .added { color: var(--good); } .gone { color: var(--bad); }
      label { display: block; }
      .right label > input:not([type=checkbox]), .right select, details input { width: 100%; padding: 0 8px; border: 1px solid var(--rule); border-radius: 8px; background: transparent; }
      .right form label { display: grid; grid-template-columns: 7em minmax(0, 1fr); gap: 8px; align-items: center; margin-bottom: 4px; overflow-wrap: anywhere; }
      .chooser { display: flex; gap: 6px; } .chooser select:first-child { flex: 1; min-width: 0; } .chooser :last-child { flex: none; width: auto; }
      .check { display: flex; align-items: center; gap: 8px; }
      .check input { width: 22px; height: 22px; min-height: 0; }
      #summary { margin: 0; }
      #maps { flex: 1; min-height: 300px; display: flex; gap: 8px; }
      #maps figure { flex: 1; min-width: 0; margin: 0; display: flex; flex-direction: column; }
      #maps iframe { flex: 1; width: 100%; border: 1px solid var(--rule); border-radius: 8px; background: var(--ground); }
      :focus-visible { outline: 2px solid #2f7bbf; outline-offset: 1px; }
      body.drop { outline: 4px dashed #2f7bbf; outline-offset: -8px; }
      @media (max-width: 899px) {
        html, body { height: auto; }
        main { display: block; }
        section + section { border-left: 0; border-top: 1px solid var(--rule); }
        textarea { flex: none; height: 40vh; } #maps { flex: none; height: 90vh; flex-direction: column; } .pane { flex: none; max-height: 40vh; }
      }
      """
  }
#endif
