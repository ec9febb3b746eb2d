/** docs/faults.md: faults that are injected, with every kind. */
import { KIND_ROWS } from '../src/weather/index.js';
import { code, page, table } from './docs.js';

const NEEDS = { emulator: 'the emulator', living: 'the living bank' } as const;

export function faultsDoc(): string {
  return page(
    'Faults',
    'A fault makes calls fail as banks fail: slow answers, a 429, a maintenance page, an answer that is lost after the payment ' +
      'was made. It says when (which calls, how often, at which time) and what. Faults work before every source: the emulator, ' +
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
          'which calls: a [filter](filters.md) by method, path, operation, listener, tpp, consent, payment, account, request-id, at or text; all where absent',
        ],
        ['`after`', 'so many calls that fit pass first'],
        ['`count`', 'so many calls are met, counted exactly over all gateways; all where absent'],
        [
          '`share`',
          'the share of calls that is met, drawn by `--bank-seed`: the same ones for the same calls',
        ],
        ['`during`', 'from when and until when, by the clock of the gateway'],
        ['`do`', 'the kind, and its parameters'],
      ],
    ),
    'Faults are tried in their order; the first one that fits and has an effect wins. At most 100 are in force. A reset of the ' +
      'living bank begins the counting anew. Calls that the gateway itself refuses meet no fault.',
    'Faults of notifications meet what the gateway sends to a TPP in the bank’s place: `where` chooses by tpp, payment, consent, ' +
      'the address (`path`) or text. Each status of the living bank still arrives, unless the fault is `notification/lost`: a ' +
      'status that is told after the next one is not forgotten when the gateway restarts.',
    '## What is recorded',
    'Each use is marked on its exchange: `injected` names the fault, its kind, and what the bank had answered (`did`). The ' +
      '[filter](filters.md) `injected:*` finds them, answers carry `Sandgate-Injected`, and the session notes every change. Rules ' +
      'judge no answer that is not the bank’s, so nobody is blamed for a fault. What did not arrive whole is recorded as no answer. ' +
      'When the gateway stops, it names the faults that have met no call.',
    '## Kinds',
    'Write the name alone (`delay`) where only one family has it, else with its family (`done/late`). A parameter with `=` may ' +
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
  );
}
