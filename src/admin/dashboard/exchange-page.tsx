/** The page of one exchange: call, answer, certificate and findings. */
import { arrivedAt, type Call } from '../../exchange/index.js';
import {
  counted,
  type Fact,
  Facts,
  millis,
  Name,
  Nothing,
  PARTY,
  Recorded,
  Severity,
  stamp,
  Table,
  visible,
} from '../../report/index.js';
import { ruleOf } from '../../rules/index.js';
import type { RecordedExchange } from '../../store/index.js';
import { type Render, renderPage } from './layout.js';
import { Message } from './message.js';

export function renderExchange(record: RecordedExchange): Render {
  const { call, answer, fault } = record.exchange;
  return renderPage({
    title: `${call.request.method} ${call.request.path}`,
    place: '/exchanges',
    children: (
      <>
        <Facts facts={factsOf(record)} wide />
        <h2>Findings</h2>
        {record.findings.length === 0 ? (
          <Nothing>No rule was violated.</Nothing>
        ) : (
          <Findings record={record} />
        )}
        <Verdicts record={record} />
        <div class="sides">
          <Message
            title="Request"
            start={`${call.request.method} ${call.request.target}`}
            message={call.request}
            content={call.content}
          />
          {answer === null ? (
            <div>
              <h2>Answer</h2>
              <Nothing>None was given{fault === null ? '.' : `: ${visible(fault.message)}`}</Nothing>
            </div>
          ) : (
            <Message title="Answer" start={String(answer.status)} message={answer} content={answer.content} />
          )}
        </div>
      </>
    ),
  });
}

export function renderMissing(id: string): Render {
  return renderPage({
    title: 'No such exchange',
    place: '/exchanges',
    children: (
      <p>
        The store holds no exchange <Recorded text={id.slice(0, 100)} />; it may have been removed since.
      </p>
    ),
  });
}

function factsOf({ exchange: { call, answer, fault, elapsed } }: RecordedExchange): readonly Fact[] {
  return [
    ['Exchange', <Name key="id">{visible(call.id)}</Name>],
    [
      'Session',
      <a key="session" href={`/exchanges?${new URLSearchParams({ session: call.session })}`}>
        {visible(call.session)}
      </a>,
    ],
    ['Time', `${stamp(new Date(call.at).toISOString())} UTC`],
    ...(call.ahead === 0
      ? []
      : [['The machine’s time', `${stamp(new Date(arrivedAt(call)).toISOString())} UTC`] as const]),
    [
      'Operation',
      call.operation ?? `unknown${call.nearest === undefined ? '' : `; nearest: ${call.nearest}`}`,
    ],
    ['Status', answer === null ? 'no answer' : `${answer.status}, by ${answer.source}`],
    ...(fault === null ? [] : [['Failure', `${fault.kind}: ${visible(fault.message)}`] as const]),
    ['Took', `${millis(elapsed.total)} ms, the bank ${millis(elapsed.answerer)} ms of it`],
    ['TPP', call.tpp === null ? 'not known' : visible(call.tpp)],
    ['Certificate', certificateOf(call)],
    ['Connection', connectionOf(call)],
  ];
}

function certificateOf({ certificate }: Call): string {
  if (certificate === 'absent') return 'none was presented';
  if (certificate === 'not-observed') return 'not observed';
  const roles = certificate.roles.map(({ name }) => name).join(', ') || 'no role';
  return visible(`${certificate.subject}; ${roles}; until ${certificate.notAfter.slice(0, 10)}`);
}

function connectionOf({ listener, connection: { address, tls } }: Call): string {
  const how =
    tls === null ? 'plain HTTP' : tls === 'not-observed' ? 'not observed' : `${tls.version}, ${tls.cipher}`;
  return visible(`${listener} listener, from ${address}, ${how}`);
}

function Findings({ record: { findings } }: { record: RecordedExchange }) {
  return (
    <Table
      label="Findings"
      caption="Findings"
      isCaptionHidden
      rows={findings}
      columns={[
        [
          'Severity',
          ({ severity, waived }) => <Severity severity={severity} waived={waived !== undefined} />,
        ],
        [
          'Rule',
          ({ rule }) => (
            <>
              {ruleOf(rule)?.statement ?? ''}
              <br />
              <Name>{rule}</Name>
              <div class="soft">{ruleOf(rule)?.fix ?? ''}</div>
            </>
          ),
          'head',
        ],
        ['Place', ({ place }) => visible(place)],
        ['Expected', ({ expected }) => visible(expected)],
        ['Found', ({ actual }) => (actual === undefined ? 'absent' : <Recorded text={actual} />)],
        [
          'At fault',
          ({ judges, waived }) =>
            `${PARTY[judges]}${waived === undefined ? '' : `; waived: ${visible(waived)}`}`,
        ],
      ]}
    />
  );
}

function Verdicts({ record: { verdicts } }: { record: RecordedExchange }) {
  const all = Object.entries(verdicts);
  return (
    <>
      {(['complied', 'not-observed'] as const).map((wanted) => {
        const rules = all.filter(([, verdict]) => verdict === wanted).map(([rule]) => rule);
        return rules.length === 0 ? null : (
          <details key={wanted}>
            <summary>
              {counted(rules.length, 'rule')} {wanted.replace('-', ' ')}
            </summary>
            <ul class="verdicts">
              {rules.map((rule) => (
                <li key={rule}>
                  <Name>{rule}</Name>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </>
  );
}
