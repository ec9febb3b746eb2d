/** docs/faults.md: faults that are injected, with every kind. */
import { KIND_ROWS } from '../src/weather/index.js';
import { code, page, table } from './docs.js';
import seen from './fault-clients.json' with { type: 'json' };

const NEEDS = { emulator: 'the emulator', living: 'the living bank' } as const;

export function faultsDoc(): string {
  return page(
    'Faults',
    'A fault makes calls fail as they fail at banks: slow answers, a 429, a maintenance page, an answer that is lost after the ' +
      'payment was made. It names the calls, how often and when it applies, and its effect. Faults work with every source: the emulator, ' +
      'a replay and a real bank.',
    '```json\n[\n  { "id": "slow-balances", "where": "operation:accounts.balances",\n    "after": 2, "count": 3, "do": { "kind": "delay", "ms": 10000, "jitter": 2000 } },\n' +
      '  { "id": "lost-payment", "where": "operation:payments.create", "count": 1, "do": { "kind": "done/lost" } }\n]\n```',
    'Start with a file (`sandgate serve --faults faults.json`), change a running gateway (`sandgate faults list`, `add`, `remove`, ' +
      '`clear`; [admin API](admin.md)), or set faults in tests (`gateway.faults.add({ … })`, [testing.md](testing.md)). A change ' +
      'applies from the next call on, for all gateways on one store, and lasts until they restart.',
    '## When',
    table(
      ['Member', 'Means'],
      [
        ['`id`', 'the name of the fault'],
        [
          '`where`',
          'which calls: a [filter](filters.md) by method, path, operation, listener, tpp, consent, payment, account, request-id, at or text (default: all calls)',
        ],
        ['`after`', 'number of matching calls that pass first'],
        ['`count`', 'number of calls that meet the fault, counted exactly over all gateways (default: all)'],
        [
          '`share`',
          'share of calls that meet the fault, drawn by `--bank-seed`: the same calls give the same draws',
        ],
        ['`during`', 'start and end, by the clock of the gateway'],
        ['`do`', 'the kind, and its parameters'],
      ],
    ),
    'Faults are tried in order; the first one that matches and has an effect wins. At most 100 are in force. A reset of the ' +
      'living bank restarts the counts. Calls that the gateway itself refuses meet no fault.',
    'Faults of notifications meet the calls that the gateway sends to a TPP in the bank’s place: `where` selects by tpp, payment, ' +
      'consent, address (`path`) or text. Each status of the living bank still arrives, unless the fault is `notification/lost`. ' +
      'A delayed status is not lost when the gateway restarts.',
    'Faults of certificates meet new connections to the API listener: `where` may only name the listener. Open connections stay ' +
      'as they are; a session from before is not resumed. A connection that the client gives up is recorded as failed; calls on ' +
      'a connection that it accepts carry no mark. Only `certificate/client-revoked` meets calls. The certificates are made in ' +
      'memory by the CA in the certificates folder, whose key must be there.',
    '## What is recorded',
    'Each use is marked on its exchange: `injected` names the fault, its kind, and the bank’s own answer (`did`). The ' +
      '[filter](filters.md) `injected:*` finds them, answers carry `Sandgate-Injected`, and the session notes every change. Rules ' +
      'judge only the bank’s own answers, so nobody is blamed for a fault. An incomplete answer is recorded as no answer. ' +
      'Reports name the faults in their head, and leave what they did out of latency and errors. A [replay](replay.md) plays it again.',
    'While a fault that needs a bank of ours is in force, that bank cannot be switched away.',
    'When the gateway stops, it names the faults that met no call.',
    '## Kinds',
    'Write the name alone (`delay`) if only one family has it, else with its family (`done/late`). A parameter with `=` may ' +
      'be left out.',
    table(
      ['Kind', 'Parameters', 'What it does', 'Needs'],
      KIND_ROWS.map(({ kind, says, takes, needs }) => [
        code(kind),
        takes.map(code).join(' '),
        says,
        needs === null ? '' : NEEDS[needs],
      ]),
    ),
    ...whatClientsSee(),
  );
}

function whatClientsSee(): string[] {
  return [
    '## What clients see',
    'The table shows one read under each fault, by three clients: `request` of undici, `get` of `node:https` without an agent, ' +
      'and `http.client` of Python. A cell has the status and says whether the body is JSON (with the media type, unless it is ' +
      'application/json), or it names the error that the client reports. Under `transport/hang` and `done/late`, each client ' +
      'has a time limit of 2 s (`headersTimeout`, `signal`, `timeout`).',
    'JSON with status 200 may still be wrong inside: under most faults of `content`, only code that checks the answer notices.',
    table(
      ['Fault', 'undici', 'node:https', 'Python'],
      seen.map(({ do: effect, undici, https, python }) => [
        faultText(effect),
        ...[undici, https, python].map((outcome) => (/^\d/.test(outcome) ? outcome : code(outcome))),
      ]),
    ),
  ];
}

function faultText({ kind, ...parameters }: { readonly kind: string }): string {
  return [kind, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].map(code).join(' ');
}
