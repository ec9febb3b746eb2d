/** The live page: what the gateway sees and does, as it happens. */
import { render } from 'preact';
import { followLinks } from './address.js';
import { App } from './shell/app.js';
import { followAddress } from './state/calls.js';
import { beginTheme } from './state/said.js';

beginTheme();
followLinks();
followAddress();
document.body.classList.add('live');
render(<App />, document.body);
