/** Stands where a view needs the page's program, for browsers that run none. */
import { type Render, renderPage } from './layout.js';

export function renderLiveOnly(title: string): Render {
  return renderPage({
    title,
    place: null,
    children: (
      <p>
        This view needs JavaScript. The API has the same: <a href="/api/openapi.json">its description</a>.
      </p>
    ),
  });
}
