/** A term and what it means here, in a list of such. */
import type { ComponentChildren } from 'preact';

interface RowParts {
  readonly term: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Row({ term, children }: RowParts) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
