/** Writes the request that the recorded answer belongs to. */
import { readFileSync } from 'node:fs';
import { timeStampRequest } from '../../../src/evidence/time-stamp/index.js';
import { NONCE } from './nonce.js';

const statement = readFileSync(new URL('statement.jws', import.meta.url), 'utf8');
process.stdout.write(timeStampRequest(statement, NONCE));
