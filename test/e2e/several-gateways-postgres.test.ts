/** Several gateways on one PostgreSQL: what holds for one holds for all of them together. */
import { describe } from 'vitest';
import { aSchema } from '../postgres/schemas.js';
import { aPath } from '../store/stores.js';
import { testSeveralGateways } from './several-gateways.js';

describe('on PostgreSQL', () =>
  testSeveralGateways(() => ({ store: aSchema(), storeKeyFile: aPath('store.key') })));
