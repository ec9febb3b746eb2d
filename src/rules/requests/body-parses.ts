import { type Call, isFingerprint, mediaType } from '../../exchange/index.js';
import { expectedTypes, hasExpectedType } from '../checks/request-body.js';
import { xmlFault } from '../checks/xml-form.js';
import { defineRule, type Outcome, violation } from '../rule.js';

export default defineRule({
  id: 'requests/body-parses',
  statement: 'The body parses as its media type says',
  sources: ['RFC8259 2', 'RFC9110 8.3'],
  appliesTo: ({ body }) => body !== 'none',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'A body that does not parse cannot be read at all.',
  fix: 'Make the body with a library for its media type, not by joining texts; check its encoding.',
  examples: { complies: '{"access":{}}', violates: '{"access":{}' },
  check: ({ call, options: { dialect } }) => {
    const { content } = call;
    switch (content.kind) {
      case 'json':
      case 'form':
        return true;
      case 'unparseable':
        // A wrong media type explains this, and requests/content-type reports it.
        if (!hasExpectedType(call, dialect)) return 'not-applicable';
        return violation(
          'body',
          expectedTypes(call, dialect).includes('application/json') ? 'JSON' : 'a form in UTF-8',
          `a body that cannot be read: ${content.problem}`,
        );
      case 'not-observed':
        return 'not-observed';
      case 'opaque':
        return hasExpectedType(call, dialect) ? judgeText(call) : 'not-applicable';
      default:
        return 'not-applicable';
    }
  },
});

/** XML and parts of a form: whether they are what they say, not what they hold. */
function judgeText({ request: { body }, header }: Call): Outcome {
  const type = mediaType(header['content-type']);
  if (body === null || body.base64 === true) return 'not-applicable';
  if (isFingerprint(body.text)) return 'not-observed';
  if (type === 'multipart/form-data') {
    const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(header['content-type'] ?? '');
    const mark = boundary?.[1] ?? boundary?.[2];
    if (mark === undefined)
      return violation(
        'header Content-Type',
        'a multipart type with a boundary',
        'a multipart type without a boundary',
      );
    const isWhole = body.text.includes(`--${mark}\r\n`) && body.text.trimEnd().endsWith(`--${mark}--`);
    return isWhole || violation('body', 'parts between the boundary of Content-Type', 'a body without them');
  }
  if (type !== 'application/xml') return 'not-applicable';
  const fault = xmlFault(body.text);
  return fault === null || violation('body', 'XML', `a body that cannot be read: ${fault}`);
}
