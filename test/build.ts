/** Builds the program, unless it is that of the sources already: tests run what is shipped. Its types are checked before. */
import { build, isBuilt } from '../scripts/build.js';

export default async (): Promise<void> => {
  if (!isBuilt()) await build({ checked: false });
};
