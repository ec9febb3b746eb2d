/** The views. */
import { address, hrefWith, VIEWS, type View } from '../address.js';

export function Nav() {
  const { view } = address.value;
  return (
    <nav aria-label="Views">
      {(Object.keys(VIEWS) as View[]).map((name) => {
        const isHere = view === name || (view === 'exchange' && name === 'calls');
        return (
          <a
            key={name}
            href={hrefWith({ view: name, open: null })}
            aria-current={isHere ? 'page' : undefined}
          >
            {VIEWS[name].name}
          </a>
        );
      })}
    </nav>
  );
}
