/** Print styles: always light, everything opened, no row cut in two, page numbers. */
export const PRINT_STYLE = `
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
