/** What a report is made from: a session or a file, judged. */

export { type DossierOrder, makeDossier } from './dossier.js';
export { openFileSource } from './file-source.js';
export { drawReport, type OpenedSource, openSessionSource } from './source.js';
export { drawTrend } from './trend-source.js';
export { checkOutside, checkWhole, evidenceKey, type ReaderTrust } from './witness.js';
