/** The style sheet of a report. Its hash is in the Content-Security-Policy of the page. */

/** The style of reports: colours, type, tables, marks. Colours reach AA in both schemes. */
const BASE_STYLE = `
:root{color-scheme:light;--paper:#fff;--wash:#f4f6f7;--line:#d9dfe2;--strong:#87939b;--ink:#14202a;--soft:#53616b;--accent:#0b5c6d;--accent-wash:#e3eff1;--must:#b3261e;--must-wash:#fbeceb;--should:#8a4b00;--should-fill:#d9902b;--should-wash:#fbf1e0;--note:#48597a;--fine:#1b6a43;--fine-wash:#e5f2ea;--waived:#6d4b8d;--none:#74808a;--na:#c3cbd1;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#0f1519;--wash:#172026;--line:#2b373f;--strong:#75838d;--ink:#e6ecef;--soft:#a3b1ba;--accent:#7ccbdb;--accent-wash:#15323a;--must:#ff938a;--must-wash:#3a1c1a;--should:#f0b35c;--should-fill:#f0b35c;--should-wash:#33260f;--note:#a9bbe0;--fine:#7fd0a0;--fine-wash:#15301f;--waived:#c7a8e6;--none:#8d9aa4;--na:#3d4a53}}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-kerning:normal}
[hidden]{display:none!important}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;margin:0}
h1{font-size:clamp(1.75rem,1.3rem + 2vw,2.6rem);font-weight:650;letter-spacing:-.02em}
h2{font-size:1.55rem;font-weight:650;letter-spacing:-.012em}
h3{font-size:1.12rem;font-weight:650}
h4{font-size:.9rem;font-weight:650}
p{margin:.5rem 0;max-width:72ch}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em;text-decoration-color:color-mix(in srgb,currentColor 45%,transparent)}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
code,pre,.mono{font-family:var(--mono);font-size:.86em}
code,.mono{overflow-wrap:anywhere}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate}
.num{font-variant-numeric:tabular-nums}
.soft,.lead,.facts-line{color:var(--soft)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--paper);padding:.5rem 1rem;z-index:9}
.skip:focus{top:1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.45;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 .4rem;font-size:.85rem}
th,td{text-align:left;vertical-align:top;padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--line);font-weight:400}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-size:.8rem;border-bottom-color:var(--strong);vertical-align:bottom}
th.num,td.num{text-align:right}
td.num,td.day,time{white-space:nowrap}
td.tpp{min-width:12rem}
tr.zero>*{color:var(--soft)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:.25rem;padding:0 .45em;font-size:.78rem;font-weight:600;line-height:1.5;white-space:nowrap}
.badge.must{background:var(--must);border-color:var(--must);color:var(--paper)}
.badge.should{color:var(--should);background:var(--should-wash)}
.badge.note{color:var(--note)}
.badge.waived{color:var(--waived);border-style:dashed}
.badge.fine{color:var(--fine);background:var(--fine-wash)}
.tags{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;color:var(--soft);font-size:.88rem;margin:.3rem 0}
.facts{margin:1rem 0;display:grid;gap:.55rem 2rem;grid-template-columns:1fr}
.facts>div{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:0 1rem}
.facts dt{color:var(--soft);font-size:.9rem}
.facts dd{margin:0;overflow-wrap:anywhere}
ul.plain{list-style:none;padding:0;margin:.75rem 0}
ul.plain>li:not(:last-child){padding:.35rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
ul.plain>li{padding:.35rem 0}
.nothing{color:var(--soft);font-style:italic}
.omitted{color:var(--soft);font-size:.88rem;border-left:3px solid var(--strong);padding-left:.75rem}
summary{cursor:pointer;padding:.35rem 0}
summary:hover{color:var(--accent)}
input,select,button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--strong);border-radius:.3rem;padding:.35rem .6rem;min-height:2.25rem}
input[type=checkbox]{min-height:0;width:1.1rem;height:1.1rem;accent-color:var(--accent);vertical-align:-.15rem}
button{cursor:pointer}
button:hover{border-color:var(--accent);color:var(--accent)}
.wide{overflow-x:auto;position:relative;margin:.75rem 0}
figure{margin:0}
@media screen and (min-width:80rem){.facts.broad{grid-template-columns:1fr 1fr}}
@media screen and (max-width:36rem){.wide th[scope=row]{min-width:13rem}.facts>div{grid-template-columns:1fr}}
`;

