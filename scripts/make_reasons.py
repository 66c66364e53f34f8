#!/usr/bin/env python3
"""Makes Sources/PlotDocuments/ReasonData.swift from docs/reasons.json: the library reads no file for its sentences.

    scripts/make_reasons.py          writes it
    scripts/make_reasons.py --check  says whether it is what it should be (exit status 1 when not)
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/PlotDocuments/ReasonData.swift"
text = (ROOT / "docs/reasons.json").read_text(encoding="utf-8")
made = f'''// swift-format-ignore-file
/// docs/reasons.json as it is; scripts/make_reasons.py makes this file.
enum ReasonData {{
  static let json = #"""
{text}"""#
}}
'''
if "--check" in sys.argv[1:]:
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != made:
        sys.exit("Sources/PlotDocuments/ReasonData.swift is not docs/reasons.json: run scripts/make_reasons.py")
else:
    TARGET.write_text(made, encoding="utf-8")
