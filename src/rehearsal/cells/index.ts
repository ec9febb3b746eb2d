/** The grid: all cells of a rehearsal, by family. */
import type { Cell } from './cell.js';
import { CERTIFICATE_CELLS } from './certificate.js';
import { CONSENT_CELLS } from './consent.js';
import { CROWD_CELLS } from './crowd.js';
import { DATA_CELLS } from './data.js';
import { LIMIT_CELLS } from './limit.js';
import { NOTIFICATION_CELLS } from './notification.js';
import { PAGING_CELLS } from './paging.js';
import { PAYMENT_CELLS } from './payment.js';
import { RETURN_CELLS } from './return.js';
import { SCA_CELLS } from './sca.js';
import { TOKEN_CELLS } from './token.js';
import { TRANSPORT_CELLS } from './transport.js';

export * from './cell.js';

export const CELLS: readonly Cell[] = [
  ...SCA_CELLS,
  ...RETURN_CELLS,
  ...TOKEN_CELLS,
  ...LIMIT_CELLS,
  ...CONSENT_CELLS,
  ...PAGING_CELLS,
  ...DATA_CELLS,
  ...PAYMENT_CELLS,
  ...NOTIFICATION_CELLS,
  ...CERTIFICATE_CELLS,
  ...TRANSPORT_CELLS,
  ...CROWD_CELLS,
];
