/** The style sheet of the PSU's pages. Its hash is in their Content-Security-Policy. */
export const PAGE_STYLE = `
:root{--ink:#16232b;--soft:#51626c;--ground:#eef2f3;--card:#fff;--line:#c9d3d8;--brand:#0b4f5c;--brand-ink:#fff;--accent:#0b6375;--good:#1d6b3a;--bad:#9b2420;--note:#fbf3d8;--note-ink:#5b4700}
@media (prefers-color-scheme:dark){:root{--ink:#e7eef1;--soft:#a7b7bf;--ground:#10181c;--card:#1a252b;--line:#3a4a53;--brand:#0a3a44;--brand-ink:#f2fafb;--accent:#7ccbdb;--good:#7fd49c;--bad:#ff9d97;--note:#3a3114;--note-ink:#f5e3a8}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);overflow-wrap:anywhere;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{background:var(--brand);color:var(--brand-ink);display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;padding:.9rem max(1rem,calc(50% - 21rem))}
header p{margin:0}
.bank{font-size:1.15rem;font-weight:650;letter-spacing:.01em}
.sandbox{font-size:.85rem;border:1px solid currentColor;border-radius:1rem;padding:.1rem .7rem}
main{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:1.5rem auto;max-width:42rem;padding:1.5rem}
@media (max-width:44rem){main{margin:0;border-width:0 0 1px;border-radius:0;padding:1.1rem}}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) minmax(0,1fr);gap:.35rem 1.25rem;margin:0 0 1rem}
@media (max-width:30rem){dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.5rem}}
dt{color:var(--soft)}
dd{margin-left:0;overflow-wrap:anywhere}
.amount{font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums}
fieldset{border:1px solid var(--line);border-radius:.5rem;margin:0 0 1rem;padding:.6rem 1rem .8rem}
legend{font-weight:600;padding:0 .4rem}
label{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:0 .6rem;align-items:baseline;padding:.3rem .25rem;border-radius:.3rem;cursor:pointer}
label:hover{background:var(--ground)}
input{accent-color:var(--accent)}
code{color:var(--soft);font-size:.8rem}
@media (max-width:30rem){code{grid-column:2}}
button,.button{display:inline-block;background:var(--brand);border:1px solid var(--accent);border-radius:.4rem;color:var(--brand-ink);cursor:pointer;font:inherit;font-weight:600;padding:.6rem 1.6rem;text-decoration:none}
button:hover,.button:hover{filter:brightness(1.15)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.notice{border-left:.3rem solid var(--line);margin:0 0 1rem;padding:.5rem .9rem;background:var(--ground);overflow-wrap:anywhere}
.notice.good{border-color:var(--good)}
.notice.bad{border-color:var(--bad)}
.hint{background:var(--note);color:var(--note-ink);border-radius:.4rem;padding:.5rem .9rem}
.in-sight{position:sticky;bottom:0;background:var(--card);margin:0;padding:.7rem 0}
.soft{color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
section{border-top:1px solid var(--line);margin-top:1.5rem}
.steps{counter-reset:step;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:0 0 1rem;padding:0;color:var(--soft);font-size:.9rem}
.steps li{counter-increment:step}
.steps li::before{content:counter(step) ". "}
.steps [aria-current]{color:var(--ink);font-weight:650;border-bottom:2px solid var(--accent)}
.line{display:block}
.field{margin:0 0 1rem}
.field label{display:block;cursor:auto;font-weight:600;padding:0;width:fit-content}
.field label:hover{background:none}
.field input,.field textarea{background:var(--ground);border:1px solid var(--soft);border-radius:.4rem;color:var(--ink);display:block;font:inherit;margin-top:.2rem;padding:.5rem .7rem;width:100%}
.field input{max-width:24rem}
.field textarea{font:.85rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;resize:vertical;field-sizing:content;min-height:3lh}
.buttons{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.2rem 0 .2rem}
.quiet{background:none;border-color:var(--line);color:var(--ink)}
.quiet:hover{background:var(--ground)}
.accounts label{grid-template-columns:auto minmax(0,1fr);padding:.5rem .25rem}
.accounts label>*+*+*{grid-column:2}
.number{color:var(--soft);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
details{margin:0 0 1rem}
summary{cursor:pointer;padding:.25rem 0}
details>form{margin-top:1rem}
.wide{overflow-x:auto}
.wide table{min-width:22rem}
ul{margin:0;padding:0;list-style:none}
ul>li{border-bottom:1px solid var(--line);padding:.5rem 0}
table{border-collapse:collapse;font-size:.9rem;width:100%}
th,td{border-bottom:1px solid var(--line);font-weight:400;overflow-wrap:anywhere;padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top}
thead th{color:var(--soft)}
@media (max-width:30rem){button,.button{flex:1 1 100%;text-align:center}th,td{padding-right:.5rem}}
`;
