/** Errors of a server and of the way to it, in plain words. */
import { SandgateError } from '../../spec/index.js';
import { StoreBusy } from '../port.js';

/** By the beginning of the error code of PostgreSQL, Node or OpenSSL; the first that fits. */
const CAUSES: readonly (readonly [code: string, words: string])[] = [
  ['28', 'the server refuses the user or its password'],
  ['3D000', 'the server has no such database'],
  ['42501', 'the user may not do this in the database'],
  ['53300', 'the server has no connection left'],
  ['53100', 'the disk of the server is full'],
  ['53', 'the server has no resources left'],
  ['57P03', 'the server is starting or stopping'],
  ['57P', 'the server was stopped, or ended the connection'],
  ['57014', 'a statement took too long; somebody may hold a lock on its tables'],
  ['55P03', 'somebody holds a lock on its tables'],
  ['25006', 'the server is a replica, or lets nobody write'],
  ['42P01', 'a table is missing; somebody changed the schema'],
  ['58', 'the disk of the server failed to write or to read'],
  ['08', 'the connection was lost'],
  ['XX001', 'the server found its data damaged'],
  ['XX002', 'the server found its data damaged'],
  ['XX', 'something went wrong inside the server, whose log says what'],
  ['ECONNREFUSED', 'nobody listens at its address'],
  ['ENOTFOUND', 'there is no host of this name'],
  ['EAI_', 'there is no host of this name, or no name server answers'],
  ['EHOSTUNREACH', 'its host cannot be reached'],
  ['ENETUNREACH', 'its host cannot be reached'],
  ['ETIMEDOUT', 'its host does not answer'],
  ['ECONN', 'the connection was lost'],
  ['EPIPE', 'the connection was lost'],
  ['ERR_TLS_CERT', 'the certificate of the server is not one for its name'],
  ['ERR_SSL', 'no TLS could be agreed upon'],
  ['DEPTH_ZERO_SELF', 'the certificate of the server is not trusted'],
  ['SELF_SIGNED', 'the certificate of the server is not trusted'],
  ['UNABLE_TO', 'the certificate of the server is not trusted'],
  ['CERT_', 'the certificate of the server is not valid'],
];
/** The driver's own, which have no code. */
const MESSAGES: readonly (readonly [text: RegExp, words: string])[] = [
  [/does not support SSL/i, 'the server speaks no TLS, and sslmode asks for it'],
  [/timeout/i, 'the server does not answer in time'],
  [/terminated|not queryable|closed/i, 'the connection was lost'],
  [/SASL|SCRAM/i, 'the server refuses the user or its password'],
];
/** Another try may do it at once: two transactions stood in each other's way. */
const BUSY: ReadonlySet<string> = new Set(['40001', '40P01']);

const CONNECTION_LOST = /^(?:08|57P0[123])/;

/** A SandgateError that names the store and the cause; one that is such already is given back. */
export function serverFault(error: unknown, shown: string): SandgateError {
  if (error instanceof SandgateError) return error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const message = error instanceof Error ? error.message : String(error);
  const words =
    CAUSES.find(([begin]) => code.startsWith(begin))?.[1] ??
    (code === '' ? MESSAGES.find(([text]) => text.test(message))?.[1] : undefined);
  const why =
    words === undefined ? `the server says ${code || message}` : code === '' ? words : `${words} (${code})`;
  if (BUSY.has(code)) return new StoreBusy(shown, why, error);
  return new SandgateError('store.unusable', { path: shown, why }, { cause: error });
}

/** Whether the server ends the connection with it. */
export const endsConnection = (code: unknown): boolean => CONNECTION_LOST.test(String(code));
