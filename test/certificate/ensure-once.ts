/** A process of its own that makes the test certificates: folder and time (epoch ms) are its arguments. */
import { ensureCertificates } from '../../src/app/certificates/ensure.js';

const [dir = '', now = ''] = process.argv.slice(2);
if (Number.isNaN(Number(now))) process.exit(0);
await ensureCertificates(dir, Number(now));
