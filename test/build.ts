/** Builds the program, unless it is that of the sources already: tests run what is shipped. Types are checked by `npm run types`. */
import { build, isBuilt } from '../scripts/build.js';

export default (): void => {
  if (!isBuilt()) build({ checked: false });
};
