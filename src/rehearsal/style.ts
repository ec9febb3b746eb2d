/** The style sheet of a rehearsal's page: light and dark, wide and narrow. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#16212b;--dim:#5b6873;--line:#d8dee3;--bg:#fff;--soft:#f3f6f8;--ok:#2f7d57;--bad:#b3261e;--warn:#8f5600;--none:#8a959e;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf2;--dim:#9aa7b1;--line:#2c3842;--bg:#12191f;--soft:#1a232a;--ok:#57b98a;--bad:#ff7b70;--warn:#e0a13c;--none:#7b8892;--on:#12191f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:1240px;margin:0 auto;padding:28px 24px}
h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:18px;line-height:1.3;margin:0 0 6px}
p{margin:0 0 8px}.dim{color:var(--dim)}.mono{font:13px/1.5 ui-monospace,monospace}
.sum{display:flex;gap:28px;flex-wrap:wrap;margin:18px 0 8px;padding:0;list-style:none}.sum b{font-size:24px;display:block;line-height:1.1}
.sum .bad{color:var(--bad)}.sum .warn{color:var(--warn)}.sum .none{color:var(--dim)}
.lay{display:grid;grid-template-columns:minmax(0,1fr) 440px;gap:36px;margin-top:18px}
.fam{display:grid;grid-template-columns:120px 1fr;gap:8px 14px;align-items:start;padding:7px 0;border-top:1px solid var(--line)}
.fam h2{font-size:15px;font-weight:400;margin:0}.fam ul{display:flex;flex-wrap:wrap;gap:4px;margin:0;padding:0;list-style:none}
.c{display:block;width:24px;height:24px;border-radius:3px;background:var(--ok);color:var(--on);font:700 12px/24px system-ui;text-align:center;text-decoration:none}
.c:focus-visible,.c:hover{outline:2px solid var(--ink);outline-offset:2px}
.c.bad,.tag.bad,i.bad{background:var(--bad)}.c.warn,.tag.warn,i.warn{background:var(--warn)}
.c.none,i.none{background:none;border:1.5px dashed var(--none);color:var(--dim);line-height:21px}
.tag{display:inline-block;padding:1px 8px;border-radius:9px;background:var(--ok);color:var(--on);font-size:13px}
.tag.none{background:none;border:1.5px dashed var(--none);color:var(--dim)}
.leg{display:flex;gap:6px 16px;flex-wrap:wrap;font-size:13px;margin-top:14px}
.leg i{display:inline-block;width:12px;height:12px;border-radius:2px;margin-right:5px;vertical-align:-1px}
i.ok{background:var(--ok)}
.cells{border-left:1px solid var(--line);padding-left:24px}
.cell{display:none}.cell:target,.cells:not(:has(:target)) .first{display:block}
table{border-collapse:collapse;width:100%;font-size:14px;margin:8px 0}
td,th{text-align:left;padding:4px 8px 4px 0;border-bottom:1px solid var(--line);font-weight:400;vertical-align:top}th{color:var(--dim)}
figure{margin:10px 0}svg{width:100%;height:auto;font:12px system-ui,sans-serif}
svg path{fill:none;stroke:var(--ink)}svg text{fill:var(--ink)}svg .dim{fill:var(--dim)}svg .lane path{stroke:var(--line)}
svg .psu path{stroke:var(--dim);stroke-dasharray:2 3}svg .injected path{stroke:var(--bad);stroke-dasharray:5 3}svg .injected text{fill:var(--bad)}
.box{background:var(--soft);padding:10px 12px;border-radius:6px;margin:12px 0}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 14px;margin:0;font-size:14px}dt{color:var(--dim)}dd{margin:0}
ol{padding-left:24px;margin:6px 0}blockquote{margin:4px 0;padding:6px 10px;background:var(--soft);border-radius:6px;font-size:14px}
img{max-width:100%;border:1px solid var(--line)}summary{cursor:pointer}
@media(max-width:900px){.lay{grid-template-columns:1fr;gap:18px}.cells{border:0;padding:0}}
@media(max-width:480px){main{padding:18px 14px}.fam{grid-template-columns:1fr}h1{font-size:22px}.sum{gap:14px 20px}}
@media print{.cell{display:block;break-inside:avoid}}
`;
