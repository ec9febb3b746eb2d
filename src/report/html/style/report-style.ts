/** The style sheet of a report. Its hash is in the Content-Security-Policy of the page. */
import { BASE_STYLE } from './base-style.js';
import { PICTURE_STYLE } from './picture-style.js';
import { PRINT_STYLE } from './print-style.js';

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
.page{content-visibility:auto;contain-intrinsic-height:auto 4800px;margin-bottom:1.5rem}
.exchanges{table-layout:fixed;font-size:.8rem;min-width:46rem}
.exchanges th,.exchanges td{padding:.3rem .75rem .3rem 0;overflow-wrap:anywhere}
.exchanges th:nth-child(1){width:3.6rem}.exchanges th:nth-child(2){width:4.6rem}.exchanges th:nth-child(4){width:5.2rem}.exchanges th:nth-child(5){width:4rem}.exchanges th:nth-child(6){width:5rem}.exchanges th:nth-child(7){width:26%}
.exchanges td:nth-child(4),.exchanges td:nth-child(5),.exchanges td:nth-child(6),.exchanges tbody th{text-align:right}
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
