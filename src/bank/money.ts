/** Amounts as the bank reckons, in whole minor units of their currency, and as the standard writes them. */

/** Decimals of those currencies that have others than two (ISO 4217). */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
};

const AMOUNT = /^(-?)(\d{1,14})(?:\.(\d{1,3}))?$/;

export const decimalsOf = (currency: string): number =>
  Object.hasOwn(DECIMALS, currency) ? (DECIMALS[currency] ?? 2) : 2;

/** `-12.50` of -1250 EUR. */
export function amountText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minor < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/**
 * -1250 of `-12.50` EUR. Undefined for what is no amount of the standard, has more decimals than the currency (but for
 * zeros), or is too large to be reckoned with to the cent.
 */
export function minorUnits(text: string, currency: string): number | undefined {
  const parts = AMOUNT.exec(text);
  if (parts === null) return undefined;
  const decimals = decimalsOf(currency);
  const [, sign, whole = '', fraction = ''] = parts;
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(minor)) return undefined;
  return sign === '-' && minor !== 0 ? -minor : minor;
}
