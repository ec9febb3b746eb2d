/** The style of reports: colours, type, tables, marks. Colours reach AA in both schemes. */
export const BASE_STYLE = `
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
.wide{overflow-x:auto;margin:.75rem 0}
figure{margin:0}
@media screen and (min-width:80rem){.facts.broad{grid-template-columns:1fr 1fr}}
@media screen and (max-width:36rem){.wide th[scope=row]{min-width:13rem}.facts>div{grid-template-columns:1fr}}
`;
