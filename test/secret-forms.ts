/** Secrets in every encoding in which they might slip through. */
import { expect } from 'vitest';

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** A secret in the forms in which it might have slipped through, base64 at each of the three offsets. */
export function formsOf(secret: string): Buffer[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const inner = (encoding: 'base64' | 'base64url') =>
      shifted
        .toString(encoding)
        .replace(/=+$/, '')
        .slice(offset + 1, -2);
    return [inner('base64'), inner('base64url')];
  });
  const encoded = [
    encodeURIComponent(secret),
    form({ x: secret }).slice(2),
    encodeURIComponent(encodeURIComponent(secret)),
  ];
  return [secret, JSON.stringify(secret).slice(1, -1), ...encoded, ...base64].map((text) =>
    Buffer.from(text),
  );
}

/** Fails with the place and the name of the secret, never with the secret. */
export function expectNoneIn(secrets: Readonly<Record<string, string>>, bytes: Buffer, where: string): void {
  for (const [what, secret] of Object.entries(secrets)) {
    const found = formsOf(secret).some((one) => bytes.includes(one));
    expect([where, what, found]).toEqual([where, what, false]);
  }
}
