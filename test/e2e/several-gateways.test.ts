/** Several gateways on one file of SQLite: what holds for one holds for all of them together. */
import { describe } from 'vitest';
import { aPath } from '../store/stores.js';
import { testSeveralGateways } from './several-gateways.js';

describe('on a file of SQLite', () => testSeveralGateways(() => ({ store: aPath() })));
