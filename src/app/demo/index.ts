/** A journey to show, and the TPP that makes it. */
export { openDemoTpp, playDemo } from './play.js';
