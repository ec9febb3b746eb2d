/** What the program needs of the Node that runs it. Imports nothing of Sandgate, since it comes before everything else. */
export { keepCompiledCode, storeCompiledCode } from './compiled-code.js';
export { nodeFault } from './node-fault.js';
export { tuneEngine } from './tune.js';
