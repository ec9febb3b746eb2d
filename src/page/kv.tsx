/** A term and what it means here, in a list of such. */
import type { ComponentChildren } from 'preact';

export function Row({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
