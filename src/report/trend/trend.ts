/** The trend over sessions: the history of each rule, by the verdicts that were stored, each exchange taken once. */
import { type Call, gatewayNotes } from '../../exchange/index.js';
import { createLedger } from '../../ledger/index.js';
import { GRAVITY, type Rule, type Severity } from '../../rules/index.js';
import { counted, namedProfile, profileText } from '../../spec/index.js';
import type { RecordedExchange, SessionInfo } from '../../store/index.js';
import { order, seeExchange } from '../build/collector.js';
import { collectRules, type RuleCount, type RuleFigures } from '../build/rules.js';
import { answererOf } from '../build/verdict.js';
import { DEFAULT_CAPS } from '../build-report.js';
import { isBank } from '../formats/lines.js';
import type { Answerer, Judging } from '../model.js';
import {
  CHANGES,
  type Change,
  type RuleNumbers,
  type Trend,
  type TrendCell,
  type TrendRule,
  type TrendSession,
  type TrendTpp,
} from './model.js';
import { limitsOf, notesOn } from './notes.js';
import { collectWeeks } from './weeks.js';

export interface TrendOptions {
  readonly version: string;
  readonly title?: string | undefined;
  readonly madeAt?: string | undefined;
  readonly ownRules: readonly Rule[];
  /** Sessions that were left out, because they are too many. */
  readonly leftOut: number;
}

/** TPPs of which a history is kept. */
const MOST_TPPS = 30;

type Owner = RuleFigures['owners'][number];
type IsTold = (at: number, judges: TrendRule['judges']) => boolean;

interface Noted {
  readonly cell: TrendCell;
  readonly severity: Severity;
  readonly first: string | null;
  readonly last: string | null;
}

interface History {
  readonly rule: RuleCount['rule'];
  /** By the place of the session. */
  readonly noted: Map<number, Noted>;
}

interface SeenTpp {
  name: string | null;
  exchanges: number;
  readonly histories: Map<string, History>;
}

export function openTrend(options: TrendOptions) {
  const sessions: TrendSession[] = [];
  const histories = new Map<string, History>();
  const tpps = new Map<string, SeenTpp>();
  let otherTpps = 0;
  const weeks = collectWeeks();
  /** Nothing is judged here, so nothing has to be known. */
  const ledger = createLedger();

  function noteTpp(owner: Owner, names: ReadonlyMap<string, string | null>, at: number): void {
    const { id, exchanges, rows } = owner;
    if (id === null) return;
    const known = tpps.get(id);
    if (known === undefined && tpps.size >= MOST_TPPS) {
      otherTpps++;
      return;
    }
    const tpp = known ?? { name: names.get(id) ?? null, exchanges: 0, histories: new Map() };
    tpps.set(id, tpp);
    tpp.exchanges += exchanges;
    for (const row of rows) if (row.rule.judges === 'tpp') note(tpp.histories, row, at);
  }

  /** Takes the exchanges of one session; sessions come in the order of their beginning. */
  function openSession(session: SessionInfo, judgings: readonly Judging[]) {
    const rules = collectRules(judgings, options.ownRules, { ...DEFAULT_CAPS, rows: MOST_TPPS });
    const names = new Map<string, string | null>();
    let exchanges = 0;
    let unreadable = 0;
    const [judging] = judgings;
    if (judging !== undefined) weeks.open(judging);
    return {
      take(record: RecordedExchange): void {
        const { call } = record.exchange;
        const owner = call.listener === 'api' ? call.tpp : null;
        if (owner !== null && !names.has(owner) && names.size < MOST_TPPS) names.set(owner, nameOf(call));
        const seen = seeExchange(record, ++exchanges, ledger, owner);
        rules.take(seen);
        weeks.take(seen);
      },
      miss: (): void => void unreadable++,
      close(): void {
        const at = sessions.length;
        const figures = rules.finish();
        const answerer = answererOf(figures);
        const told = toldRows(figures, answerer);
        sessions.push({ ...sessionOf(session, judgings, told), answerer, exchanges, unreadable });
        for (const row of told) note(histories, row, at);
        for (const owner of figures.owners) noteTpp(owner, names, at);
      },
    };
  }

  return {
    openSession,
    close(): Trend {
      const answerer = answererOfAll(sessions);
      const isTold: IsTold = (at, judges) =>
        judges === 'tpp' || !isBank(answerer) || isBank(sessions[at]?.answerer ?? 'nobody');
      return {
        format: 'sandgate-trend',
        version: 1,
        head: {
          title: options.title ?? `Trend of ${counted(sessions.length, 'session')}`,
          madeAt: options.madeAt ?? null,
          gateway: { name: 'sandgate', version: options.version },
          answerer,
          notes: [...notesOn(sessions, answerer), ...limitsOf(options.leftOut, otherTpps)],
        },
        sessions,
        rules: rulesOf(histories, sessions.length, isTold),
        tpps: tppsOf(tpps, sessions.length, isTold),
        availability: weeks.finish(),
      };
    },
  };
}

function nameOf({ certificate }: Call): string | null {
  return typeof certificate === 'string'
    ? null
    : (certificate.organization ?? certificate.commonName ?? null);
}

