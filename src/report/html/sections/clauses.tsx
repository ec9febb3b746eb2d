/** The sources of a rule, with an example that complies and one that violates. */
import type { FindingGroup } from '../../model.js';
import { MaybeLink, Name } from '../parts.js';
import { visible, webAddress } from '../text.js';

export function Clauses({ group: { clauses, sources } }: { group: FindingGroup }) {
  return (
    <>
      {clauses.map(({ id, section, text, link }) => (
        <figure class="clause" key={id}>
          <blockquote>
            <p>{text}</p>
          </blockquote>
          <figcaption>
            Specification, <MaybeLink href={webAddress(link)}>{section}</MaybeLink> <Name>{id}</Name>
          </figcaption>
        </figure>
      ))}
      {sources.length === 0 ? null : (
        <p class="sources">
          {clauses.length === 0 ? 'Source: ' : 'See also: '}
          {sources.map(({ tag, title, place, link }, i) => (
            <span key={`${tag} ${place}`}>
              {i > 0 ? '; ' : ''}
              <MaybeLink href={webAddress(link)}>{title}</MaybeLink>
              {place === null ? '' : `, ${place}`}
            </span>
          ))}
          .
        </p>
      )}
    </>
  );
}

const EXAMPLES = [
  ['complies', '✓ ', 'Complies'],
  ['violates', '✕ ', 'Violates'],
] as const;

export function Examples({ examples }: { examples: FindingGroup['examples'] }) {
  return (
    <dl class="examples">
      {EXAMPLES.map(([name, sign, word]) => (
        <div key={name}>
          <dt>
            <span aria-hidden="true">{sign}</span>
            {word}
          </dt>
          <dd>
            <code>{visible(examples[name])}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
