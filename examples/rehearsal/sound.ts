/** The sound application. */
import { createOnce } from './application/payments.js';
import { serve } from './application/server.js';
import { readPagesOnce } from './application/sync.js';

await serve({ readPages: readPagesOnce, createPayment: createOnce }, process.env);
