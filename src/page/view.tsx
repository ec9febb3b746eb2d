/** The frame of a view: its title, what is wrong with what it asked for, and what it shows. */
import type { ComponentChildren } from 'preact';
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

interface ActionParts {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  /** Of what it is done to, for who does not see the row. */
  readonly of?: string;
}

export function Action({ onClick, children, of }: ActionParts) {
  return (
    <button type="button" onClick={onClick}>
      {children}
      {of === undefined ? null : <span class="hidden"> {of}</span>}
    </button>
  );
}
