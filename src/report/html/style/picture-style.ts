/** How the pictures are drawn; with the sheet of the page, so that they follow its scheme. */
export const PICTURE_STYLE = `
.picture{display:block;width:100%;min-width:40rem;max-width:60rem;height:auto;overflow:visible}
.small.picture{width:auto;min-width:0;max-width:none;flex:none}
svg text{fill:var(--ink);font-family:inherit;font-variant-numeric:tabular-nums}
svg .axis{font-size:11.5px;fill:var(--soft)}
svg .name{font-size:12.5px;font-family:var(--mono)}
svg .faint{fill:var(--soft)}
svg .heading{font-size:12.5px;font-weight:650}
svg .value{font-size:12px;font-weight:600}
svg .middle{text-anchor:middle}
svg .end{text-anchor:end}
svg .figure{font-size:40px;font-weight:650;text-anchor:middle;letter-spacing:-.02em}
svg .label{font-size:13px;fill:var(--soft);text-anchor:middle}
.track,.arc{fill:none;stroke-width:16}
.track{stroke:var(--wash)}
.arc.must{stroke:var(--must)}.arc.should{stroke:var(--should-fill)}.arc.note{stroke:var(--note)}.arc.waived{stroke:var(--waived)}.arc.fine{stroke:var(--fine)}.arc.none{stroke:var(--none)}.arc.na{stroke:var(--na)}.arc.off{stroke:var(--line)}
.swatch{display:inline-block;width:.75em;height:.75em;border-radius:.15em;margin-right:.6em;background:var(--none);forced-color-adjust:none}
.swatch.must{background:var(--must)}.swatch.should{background:var(--should-fill)}.swatch.note{background:var(--note)}.swatch.waived{background:var(--waived)}.swatch.fine{background:var(--fine)}.swatch.na{background:var(--na)}.swatch.off{background:var(--line)}.swatch.gateway{background:var(--accent)}.swatch.bank{background:var(--none)}
.hair{stroke:var(--line)}
.base{stroke:var(--strong)}
.dot{fill:var(--na)}
.cell{fill:var(--fine)}.cell.should{fill:var(--should-fill)}.cell.must{fill:var(--must)}
.cell.d1{fill-opacity:.16}.cell.d2{fill-opacity:.24}.cell.d3{fill-opacity:.32}.cell.d4{fill-opacity:.4}
.lane{stroke:var(--strong);stroke-width:2}
.mark{fill:var(--accent);stroke:var(--accent);stroke-width:2}
.mark.open{fill:var(--paper)}
.tick{stroke:var(--accent);stroke-width:2.5;fill:none}
.failed .mark{fill:var(--paper);stroke:var(--must)}
.failed .tick{stroke:var(--must)}
.strike{stroke:var(--must);stroke-width:2;fill:none}
svg .flag{font-size:13px;font-weight:650}
svg .flag.must{fill:var(--must)}svg .flag.should{fill:var(--should)}svg .flag.note{fill:var(--note)}svg .flag.waived{fill:var(--waived)}
.box{stroke:var(--accent);stroke-width:1.5;fill:none}
.box.used{fill:var(--accent)}
.box.free{stroke:var(--strong)}
.box.over{fill:var(--must);stroke:var(--must)}
.box.refused{stroke:var(--must);stroke-dasharray:3 2}
.bang{stroke:var(--paper);stroke-width:2}
.allowed{stroke:var(--ink);stroke-width:1.5}
.validity{stroke:var(--strong);stroke-width:4;stroke-linecap:round}
.bar.gateway{fill:var(--accent)}.bar.bank{fill:var(--none)}.bar.errors{fill:var(--must)}
`;