/** How the pictures are drawn; with the sheet of the page, so that they follow its scheme. */
const PICTURE_STYLE = `
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

/** Print styles: always light, everything opened, no row cut in two, page numbers. */
const PRINT_STYLE = `
@page{size:A4;margin:16mm 14mm 18mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#53616b}}
@media print{
html{font-size:9pt}
body{display:block;max-width:none;padding:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body>header{padding-top:0}
nav,.skip,#filter,.folds,button{display:none!important}
main>section{padding-top:1.5rem}
#coverage,#journeys,#appendix{break-before:page}
h2,h3,h4,caption,thead,figcaption,summary,.tags{break-after:avoid}
tr,li,.facts>div,.party,svg,.advice>div{break-inside:avoid}
.wide{overflow:visible}
.picture{min-width:0;max-width:100%}
.exchanges{min-width:0;font-size:7.5pt}
.facts.broad{grid-template-columns:1fr 1fr}
h1{font-size:2.1rem}
.ring svg{width:8rem;height:auto}
.sentence{font-size:1.35rem}
main h3{margin-top:1.2rem}
th,td{padding-top:.3rem;padding-bottom:.3rem}
a{color:inherit;text-decoration:none}
pre{font-size:7pt!important}
.occurrence,.journey,.certificate,.deviation,.page{content-visibility:visible}
details:not([open])::details-content{content-visibility:visible;block-size:auto;height:auto}
.occurrence>summary::before{content:none}
.occurrence>summary{grid-template-columns:4.8rem minmax(0,1fr) 3rem minmax(0,14rem)}
tr:target,.occurrence:target{background:none}
}
`;

const LAYOUT = `
body{display:grid;grid-template-columns:minmax(0,1fr);max-width:84rem;margin:0 auto;padding:0 clamp(1rem,4vw,3rem)}
body>header{padding:2.5rem 0 1.25rem}
.brand{font-size:.82rem;font-weight:650;color:var(--accent);letter-spacing:.02em;margin:0 0 .75rem}
.facts-line{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;margin:.75rem 0 0;max-width:none}
nav ol{list-style:none;margin:0;padding:0;font-size:.92rem;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem}
nav a{display:flex;justify-content:space-between;gap:.5rem;padding:.25rem 0;color:var(--ink);text-decoration:none}
nav a:hover{color:var(--accent);text-decoration:underline}
nav .num{color:var(--soft)}
main>section{padding:2.75rem 0 .5rem;border-top:1px solid var(--line);scroll-margin-top:0}
main>section:first-child{border-top:0;padding-top:1rem}
main h3{margin:2rem 0 .5rem}
main article h3{margin-top:.4rem}
main h4{margin:1.25rem 0 .25rem}
.lead{margin:.35rem 0 1rem}
footer{color:var(--soft);font-size:.85rem;border-top:1px solid var(--line);margin-top:3rem;padding:1rem 0 3rem}
@media (min-width:64rem){
body{grid-template-columns:12.5rem minmax(0,1fr);column-gap:4rem}
body>header,main,footer{grid-column:2}
nav{grid-column:1;grid-row:1/span 2;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:6.3rem 0 2rem}
nav ol{display:block}
}
`;

const PARTS = `
.sentence{font-size:clamp(1.2rem,1rem + 1vw,1.6rem);line-height:1.4;letter-spacing:-.01em;margin:.9rem 0 1.75rem;max-width:44ch;text-wrap:pretty}
.parties{display:grid;gap:0 3.5rem;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr))}
.party{display:grid;grid-template-rows:subgrid;grid-row:span 5;align-content:start;border-top:3px solid var(--ink);padding:.6rem 0 1.5rem}
.outcome{font-size:1.12rem;font-weight:650;margin:.2rem 0}
.outcome.must{color:var(--must)}.outcome.should{color:var(--should)}.outcome.fine{color:var(--fine)}.outcome.quiet{color:var(--soft)}
.ring{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:center;margin:1.25rem 0 .75rem}
.legend{width:auto;flex:1 1 12rem;font-size:.88rem}
.legend caption{position:absolute;clip-path:inset(50%)}
.legend th,.legend td{padding:.18rem 0;border:0}
.notes{margin-top:2rem;padding:.25rem 1.25rem .75rem;background:var(--wash);border-radius:.4rem}
.notes h3{margin:.75rem 0 .25rem;font-size:1rem}
.notes ul{margin:0;padding-left:1.2rem}
#filter{position:sticky;top:0;z-index:3;background:var(--paper);border-top:1px solid var(--line);border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;padding:.6rem 0;font-size:.9rem;margin-top:2rem}
search:has(#filter){display:contents}
#filter p{margin:0;display:flex;gap:.5rem;align-items:center}
#filter p:first-child{flex:1 1 16rem}
#filter input[type=search]{width:100%}
#filter label{color:var(--soft);white-space:nowrap}
#filter output{flex-basis:100%;color:var(--soft)}
#filter output:empty{display:none}
.filtered>h2::after{content:"  " attr(data-told);font-size:.85rem;font-weight:400;letter-spacing:0;color:var(--soft)}
tr[id],article[id],details[id],section[id]{scroll-margin-top:6rem}
.overview th a{font-weight:600}
.finding{margin-top:2.5rem;padding-top:1rem;border-top:3px solid var(--ink)}
.finding>header h3{font-size:1.3rem;letter-spacing:-.01em}
.clause{margin:.75rem 0;border-left:3px solid var(--accent);padding-left:1.1rem}
.clause blockquote{margin:0}
.clause blockquote p{margin:0;font-size:1.02rem}
figcaption,.sources{color:var(--soft);font-size:.88rem}
.advice{display:grid;gap:0 3rem;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr))}
.examples{display:grid;gap:.5rem 3rem;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));margin:1rem 0}
.examples dt{color:var(--soft);font-size:.85rem}
.examples dd{margin:0}
.folds{display:flex;gap:.75rem;margin:1rem 0}
.occurrences{border-top:1px solid var(--strong);margin-top:.5rem}
.occurrence{border-bottom:1px solid var(--line);content-visibility:auto;contain-intrinsic-height:auto 2.4rem}
.occurrence>summary{display:grid;grid-template-columns:auto 4.8rem minmax(0,1fr) 5.5rem minmax(0,16rem);gap:0 1rem;align-items:baseline;font-size:.9rem}
.occurrence>summary::before{content:"▸";color:var(--soft);transition:transform .12s}
.occurrence[open]>summary::before{transform:rotate(90deg)}
.occurrence>summary .call{font-family:var(--mono);font-size:.86em;overflow-wrap:anywhere}
.occurrence>summary .place{color:var(--soft);overflow-wrap:anywhere}
.occurrence[open]{padding-bottom:1.25rem}
.excerpts{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}
.excerpts pre,.curl pre{background:var(--wash);border-radius:.4rem;padding:.75rem .9rem;font-size:.8rem;line-height:1.5;margin-top:.25rem}
pre i{font-style:normal;color:var(--soft)}
.curl{margin-top:1rem}
.curl figcaption{display:flex;justify-content:space-between;align-items:end;gap:1rem}
.curl button{font-size:.82rem;min-height:1.8rem;padding:.1rem .6rem}
.narrow{width:auto;min-width:min(26rem,100%)}
.seen{list-style:none;margin:.25rem 0 1rem;padding:0;display:grid;gap:0 2.5rem;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));font-size:.9rem}
.seen li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1rem;border-bottom:1px solid var(--line);padding:.3rem 0}
.seen code{grid-column:1}.seen .num{grid-column:2;grid-row:1}.seen .meaning{grid-column:1;color:var(--soft);font-size:.85rem}
.seen .zero .num{color:var(--soft)}
tr.group th{font-weight:650;padding-top:1rem}
.journey,.certificate,.deviation{margin-top:1.75rem;content-visibility:auto;contain-intrinsic-height:auto 14rem}
.stages{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;margin:.5rem 0;padding:0;font-size:.85rem;color:var(--soft)}
.stages li{display:flex;align-items:center;gap:.35rem}
.stages .swatch{margin:0}
strong.over{color:var(--must);font-weight:650}
.readings th{width:42%}
.history th[scope=row]{min-width:16rem}
.page{content-visibility:auto;contain-intrinsic-height:auto 4800px;margin-bottom:1.5rem}
.exchanges{table-layout:fixed;font-size:.8rem;min-width:46rem}
.exchanges th,.exchanges td{padding:.3rem .75rem .3rem 0;overflow-wrap:anywhere}
.exchanges th:nth-child(1){width:3.6rem}.exchanges th:nth-child(2){width:4.6rem}.exchanges th:nth-child(4){width:5.2rem}.exchanges th:nth-child(5){width:4rem}.exchanges th:nth-child(6){width:5rem}.exchanges th:nth-child(7){width:26%}
.exchanges :is(th,td):is(:nth-child(1),:nth-child(4),:nth-child(5),:nth-child(6)){text-align:right}
.exchanges small{display:block;color:var(--soft);font-size:1em}
.exchanges bdi{word-break:break-all;color:var(--soft);font-family:var(--mono);font-size:.92em}
.exchanges .must a{color:var(--must)}.exchanges .should a{color:var(--should)}.exchanges .note a{color:var(--note)}.exchanges .w a{color:var(--waived)}
tr:target,.occurrence:target{background:var(--accent-wash)}
@media screen and (max-width:44rem){
#filter{position:static}
tr[id],article[id],details[id],section[id]{scroll-margin-top:1rem}
.occurrence>summary{grid-template-columns:auto 4.5rem 1fr}
.occurrence>summary .call,.occurrence>summary .place{grid-column:2/-1}
.occurrence>summary .status{grid-row:1;grid-column:3}
}
@media (prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
`;

export const REPORT_STYLE = `${BASE_STYLE}${LAYOUT}${PARTS}${PICTURE_STYLE}${PRINT_STYLE}`;