/** Rules for answers are judged by those of the bank alone, if others answered besides. */
function toldRows({ all, ofBank }: RuleFigures, answerer: Answerer): RuleCount[] {
  const ofAnswers = answerer === 'several' ? ofBank : all;
  const of = (rows: readonly RuleCount[], judges: TrendRule['judges']) =>
    rows.filter(({ rule }) => rule.judges === judges);
  return [...of(all.rows, 'tpp'), ...of(ofAnswers.rows, 'aspsp')];
}

/** A bank, if it answered in one of the sessions. */
function answererOfAll(sessions: readonly TrendSession[]): Answerer {
  const all = sessions.map(({ answerer }) => answerer).filter((one) => one !== 'nobody');
  return all.some(isBank) ? 'bank' : (all[0] ?? 'nobody');
}

/** Each where there are several. */
function tppsOf(tpps: ReadonlyMap<string, SeenTpp>, sessions: number, isTold: IsTold): TrendTpp[] {
  if (tpps.size < 2) return [];
  return [...tpps]
    .sort(([a], [b]) => order(a, b))
    .map(([id, { name, exchanges, histories }]) => {
      const rules = rulesOf(histories, sessions, isTold).filter(({ firstSeen }) => firstSeen !== null);
      return { id, name, exchanges, rules };
    });
}

function note(histories: Map<string, History>, row: RuleCount, at: number): void {
  const { rule, gravest, findings, complied, violated, first, last } = row;
  const history = histories.get(rule.id) ?? { rule, noted: new Map() };
  const severity = findings > 0 ? gravest : row.severity;
  history.noted.set(at, { cell: { outcome: outcomeOf(row), violated, complied }, severity, first, last });
  histories.set(rule.id, history);
}

function outcomeOf({ outcome }: RuleCount): TrendCell['outcome'] {
  return outcome === 'never-exercised' || outcome === 'not-observed' ? 'not-tested' : outcome;
}

const NOT_TESTED: TrendCell = { outcome: 'not-tested', violated: 0, complied: 0 };

/** Rules that came first, those that were never tested last; the gravest first. */
function rulesOf(histories: ReadonlyMap<string, History>, sessions: number, isTold: IsTold): TrendRule[] {
  return [...histories.values()]
    .map(({ rule: { id, statement, judges }, noted }): TrendRule => {
      const told = [...noted].filter(([at]) => isTold(at, judges)).map(([, one]) => one);
      const history = Array.from({ length: sessions }, (_, at) =>
        isTold(at, judges) ? (noted.get(at)?.cell ?? NOT_TESTED) : NOT_TESTED,
      );
      return {
        ...{ rule: id, statement, judges, change: changeOf(history) },
        severity: told.map(({ severity }) => severity).sort((a, b) => GRAVITY[a] - GRAVITY[b])[0] ?? 'off',
        firstSeen: told.find(({ first }) => first !== null)?.first ?? null,
        lastSeen: told.findLast(({ last }) => last !== null)?.last ?? null,
        history,
      };
    })
    .sort(
      (a, b) =>
        CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) ||
        GRAVITY[a.severity] - GRAVITY[b.severity] ||
        order(a.rule, b.rule),
    );
}

function changeOf(history: readonly TrendCell[]): Change {
  const tested = history.filter(({ outcome }) => outcome !== 'not-tested' && outcome !== 'off');
  const isBad = (cell: TrendCell | undefined): boolean => cell?.outcome === 'violated';
  const last = tested.at(-1);
  if (last === undefined) return 'not-tested';
  if (!isBad(last)) return tested.some(isBad) ? 'went' : 'complied';
  if (last !== history.at(-1)) return 'not-tested-since';
  return tested.length > 1 && !isBad(tested.at(-2)) ? 'came' : 'open';
}

function sessionOf(
  { name, startedAt, lastAt, notes }: SessionInfo,
  judgings: readonly Judging[],
  rows: readonly RuleCount[],
): Omit<TrendSession, 'answerer' | 'exchanges' | 'unreadable'> {
  const settings = gatewayNotes(notes).map((one) => one.settings);
  const list = (of: readonly string[]) => [...new Set(of)].join(', then ');
  const numbers = (judges: 'tpp' | 'aspsp'): RuleNumbers => {
    const own = rows.filter(({ rule }) => rule.judges === judges);
    const violated = (severity: Severity) =>
      own.filter((row) => row.outcome === 'violated' && row.gravest === severity).length;
    const with_ = (outcome: TrendCell['outcome']) => own.filter((row) => outcomeOf(row) === outcome).length;
    return {
      ...{ mustViolated: violated('must'), shouldViolated: violated('should') },
      ...{ complied: with_('complied'), notTested: with_('not-tested') },
    };
  };
  return {
    name,
    from: new Date(startedAt).toISOString(),
    to: new Date(lastAt).toISOString(),
    profiles: list(judgings.map(({ profile }) => profile)),
    bankProfiles: list(judgings.map(({ bankProfile }) => profileText(namedProfile(bankProfile)))),
    catalogue: settings.findLast(({ catalogue }) => catalogue !== undefined)?.catalogue ?? null,
    tpp: numbers('tpp'),
    aspsp: numbers('aspsp'),
  };
}
