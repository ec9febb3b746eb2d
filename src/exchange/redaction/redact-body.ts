/** Redacts bodies, according to their media type. */

import { readBytes } from '../codings/bytes-as-text.js';
import { isJsonType, isKeptContent } from '../content.js';
import type { Body, Content } from '../wire.js';
import { findSecretValues } from './key-material.js';
import { redactInner } from './redact-hidden.js';
import { jsonKind, redactJson, unescapeLetters } from './redact-json.js';
import { redactMessage } from './redact-message.js';
import { holdsBearer, redactLoose, redactPairs } from './redact-text.js';
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
  const made = redactJson(redaction, text, context.codesAreMessages);
  if (made !== text || context.codesAreMessages) return made;
  if (isKeptContent(content)) redaction.unmarked.set(content, text);
  return text;
}

/** Cut off or broken: where its secrets end nobody can tell. */
function redactBroken(redaction: Redaction, { text, base64 }: Body): string {
  return base64 === true ? redactBytes(redaction, text) : redactWhole(redaction, text);
}

function redactWhole(redaction: Redaction, text: string): string {
  const plain = unescapeLetters(text.replaceAll('\0', ''));
  return SECRET_NAME.test(plain) ? redaction.fingerprint(text) : redactLoose(redaction, text);
}

function redactBytes(redaction: Redaction, base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = readBytes(bytes)?.text;
  const isSecret =
    namesOrHoldsSecret(bytes.toString('latin1').replaceAll('\0', '')) ||
    (text !== undefined && (SECRET_NAME.test(text) || redactInner(redaction, text) !== text));
  return isSecret ? redaction.fingerprint(base64) : base64;
}

const namesOrHoldsSecret = (text: string): boolean =>
  SECRET_NAME.test(text) || holdsBearer(text) || findSecretValues(text).length > 0;

function redactWords(redaction: Redaction, text: string, { codesAreMessages }: BodyContext): string {
  return codesAreMessages ? redactMessage(redaction, text) : text;
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
        : redactWords(redaction, redactLoose(redaction, text), context);
  }
}
