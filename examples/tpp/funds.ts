/** Funds confirmation: whether an account can cover an amount, yes or no. */
import { type BankSettings, callBank } from './connection.js';

export async function confirmFunds(bank: BankSettings, iban: string, amount: string): Promise<boolean> {
  const { fundsAvailable } = await callBank<{ fundsAvailable: boolean }>(bank, {
    method: 'POST',
    path: '/funds-confirmations',
    json: { account: { iban }, instructedAmount: { currency: 'EUR', amount } },
  });
  return fundsAvailable;
}
