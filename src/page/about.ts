/** What the page was told at its start, in an attribute of its body. */
import type { PageAbout } from '../admin/index.js';

export const ABOUT: PageAbout = JSON.parse(document.body.dataset.about ?? '{}');
