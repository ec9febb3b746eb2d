/** The report of the session: the verdict for each TPP and for the bank, with the rules to mend. */
import { useState } from 'preact/hooks';
import type { Report as Made, ShownSession } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { useGet } from '../api.js';
import { counted, grouped } from '../format.js';
import { sessionInfo } from '../state/in-force.js';
import { Part, Table } from '../view.js';
import { Downloads } from './sessions.js';

export function Report() {
  const info = sessionInfo.value;
  return (
    <div class="page">
      <h1>Report</h1>
      {info === null || info.exchanges === 0 ? (
        <p class="soft">Nothing was recorded in this session yet.</p>
      ) : (
        <>
          <p>
            Session <b>{info.name}</b>, {counted(info.exchanges, 'exchange')}.
          </p>
          <p>
            The whole report: <Downloads links={info.links.report} of={info.name} />
          </p>
          <p>
            What was recorded: <Downloads links={info.links.export} of={info.name} />
          </p>
          <Judged key={info.name} {...info} />
        </>
      )}
    </div>
  );
}

/** A session of more exchanges is judged only when it is asked for: that takes a while. */
const MOST_AT_ONCE = 5_000;

function Judged({ exchanges, links }: ShownSession) {
  const [isWanted, setWanted] = useState(exchanges <= MOST_AT_ONCE);
  return isWanted ? (
    <Verdicts path={links.report.json ?? ''} />
  ) : (
    <p>
      <button type="button" class="go" onClick={() => setWanted(true)}>
        Judge all {grouped(exchanges)}
      </button>
    </p>
  );
}

function Verdicts({ path }: { readonly path: string }) {
  const asked = useGet<Made>(path);
  return (
    <Part asked={asked}>
      {({ verdict: { tpps, aspsp, answerer }, findings }) => (
        <>
          {tpps.map(({ tpp, name, violated, ...party }) => (
            <Verdict
              key={tpp}
              name={name ?? tpp ?? 'A caller that is not known'}
              party={party}
              rules={violated.filter(isToMend).map(({ rule, severity, count }) => ({
                ...{ rule, severity, count, text: findings.find((one) => one.rule === rule) },
                q: tpp === null ? `rule:${rule}` : `rule:${rule} tpp:${tpp}`,
              }))}
            />
          ))}
          <Verdict
            name="The bank"
            party={aspsp}
            isBank={answerer === 'bank' || answerer === 'several'}
            rules={findings
              .filter((one) => one.judges === 'aspsp' && isToMend(one))
              .map((one) => ({ ...one, text: one, q: `rule:${one.rule}` }))}
          />
          <p>
            <a href={hrefWith({ view: 'rules', open: null })}>All rules, and what was found of each</a>
          </p>
        </>
      )}
    </Part>
  );
}

type Counted = Pick<Made['findings'][number], 'severity' | 'count' | 'waived'>;
const isToMend = ({ severity, count, waived }: Counted): boolean => severity !== 'note' && count > waived;

const BADGES = {
  'must-violated': ['must', 'violated a must'],
  'should-violated': ['should', 'violated a should'],
  complied: ['fine', 'complied'],
  'not-observed': ['note', 'not observed'],
  'not-applicable': ['note', 'not tested'],
} as const satisfies Record<Made['verdict']['tpp']['outcome'], readonly [string, string]>;

interface VerdictParts {
  readonly name: string;
  readonly party: Pick<Made['verdict']['tpp'], 'outcome' | 'sentence'>;
  /** An emulator or a replay is never called a bank. */
  readonly isBank?: boolean;
  readonly rules: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly count: number;
    readonly text: { readonly statement: string; readonly fix: string } | undefined;
    /** Finds the calls. */
    readonly q: string;
  }[];
}

function Verdict({ name, party: { outcome, sentence }, isBank = true, rules }: VerdictParts) {
  const [look, word] = isBank ? BADGES[outcome] : ['note', 'no bank answered'];
  return (
    <section class="card" aria-label={`Verdict for ${name}`}>
      <h2>
        {name} <span class={`badge ${look}`}>{word}</span>
      </h2>
      <p>{sentence}</p>
      {rules.length === 0 ? null : (
        <Table
          label={`Rules that ${name} violated`}
          rows={rules}
          keyOf={({ rule }) => rule}
          nothing=""
          columns={[
            [
              'Rule',
              ({ rule, text }) => (
                <>
                  {text?.statement} <span class="mono soft">{rule}</span>
                </>
              ),
              'rule-cell',
            ],
            ['Severity', ({ severity }) => <span class={`badge ${severity}`}>{severity}</span>],
            ['What to do', ({ text }) => text?.fix, 'text'],
            [
              'Found',
              ({ count, q }) => <a href={hrefWith({ view: 'calls', q, open: null })}>{grouped(count)}</a>,
              'num',
            ],
          ]}
        />
      )}
    </section>
  );
}
