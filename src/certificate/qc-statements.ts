/** Reads the QCStatements extension (ETSI EN 319 412-5): qualified or not, for what, and the PSD2 statement in it. */
import { childrenOf, type DerNode, integerOf, isOid, isSequence, oidOf, parseDer, textOf } from './der.js';
import type { CertificateFacts } from './facts.js';
import { OID, QC_TYPES } from './oids.js';
import { sentence } from './parts.js';
import { ABSENT, type Psd2Statement, readPsd2Statement, UNREADABLE } from './statement.js';

type QcFacts = Pick<
  CertificateFacts,
  'qcCompliance' | 'qcType' | 'qcSscd' | 'qcPds' | 'qcLimit' | 'qcLegislation' | 'qcStatements'
>;
export type QualifiedFacts = QcFacts & Psd2Statement;

export const NO_STATEMENTS: QcFacts = {
  qcCompliance: false,
  qcType: [],
  qcSscd: false,
  qcPds: [],
  qcLimit: null,
  qcLegislation: [],
  qcStatements: [],
};

/** What a statement's value adds to the facts. */
const READERS: Readonly<Record<string, (value: DerNode | undefined) => Partial<QcFacts>>> = {
  [OID.qcCompliance]: () => ({ qcCompliance: true }),
  [OID.qcSscd]: () => ({ qcSscd: true }),
  [OID.qcType]: (value) => ({ qcType: childrenOf(value).map(readType) }),
  [OID.qcPds]: (value) => ({ qcPds: childrenOf(value).map(readPds) }),
  [OID.qcLimit]: (value) => ({ qcLimit: readLimit(value) }),
  [OID.qcLegislation]: (value) => ({ qcLegislation: childrenOf(value).map(textOf) }),
};

function readType(node: DerNode): string {
  const oid = oidOf(node);
  return (QC_TYPES as Record<string, string>)[oid] ?? oid;
}

function readPds(node: DerNode): { url: string; language: string } {
  const [url, language] = childrenOf(node);
  return { url: textOf(url), language: textOf(language) };
}

/** Currency as letters or, as the standard also allows, its ISO number. */
function readLimit(value: DerNode | undefined): QcFacts['qcLimit'] {
  const [currency, amount, exponent] = childrenOf(value);
  const code = typeof currency?.value === 'string' && currency.type === 2 ? integerOf(currency) : null;
  return {
    currency: code === null ? textOf(currency) : String(code).padStart(3, '0'),
    amount: integerOf(amount),
    exponent: integerOf(exponent),
  };
}

/** Facts of the extension's value (DER, one character a byte), null where the certificate has none. */
export function readQcStatements(value: string | null, problems: string[]): QualifiedFacts {
  if (value === null) return { ...NO_STATEMENTS, ...ABSENT };
  let root: DerNode;
  try {
    root = parseDer(value);
  } catch (error) {
    problems.push(`The QCStatements cannot be read: ${sentence(error)}`);
    return { ...NO_STATEMENTS, ...UNREADABLE };
  }
  const bare = isOid(childrenOf(root)[0]);
  const statements = bare ? [root] : childrenOf(root);
  let facts: QualifiedFacts = {
    ...NO_STATEMENTS,
    ...ABSENT,
    qcStatements: [...new Set(statements.flatMap(idOf))],
  };
  for (const statement of statements)
    facts = { ...facts, ...readStatement(statement, bare, facts, problems) };
  return facts;
}

function idOf(statement: DerNode): string[] {
  const [type] = isSequence(statement) ? childrenOf(statement) : [];
  return isOid(type) ? [oidOf(type)] : [];
}

function readStatement(
  statement: DerNode,
  bare: boolean,
  known: QualifiedFacts,
  problems: string[],
): Partial<QualifiedFacts> {
  const [type, value] = isSequence(statement) ? childrenOf(statement) : [];
  let psd2 = false;
  try {
    const oid = oidOf(type);
    psd2 = oid === OID.psd2;
    if (!psd2) return READERS[oid]?.(value) ?? {};
    if (known.encoding === 'absent') return readPsd2Statement(value, bare, problems);
    problems.push('There is more than one PSD2 statement; the first one counts.');
    return {};
  } catch (error) {
    problems.push(`A QCStatement cannot be read: ${sentence(error)}`);
    return psd2 ? UNREADABLE : {};
  }
}
