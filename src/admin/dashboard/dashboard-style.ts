/** The style sheet of the dashboard. Its hash is in the Content-Security-Policy of the pages. */
import { BASE_STYLE } from '../../report/index.js';

export const DASHBOARD_STYLE = `${BASE_STYLE}
body{max-width:84rem;margin:0 auto;padding:0 clamp(1rem,4vw,3rem) 3rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:baseline;padding:1.25rem 0;border-bottom:1px solid var(--line)}
.brand{font-weight:650;color:var(--accent);margin:0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:0;padding:0;font-size:.95rem}
nav a{color:var(--ink);text-decoration:none;padding:.25rem 0}
nav a:hover{text-decoration:underline}
nav a[aria-current]{color:var(--accent);border-bottom:2px solid currentColor}
h1{font-size:clamp(1.5rem,1.2rem + 1vw,2rem);margin:1.75rem 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.25rem 0 .5rem}
.checks{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:.75rem 0;padding:0}
.ok{color:var(--fine)}.bad{color:var(--must)}
.facts.broad{margin-top:.5rem}
form.query{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin:1rem 0}
form.query p{margin:0}
form.query label{display:block;color:var(--soft);font-size:.85rem}
form.query p:first-of-type{flex:1 1 22rem}
form.query input{width:100%;font-family:var(--mono);font-size:.9rem}
.problem{color:var(--must);border-left:3px solid var(--must);padding-left:.75rem}
.facts dt::first-letter{text-transform:uppercase}
.exchanges{min-width:62rem}
.exchanges td,.exchanges th{font-size:.88rem}
.exchanges .path{font-family:var(--mono);font-size:.82rem;color:var(--soft);word-break:break-all}
.exchanges td.marks>div{margin-bottom:.2rem}
.fields dt::first-letter{text-transform:none}
pre.body{background:var(--wash);border-radius:.4rem;padding:.75rem .9rem;font-size:.82rem;line-height:1.5}
.sides{display:grid;gap:0 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr))}
table.headers th{color:var(--soft);width:34%}
table.headers td,table.headers th{font-family:var(--mono);font-size:.8rem;overflow-wrap:anywhere;padding:.25rem .75rem .25rem 0}
.verdicts{columns:18rem;font-size:.85rem;padding-left:1.1rem}
meter{width:6rem;height:.8rem;vertical-align:middle}
.pages{margin:1rem 0}
`;
