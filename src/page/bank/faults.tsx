/** The faults that calls meet: those in force, and one more. */
import type { ShownFault } from '../../admin/index.js';
import { act, type Method, useGet } from '../api.js';
import { doing } from '../state/said.js';
import { Action, ActionForm, AskedTable, filledIn, Part } from '../view.js';

type Kind = { readonly kind: string; readonly takes: readonly string[]; readonly says: string };

export function Faults() {
  const asked = useGet<readonly ShownFault[]>('/api/faults');
  const kinds = useGet<readonly Kind[]>('/api/faults/kinds');
  const change = async (method: Method, path: string, done: string, row?: object) => {
    await doing(() => act(method, path, row ?? {}), done);
    asked.again();
  };
  const add = (form: FormData) => {
    const {
      id = '',
      where = '',
      kind = '',
      parameters = '',
      count,
    } = filledIn(form, [...['id', 'where', 'kind'], ...['parameters', 'count']]);
    const row = {
      ...{ id, where, do: { kind, ...readParameters(parameters) } },
      ...(count === undefined ? {} : { count: Number(count) }),
    };
    return change('POST', '/api/faults', `Calls meet the fault ${id} from now on.`, row);
  };
  return (
    <section>
      <h2>Faults</h2>
      <AskedTable
        asked={asked}
        label="Faults"
        keyOf={({ id }) => id}
        nothing="No faults: calls meet fair weather."
        columns={[
          ['Fault', ({ id }) => id],
          ['Does', ({ do: what }) => doesText(what), 'mono'],
          ['Where', ({ where }) => where || 'all calls', 'mono'],
          ['Met', ({ times, count }) => (count === undefined ? times : `${times} of ${count}`), 'num'],
          [
            '',
            ({ id }) => (
              <Action
                of={id}
                onClick={() =>
                  change('DELETE', `/api/faults/${encodeURIComponent(id)}`, `The fault ${id} was removed.`)
                }
              >
                Remove
              </Action>
            ),
            'acts-cell',
          ],
        ]}
      />
      <ActionForm verb="Add" onSend={add}>
        <label>
          Name <input name="id" required size={14} autocomplete="off" placeholder="slow-balances" />
        </label>
        <Part asked={kinds}>
          {(all) => (
            <label>
              Kind{' '}
              <select name="kind">
                {all.map(({ kind, takes, says }) => (
                  <option key={kind} value={kind} title={says}>
                    {[kind, ...takes].join(' ')}
                  </option>
                ))}
              </select>
            </label>
          )}
        </Part>
        <label>
          Parameters <input name="parameters" size={16} autocomplete="off" placeholder="ms=500" />
        </label>
        <label>
          Where <input name="where" size={24} autocomplete="off" placeholder="operation:accounts.*" />
        </label>
        <label>
          Times <input name="count" type="number" min={1} size={4} placeholder="all" />
        </label>
      </ActionForm>
    </section>
  );
}

function doesText({ kind, ...parameters }: ShownFault['do']): string {
  return [kind, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** `ms=500 form=html`; a number is one. */
function readParameters(text: string): Record<string, string | number> {
  const pairs = text.split(/\s+/).filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name, value !== '' && Number.isFinite(Number(value)) ? Number(value) : value];
    }),
  );
}
