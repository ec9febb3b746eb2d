/** The answers of the specification’s own examples, which come with the program. */
import { fileURLToPath } from 'node:url';

/** Beside `src` and `dist`; this file and what the build makes of it lie two folders below. */
export const BUILT_IN_DATA = fileURLToPath(new URL('../../data/sandbox', import.meta.url));
