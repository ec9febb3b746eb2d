/** The frame of a view: its title, what is wrong with what it asked for, and what it shows. */
import type { ComponentChildren } from 'preact';
import { ABOUT } from './about.js';
import type { Asked } from './ask.js';

interface PartParts<T> {
  readonly asked: Asked<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** What was asked of the API, once it is there. */
export function Part<T>({ asked: { value, problem }, children }: PartParts<T>) {
  if (problem !== null) return <p class="problem">{problem}</p>;
  return <>{value === undefined ? <p class="soft">Loading…</p> : children(value)}</>;
}

/** A button that changes something; where nothing can be changed there is none. */
interface ActionParts {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  /** Of what it is done to, for who does not see the row. */
  readonly of?: string;
}

export function Action({ onClick, children, of }: ActionParts) {
  if (!ABOUT.actions) return null;
  return (
    <button type="button" onClick={onClick}>
      {children}
      {of === undefined ? null : <span class="hidden"> {of}</span>}
    </button>
  );
}

interface ActionFormParts {
  /** On its button. */
  readonly verb: string;
  readonly onSend: (form: FormData) => unknown;
  readonly children: ComponentChildren;
}

/** Fields in a line, and the button that does something with them. */
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

/** What is filled in, of the fields with these names. */
export const filledIn = (form: FormData, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names
      .map((name) => [name, String(form.get(name) ?? '').trim()] as const)
      .filter(([, value]) => value !== ''),
  );
