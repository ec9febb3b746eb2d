/** The parts of views: loaded data, actions, lists of terms, tables that scroll. */
import type { ComponentChildren } from 'preact';
import type { PageAbout } from '../admin/index.js';
import type { Asked } from './api.js';
import { shortId } from './format.js';
import { certificates } from './state/in-force.js';
import { doing } from './state/said.js';

/** The document hands this over in an attribute of its body. */
export const ABOUT: PageAbout = JSON.parse(document.body.dataset.about ?? '{}');

export function Part<T>(parts: { asked: Asked<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem } = parts.asked;
  if (problem !== null) return <p class="problem">{problem}</p>;
  return <>{value === undefined ? <p class="soft">Loading…</p> : parts.children(value)}</>;
}

/** A button that changes something; where nothing can be changed there is none. */
export function Action(parts: {
  onClick: () => void;
  children: ComponentChildren;
  of?: string;
  look?: string;
}) {
  const { onClick, children, of, look } = parts;
  if (!ABOUT.actions) return null;
  return (
    <button type="button" class={look} onClick={onClick}>
      {children}
      {of === undefined ? null : <span class="hidden"> {of}</span>}
    </button>
  );
}

/** `text` may still have to be asked for. */
export const copy = (name: string, text: string | Promise<string>): void =>
  void doing(async () => navigator.clipboard.writeText(await text), `${name} is copied.`);

export function Copy({ name, text }: { name: string; text: string }) {
  return (
    <button type="button" onClick={() => copy(name, text)}>
      Copy<span class="hidden"> {name}</span>
    </button>
  );
}

interface ActionFormParts {
  readonly verb: string;
  readonly onSend: (form: FormData) => unknown;
  readonly children: ComponentChildren;
}

export function ActionForm({ verb, onSend, children }: ActionFormParts) {
  if (!ABOUT.actions) return null;
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(new FormData(event.currentTarget));
      }}
    >
      {children}
      <button type="submit">{verb}</button>
    </form>
  );
}

export const filledIn = (form: FormData, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => [name, String(form.get(name) ?? '').trim()] as const)
      .filter(([, value]) => value !== ''),
  );

/** A longer one is the fingerprint of a certificate that has no id. */
const LONG_ID = 40;

/** A TPP by its name, where a certificate gave one, and by its id. */
export const Tpp = ({ id }: { id: string }) => (
  <span>
    {certificates.value.find(({ tpp }) => tpp === id)?.organisation}{' '}
    <span class="mono soft id" title={id}>
      {id.length > LONG_ID ? shortId(id) : id}
    </span>
  </span>
);

export function Row({ term, children }: { term: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Scroll(parts: { label: string; look?: string; children: ComponentChildren }) {
  const { label, look = 'wide', children } = parts;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard.
    <section class={look} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** Title, what stands there, and the class of the cells; the first heads its row. */
export type Column<T> = readonly [title: string, cell: (row: T) => ComponentChildren, look?: string];

interface TableParts<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly nothing: string;
}

export function Table<T>({ label, rows, keyOf, columns, nothing }: TableParts<T>) {
  if (rows.length === 0) return <p class="soft">{nothing}</p>;
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(([title, , look]) => (
              <th key={title} scope="col" class={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([title, cell, look], i) =>
                i === 0 ? (
                  <th key={title} scope="row" class={look}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={look} data-title={title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface AskedTableParts<T> extends Omit<TableParts<T>, 'rows'> {
  readonly asked: Asked<readonly T[]>;
  readonly chosen?: (all: readonly T[]) => readonly T[];
}

export function AskedTable<T>({ asked, chosen = (all) => all, ...table }: AskedTableParts<T>) {
  return <Part asked={asked}>{(all) => <Table {...table} rows={chosen(all)} />}</Part>;
}
