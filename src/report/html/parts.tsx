/** Small components shared by the sections of a page. */
import type { ComponentChildren } from 'preact';
import { plural } from '../../spec/index.js';
import { stamp, visible } from './text.js';

type Children = { readonly children?: ComponentChildren };

export function Section(parts: Children & { id: string; title: string; lead?: ComponentChildren }) {
  const { id, title, lead, children } = parts;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/**
 * Takes what may be wider than the screen. It is reached by keyboard, because else nobody without a mouse could move
 * it; a group and no region, because there are too many of them for a list of landmarks.
 */
export function Wide({ label, children }: Children & { label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and there are none.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard.
    <div class="wide" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

export const MARKS = { must: '■', should: '◆', note: '○' } as const;

/** The severity shows by word and shape; colour only repeats it. */
export function Severity({ severity, waived = false }: { severity: keyof typeof MARKS; waived?: boolean }) {
  return (
    <span class={`badge ${waived ? 'waived' : severity}`}>
      <span aria-hidden="true">{MARKS[severity]} </span>
      {severity}
      {waived ? ', waived' : ''}
    </span>
  );
}

/** The script filters by this: severity and side of each finding, `w` for a waived one. */
export function filterMarks(
  marks: readonly { severity: string; judges: string; waived?: boolean }[],
): string {
  return [
    ...new Set(
      marks.map(({ severity, judges, waived }) => `${severity}.${judges}${waived === true ? '.w' : ''}`),
    ),
  ].join(' ');
}

/** Recorded text: isolated, so that it cannot reorder what stands around it, and nothing in it is hidden. */
export function Recorded({ text }: { text: string }) {
  return <bdi class="mono">{visible(text)}</bdi>;
}

export function Name({ children }: Children) {
  return <code>{children}</code>;
}

export function Time({ at }: { at: string }) {
  return (
    <time class="num" dateTime={at}>
      {stamp(at)}
    </time>
  );
}

/** Followed only if it leads to the web. */
export function WebLink({ to, children }: Children & { to: string | null }) {
  return to !== null && /^https?:\/\//i.test(to) ? <a href={to}>{children}</a> : children;
}

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts, wide = false }: { facts: readonly Fact[]; wide?: boolean }) {
  return (
    <dl class={wide ? 'facts broad' : 'facts'}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type PictureParts = Record<'id' | 'title' | 'description', string> & Record<'width' | 'height', number>;

/** `isFixed`: it is not drawn larger than this. */
export function Picture(parts: Children & PictureParts & { isFixed?: true }) {
  const { id, title, description, width, height, isFixed = false, children } = parts;
  const own = isFixed ? { width, height } : {};
  return (
    <svg
      class={isFixed ? 'small picture' : 'picture'}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby={`${id}-t ${id}-d`}
      {...own}
    >
      <title id={`${id}-t`}>{title}</title>
      <desc id={`${id}-d`}>{description}</desc>
      {children}
    </svg>
  );
}

export function Nothing({ children }: Children) {
  return <p class="nothing">{children}</p>;
}

/** Says what is missing where it is missing; `what` in the singular. */
export function Omitted({ count, what, many }: { count: number; what: string; many?: string }) {
  return count === 0 ? null : (
    <p class="omitted">
      {count} more {plural(count, what, many)} {plural(count, 'is', 'are')} not listed here; all are counted
      above, and in the recording.
    </p>
  );
}
