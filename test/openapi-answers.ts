/** Holds recorded answers against the document of the interface, as a client that was generated out of it would. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RecordedExchange } from '../src/store/index.js';

interface Response {
  readonly $ref?: string;
}
type Responses = Readonly<Record<string, Response>>;

/** Operation and status of each answer of the interface that the document does not foresee, with the fault. */
export function answersBeside(document: object, records: readonly RecordedExchange[]): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'doc');
  const byOperation = new Map<string, { place: string; responses: Responses }>();
  const { paths } = document as {
    paths: Record<string, Record<string, { operationId: string; responses: Responses }>>;
  };
  for (const [path, item] of Object.entries(paths))
    for (const [method, { operationId, responses }] of Object.entries(item))
      byOperation.set(operationId, { place: `#/paths/${pointer(path)}/${method}/responses`, responses });
  return records.flatMap(({ exchange: { call, answer } }) => {
    if (call.operation === null || answer === null || call.direction === 'to-tpp') return [];
    const name = call.operation.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
    const status = String(answer.status);
    const known = byOperation.get(name);
    const response = known?.responses[status];
    if (known === undefined || response === undefined) return [`${call.operation} ${status}: not foreseen`];
    const type = answer.header['content-type']?.split(';')[0] ?? '';
    const text = answer.body?.text ?? '';
    if (text === '' || !type.endsWith('json')) return [];
    const at = response.$ref ?? `${known.place}/${status}`;
    const check = ajv.getSchema(`doc${at}/content/application~1json/schema`);
    if (check === undefined) return [`${call.operation} ${status}: no schema of ${type}`];
    return check(JSON.parse(text))
      ? []
      : [`${call.operation} ${status}: ${ajv.errorsText(check.errors)} in ${text}`];
  });
}

const pointer = (path: string): string =>
  encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
