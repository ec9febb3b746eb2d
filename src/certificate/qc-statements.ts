/** Reads the QCStatements extension (ETSI EN 319 412-5): qualified or not, for what, and the PSD2 statement in it. */
import {
  childrenOf,
  type DerNode,
  integerOf,
  isOid,
  isSequence,
  isText,
  isUtf8,
  oidOf,
  parseDer,
  textOf,
} from './der.js';
import type { CertificateFacts } from './facts.js';
import { OID, QC_TYPES, ROLES } from './oids.js';
import { sentence } from './parts.js';

type Psd2Statement = Pick<CertificateFacts, 'encoding' | 'roles' | 'ncaName' | 'ncaId'>;

const NOTHING = { roles: [], ncaName: null, ncaId: null } as const;
const ABSENT: Psd2Statement = { encoding: 'absent', ...NOTHING };
export const UNREADABLE: Psd2Statement = { encoding: 'unreadable', ...NOTHING };

/** How the roles are laid out, apart from whether the statement is bare. */
type Layout = 'standard' | 'flat-roles' | 'no-roles-wrapper';

const isPair = (nodes: readonly DerNode[]): boolean =>
  nodes.length === 2 && isOid(nodes[0]) && isText(nodes[1]);

const isRun = (nodes: readonly DerNode[]): boolean =>
  nodes.length >= 2 &&
  nodes.length % 2 === 0 &&
  nodes.every((node, i) => (i % 2 ? isText(node) : isOid(node)));

const isRole = (node: DerNode): boolean => isSequence(node) && isPair(childrenOf(node));

/**
 * PSD2QcType ::= SEQUENCE { rolesOfPSP SEQUENCE OF SEQUENCE { oid, name }, nCAName, nCAId }; the other layouts leave
 * out one of the SEQUENCEs. Gives the nodes of the roles as one run of OIDs and names.
 */
function layOut(fields: readonly DerNode[]): { layout: Layout; run: readonly DerNode[] } | null {
  const wrapped = fields.slice(0, -2);
  const [roles] = wrapped;
  if (wrapped.length > 0 && wrapped.every(isRole))
    return { layout: 'no-roles-wrapper', run: wrapped.flatMap(childrenOf) };
  if (wrapped.length !== 1 || !isSequence(roles)) return null;
  const inner = childrenOf(roles);
  if (inner.every(isRole)) return { layout: 'standard', run: inner.flatMap(childrenOf) };
  if (isRun(inner)) return { layout: 'flat-roles', run: inner };
  const [only] = inner;
  return inner.length === 1 && isSequence(only) && isRun(childrenOf(only))
    ? { layout: 'flat-roles', run: childrenOf(only) }
    : null;
}

function readRoles(run: readonly DerNode[]): Psd2Statement['roles'] {
  const roles = [];
  for (let at = 0; at + 1 < run.length; at += 2) {
    const oid = oidOf(run[at]);
    roles.push({ oid, name: textOf(run[at + 1]), role: (ROLES as Record<string, string>)[oid] ?? null });
  }
  return roles;
}

/** The gravest deviation: what other readers stumble over first. */
function encodingOf(layout: Layout, bare: boolean, areUtf8: boolean): Psd2Statement['encoding'] {
  if (layout !== 'standard') return layout;
  if (bare) return 'bare-statement';
  return areUtf8 ? 'standard' : 'other-strings';
}

/**
 * Reads the value of the statement. `bare`: the extension holds this one statement, not a SEQUENCE OF them.
 * `problems` gains what is not as ETSI has it and has no encoding of its own.
 */
function readPsd2Statement(value: DerNode | undefined, bare: boolean, problems: string[]): Psd2Statement {
  const fields = isSequence(value) ? childrenOf(value) : [];
  const [ncaName, ncaId] = fields.slice(-2);
  const found = fields.length < 3 || !isText(ncaName) || !isText(ncaId) ? null : layOut(fields);
  if (found === null) {
    problems.push('The PSD2 statement is not laid out as roles, name and id of the authority.');
    return UNREADABLE;
  }
  const texts = [ncaName, ncaId, ...found.run.filter((_, i) => i % 2 === 1)];
  const areUtf8 = texts.every(isUtf8);
  const encoding = encodingOf(found.layout, bare, areUtf8);
  if (!areUtf8 && encoding !== 'other-strings')
    problems.push('The PSD2 statement holds texts that are not UTF8String.');
  return {
    encoding,
    roles: readRoles(found.run),
    ncaName: textOf(ncaName),
    ncaId: textOf(ncaId),
  };
}

type QcFacts = Pick<
  CertificateFacts,
  'qcCompliance' | 'qcType' | 'qcSscd' | 'qcPds' | 'qcLimit' | 'qcLegislation' | 'qcStatements'
>;
type QualifiedFacts = QcFacts & Psd2Statement;

export const NO_STATEMENTS: QcFacts = {
  qcCompliance: false,
  qcType: [],
  qcSscd: false,
  qcPds: [],
  qcLimit: null,
  qcLegislation: [],
  qcStatements: [],
};

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
