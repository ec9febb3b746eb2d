/** The way to the call before, the one after, and the others of the journey. */
import type { Detail } from '../../admin/index.js';
import { hrefWith } from '../address.js';
import { shortId } from '../format.js';
import { colourOf, filterOf } from '../state/journeys.js';

export function Neighbours({ exchange: { previous, next, resource } }: { exchange: Detail }) {
  const filter = resource === null ? null : filterOf({ resource: resource.id });
  return (
    <p class="neighbours">
      {previous === null ? null : <a href={hrefWith({ open: previous })}>← Previous</a>}
      {next === null ? null : <a href={hrefWith({ open: next })}>Next →</a>}
      {resource === null || filter === null ? null : (
        <a
          class={`lane-${colourOf(resource.id)}`}
          href={hrefWith({ view: 'calls', q: filter })}
          title={resource.id}
        >
          All of {resource.kind} {shortId(resource.id)}
        </a>
      )}
    </p>
  );
}
