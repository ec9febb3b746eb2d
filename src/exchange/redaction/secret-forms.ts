/** The encodings in which a copy of a secret may occur elsewhere, and which secrets are looked for so. */

const UNMISTAKABLE = /^(?=.*\d)[\w.~+/-]{12,}=*$/;

/** The form of a token, not of a word: anything else could be part of ordinary traffic, or of its syntax. */
export function isUnmistakable(text: string): boolean {
  return UNMISTAKABLE.test(text);
}

/** Clear, with the escaped slashes of JSON, percent-encoded once and twice, and as base64 at each of its offsets. */
export function secretForms(secret: string): string[] {
  const escaped = secret.replaceAll('/', '\\/');
  return [...new Set([secret, escaped, ...percentForms(secret), ...base64Forms(secret)])];
}

function percentForms(secret: string): string[] {
  const once = encodeURIComponent(Buffer.from(secret).toString());
  const forms = [once, once.replaceAll('%', '%25')];
  return [
    ...forms,
    ...forms.map((form) => form.replace(/%(?:25)*[0-9A-F]{2}/g, (sign) => sign.toLowerCase())),
  ];
}

/** Those signs that are the secret's alone: the first and the last ones depend on what stands beside it. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return [shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to)];
  });
}
