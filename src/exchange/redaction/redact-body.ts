/** Redacts bodies, according to their media type. */
import { isJsonType, isKeptContent } from '../content.js';
import type { Body, Content } from '../wire.js';
import { jsonKind, mayHoldSecrets, redactJson, unescapeLetters } from './redact-json.js';
import { redactLoose, redactPairs } from './redact-text.js';
import { NAME_PATTERN } from './redacted-fields.js';
import type { Redaction } from './redaction.js';

const SECRET_NAME = new RegExp(`(?<![a-z0-9])(?:code["'=]|(?:${NAME_PATTERN})(?![a-z0-9]))`, 'i');

/** A form, whatever its media type: fields without blanks, each with its name. */
const FORM = /^[\w.%+-]+=[^\s{}"&]*(?:&[\w.%+-]+=[^\s{}"&]*)*$/;

/** The parts of a multipart body stand under any media type. */
const PARTS = /content-disposition:\s*form-data/i;

export interface BodyContext {
  readonly contentType: string;
  /** Members named `code` are message codes, as in an error answer. */
  readonly codesAreMessages: boolean;
}

/** The same body where nothing in it is secret. */
export function redactBody(
  redaction: Redaction,
  body: Body | null,
  content: Content,
  context: BodyContext,
): Body | null {
  if (body === null || body.text === '') return body;
  const text = redactText(redaction, body, content, context);
  if (text === body.text) return body;
  const { base64: _, ...rest } = body;
  return { ...rest, text };
}

function redactText(redaction: Redaction, body: Body, content: Content, context: BodyContext): string {
  const { text } = body;
  switch (content.kind) {
    case 'json':
      return redactKnownJson(redaction, text, content, context);
    case 'form':
      return jsonKind(text) === 'none'
        ? redactPairs(redaction, text)
        : redactOpaque(redaction, text, context);
    case 'none':
      return text;
    case 'opaque':
      return body.base64 === true ? redactBytes(redaction, text) : redactOpaque(redaction, text, context);
    case 'unparseable':
      // A form under the media type of JSON is no broken JSON: its fields end where they say.
      if (body.base64 !== true && isJsonType(context.contentType) && FORM.test(text))
        return redactPairs(redaction, text);
      return redactBroken(redaction, body);
    case 'not-observed':
      return redactBroken(redaction, body);
  }
}

function redactKnownJson(redaction: Redaction, text: string, content: Content, context: BodyContext): string {
  if (redaction.unmarked.get(content) === text) return text;
  if (mayHoldSecrets(text)) return redactJson(redaction, text, context.codesAreMessages);
  if (isKeptContent(content)) redaction.unmarked.set(content, text);
  return text;
}

/** Cut off or broken: where its secrets end nobody can tell. */
function redactBroken(redaction: Redaction, { text, base64 }: Body): string {
  return base64 === true ? redactBytes(redaction, text) : redactWhole(redaction, text);
}

/** All or nothing. */
function redactWhole(redaction: Redaction, text: string): string {
  return SECRET_NAME.test(unescapeLetters(text)) ? redaction.fingerprint(text) : redactLoose(redaction, text);
}

function redactBytes(redaction: Redaction, base64: string): string {
  return SECRET_NAME.test(Buffer.from(base64, 'base64').toString('latin1'))
    ? redaction.fingerprint(base64)
    : base64;
}

/** JSON or a form under another media type is read as what it is. */
function redactOpaque(redaction: Redaction, text: string, context: BodyContext): string {
  switch (jsonKind(text)) {
    case 'whole':
      return redactJson(redaction, text, context.codesAreMessages);
    case 'broken':
      return redactWhole(redaction, text);
    case 'none':
      return context.contentType.startsWith('multipart/') || PARTS.test(text)
        ? redactWhole(redaction, text)
        : redactLoose(redaction, text);
  }
}
