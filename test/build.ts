/** Builds the program once, where tests of the run use it: they run what is shipped. Its types are checked before. */
import { build } from '../scripts/build.js';

export default (): Promise<void> => build({ checked: false });
