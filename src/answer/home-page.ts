/** The page at `/` of the PSU listener: what it is; on the machine itself, where the other listeners are, too. */
import type { Call } from '../exchange/index.js';
import { isLoopbackAddress } from '../spec/index.js';
import type { LinksParts } from './emulator/links.js';
import { html } from './html.js';
import type { Page } from './page.js';

interface HomeParts {
  readonly bank: string;
  readonly urls: LinksParts['urls'];
  /** The page of a PSU's consents and payments; null for a bank without memory. */
  readonly access: { readonly path: string; readonly title: string } | null;
}

export function homePage(call: Call, { bank, urls, access }: HomeParts): Page {
  const { api, admin } = urls();
  const isNear = isLoopbackAddress(call.connection.address);
  const main = html`<h1>${bank}</h1>
<p>Customers of this sandbox bank log in here. An application that wants to read an account, or to pay from it, sends them here to agree.</p>
${access === null ? '' : html`<p><a class="button" href="${access.path}">${access.title}</a></p>`}
<p class="soft">This address is for browsers. Applications call the interface at another one.</p>
${isNear ? html`<p class="soft">TPPs call <code>${api}</code>, with a certificate.</p>` : ''}
${isNear && admin !== undefined ? html`<p class="soft">The live page shows the calls: <a href="${admin}">${admin}</a></p>` : ''}`;
  return { title: bank, main, bank };
}
