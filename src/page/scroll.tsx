/** What is too wide or too high scrolls by itself; so that the keyboard reaches it, it can have the focus. */
import type { ComponentChildren } from 'preact';

interface ScrollParts {
  readonly label: string;
  readonly look?: string;
  readonly children: ComponentChildren;
}

export function Scroll({ label, look = 'wide', children }: ScrollParts) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
    <section class={look} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
