import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that the certificates of all tests lie in. They are good today: at another time a command makes them anew. */
export const SHARED_CERTIFICATES = join(tmpdir(), `sandgate-certificates-${process.ppid}`);
