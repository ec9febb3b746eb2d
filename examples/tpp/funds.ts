/** Funds confirmation: whether an account can cover an amount, yes or no. */
import * as z from 'zod';
import { type BankSettings, callBank } from './connection.js';

const confirmation = z.object({ fundsAvailable: z.boolean() });

export async function confirmFunds(bank: BankSettings, iban: string, amount: string): Promise<boolean> {
  const { fundsAvailable } = await callBank(bank, {
    method: 'POST',
    path: '/funds-confirmations',
    json: { account: { iban }, instructedAmount: { currency: 'EUR', amount } },
    answers: confirmation,
  });
  return fundsAvailable;
}
