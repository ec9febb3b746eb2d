/** Drives a journey without a browser: cookies, redirects and refreshes by hand, and the forms of the bank's SCA page. */
import { CookieJar } from 'tough-cookie';
import { type Form, type Page, readPage, refreshIn } from '../page.js';
import { type Answer, type Ask, callOf, type Sent } from '../request.js';
import type { Driver, Walk, WalkEnd } from './driver.js';

/** Pages and redirects of one walk. */
const MOST_VISITS = 40;

/** `psuOrigin`: where the bank's pages are. */
export function createFollower(ask: Ask, psuOrigin: string): Driver {
  return { walk: (walk) => follow(walk, ask, psuOrigin), close: async () => undefined };
}

async function follow(walk: Walk, ask: Ask, psuOrigin: string): Promise<WalkEnd> {
  const jar = new CookieJar();
  const visit = createVisitor(jar, ask, walk.signal);
  let next: Sent | null = callOf(walk.journey.begin, walk.values);
  let at = next.url;
  let [status, text]: [number | null, string] = [null, ''];
  for (let visits = 0; next !== null; visits++) {
    if (visits === MOST_VISITS)
      return { url: at.href, status, text, problem: `it led on ${MOST_VISITS} times` };
    at = next.url;
    const answer: Answer | string = await visit(next);
    if (typeof answer === 'string') return { url: at.href, status: null, text: '', problem: answer };
    status = answer.status;
    const location = answer.headers.location;
    if (status >= 300 && status < 400 && typeof location === 'string') {
      next = redirected(next, status, location);
      if (next === null)
        return { url: location, status, text: '', problem: `it led to ${location.slice(0, 200)}` };
      continue;
    }
    const page = withHeader(readPage(answer.text), answer);
    text = page.text;
    if (walk.leaves && at.origin === psuOrigin) break;
    // Frames are loaded before the page goes on.
    for (const frame of page.frames) if (URL.canParse(frame, at)) await visitFrame(visit, new URL(frame, at));
    next = wayOn(page, at, walk, psuOrigin);
  }
  return { url: at.href, status, text, problem: null };
}

/** A refresh may stand in a header, too. */
function withHeader(page: Page, { headers: { refresh } }: Answer): Page {
  return page.refresh === null && typeof refresh === 'string'
    ? { ...page, refresh: refreshIn(refresh) }
    : page;
}

async function visitFrame(visit: (sent: Sent) => Promise<Answer | string>, url: URL): Promise<void> {
  let next: Sent | null = { method: 'GET', url };
  for (let visits = 0; next !== null && visits < MOST_VISITS; visits++) {
    const answer: Answer | string = await visit(next);
    if (typeof answer === 'string' || typeof answer.headers.location !== 'string') return;
    next = redirected(next, answer.status, answer.headers.location);
  }
}

function createVisitor(jar: CookieJar, ask: Ask, signal: AbortSignal) {
  return async (sent: Sent): Promise<Answer | string> => {
    const cookie = jar.getCookieStringSync(sent.url.href);
    const headers = { accept: 'text/html,*/*;q=0.8', ...sent.headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await ask({ ...sent, headers }, signal);
    if (typeof answer === 'string') return answer;
    for (const line of [answer.headers['set-cookie'] ?? []].flat())
      jar.setCookieSync(line, sent.url.href, { ignoreError: true });
    return answer;
  };
}

/** null: it leads out of the web, as to an app. */
function redirected({ method, url, headers, body }: Sent, status: number, location: string): Sent | null {
  if (!URL.canParse(location, url)) return null;
  const next = new URL(location, url);
  if (!/^https?:$/.test(next.protocol)) return null;
  const keeps = (status === 307 || status === 308) && body !== undefined;
  return keeps ? { method, url: next, ...(headers && { headers }), body } : { method: 'GET', url: next };
}

/** The next place to which a person would go; null where the journey ends. */
function wayOn(page: Page, at: URL, walk: Walk, psuOrigin: string): Sent | null {
  const get = (href: string): Sent | null =>
    URL.canParse(href, at) ? { method: 'GET', url: new URL(href, at) } : null;
  if (page.refresh !== null) return get(page.refresh);
  if (at.origin === psuOrigin) return atTheBank(page, at, walk) ?? null;
  const toBank = (href: string) => URL.canParse(href, at) && new URL(href, at).origin === psuOrigin;
  const form = page.forms.find(({ action }) => toBank(action));
  if (form !== undefined) return posted(form, at, form.fields);
  const link = page.links.find(toBank);
  return link === undefined ? null : get(link);
}

function atTheBank(page: Page, at: URL, { outcome, psu }: Walk): Sent | undefined {
  const form = page.forms.find(({ fields }) => fields.some(([name]) => name === 'choice'));
  if (form !== undefined) {
    const own = form.fields.filter(([name]) => name === 'sca_token');
    return posted(form, at, [...own, ['step', 'choice'], ['psu', psu.id], ['choice', outcome]]);
  }
  // The information page leads on by its one link.
  const onward = page.links.find(
    (href) => URL.canParse(href, at) && /[?&](?:scenario|error|code)=/.test(href),
  );
  return onward === undefined ? undefined : { method: 'GET', url: new URL(onward, at) };
}

function posted({ action, method }: Form, at: URL, fields: Form['fields']): Sent {
  const url = new URL(action === '' ? at.href : action, at);
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
  if (method !== 'POST') {
    url.search = body;
    return { method: 'GET', url };
  }
  return { method, url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
}
