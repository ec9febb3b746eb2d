/** An application that means well: where the answer to a payment does not come, it sends the payment again. */
import { BankAway } from './application/bank.js';
import { type CreatePayment, createOnce } from './application/payments.js';
import { serve } from './application/server.js';
import { readPagesOnce } from './application/sync.js';

const TRIES = 3;

const createPayment: CreatePayment = async (parts, sent) => {
  for (let tries = 1; ; tries++) {
    try {
      return await createOnce(parts, sent);
    } catch (error) {
      if (!(error instanceof BankAway) || tries === TRIES) throw error;
    }
  }
};

await serve({ readPages: readPagesOnce, createPayment }, process.env);
