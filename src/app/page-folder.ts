/** Where the build puts the live page. */
import { fileURLToPath } from 'node:url';

/** This file and what the build makes of it lie two folders below the root. */
export const PAGE_FOLDER = fileURLToPath(new URL('../../dist/page', import.meta.url));
