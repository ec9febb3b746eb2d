/** An empty list says how to make the first call, or how to see more. */
import { address, go, hrefWith } from '../address.js';
import { act } from '../api.js';
import { doing } from '../state/said.js';
import { range, select } from '../state/timeline.js';
import { ABOUT, Action, Copy, Scroll } from '../view.js';

export function NoCalls() {
  const { q } = address.value;
  if (range.value !== null)
    return (
      <p class="end">
        No call{' '}
        {q === '' ? (
          'came in this range'
        ) : (
          <>
            in this range matches <code>{q}</code>
          </>
        )}
        .{' '}
        <button type="button" onClick={() => select(null)}>
          Show the whole session
        </button>
      </p>
    );
  if (q === '') return <FirstCalls />;
  return (
    <p class="end">
      No call matches <code>{q}</code>.{' '}
      <button type="button" onClick={() => go({ q: '' })}>
        Clear the filter
      </button>
    </p>
  );
}

async function makeJourney(): Promise<void> {
  const made = await doing(
    () => act<{ exchanges: readonly string[] }>('POST', '/api/journeys'),
    ({ exchanges }) => `A journey of ${exchanges.length} calls was made: this is its last.`,
  );
  const last = made?.exchanges.at(-1);
  if (last !== undefined) go({ open: last });
}

function FirstCalls() {
  const { urls, first } = ABOUT;
  return (
    <div class="first">
      <h2>No call yet</h2>
      <p>
        TPPs call <code>{urls.api}</code>. Each call is shown here when it ends.
      </p>
      {first.canMakeJourney ? (
        <p>
          <Action look="go" onClick={() => void makeJourney()}>
            Make a first journey
          </Action>{' '}
          <span class="soft">Sandgate creates a consent, lets its PSU agree, and reads the accounts.</span>
        </p>
      ) : null}
      {first.lines.map(([does, line]) => (
        <section key={does} aria-label={does}>
          <h3>
            {does} <Copy name={does} text={line} />
          </h3>
          <Scroll label={`Command line: ${does}`} look="body">
            <pre>{line}</pre>
          </Scroll>
        </section>
      ))}
      <p>
        The certificates are in <code>{first.certificates}</code>: trust <code>ca.pem</code>, and present{' '}
        <code>tpp.pem</code> with <code>tpp.key</code>.{' '}
        <a href={hrefWith({ view: 'certificates' })}>All certificates</a>
      </p>
    </div>
  );
}
