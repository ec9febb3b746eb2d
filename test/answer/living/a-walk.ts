/** A PSU's browser before the living bank, for the tests of this folder: it opens addresses, and sends the forms it is shown. */
import { createLivingBank } from '../../../src/answer/index.js';
import { applyBankChanges, type BankState } from '../../../src/bank/index.js';
import { type Answer, type Call, openCall } from '../../../src/exchange/index.js';
import { createLedger } from '../../../src/ledger/index.js';
import { dialectOf } from '../../../src/spec/index.js';
import { NOON, type OwnBooks, TPP } from '../../bank/a-bank.js';
import { aCall, fingerprint } from '../../builders.js';
import { API, aContext, anEmulator, DATA, PSU } from '../an-emulator.js';

export const CALLBACK = 'https://tpp.example/cb';
export const AUTHORIZE = '/stdgroup/authorization/authorize/authorisation-1';

export interface Shown {
  readonly answer: Answer;
  readonly status: number;
  readonly html: string;
  /** The text that people read. */
  readonly text: string;
  readonly heading: string;
  readonly problem: string | null;
  /** The address of a redirect. */
  readonly location: string;
}

export interface Walk {
  readonly state: BankState;
  readonly visit: (path: string) => Shown;
  readonly open: (more?: Record<string, string>, authorize?: string) => Shown;
  /** Sends the form that has such a button, with what stands in it and what is filled in. */
  readonly press: (page: Shown, button: string, filled?: Record<string, string | readonly string[]>) => Shown;
  /** Where a link of a page leads. */
  readonly href: (page: Shown, link: string) => string;
  /** Follows it. */
  readonly follow: (page: Shown, link: string) => Shown;
  readonly move: (ms: number) => void;
  readonly status: () => string | undefined;
}

export function requestQuery(more: Record<string, string> = {}): string {
  return new URLSearchParams({
    scope: 'AIS:consent-1',
    client_id: TPP,
    state: 'S8NJ7uqk5fY4EjNvP_G',
    redirect_uri: CALLBACK,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    response_type: 'code',
    ...more,
  }).toString();
}

export function aWalk({ state, population }: OwnBooks): Walk {
  let now = NOON;
  let tokens = 0;
  const bank = createLivingBank({
    sandbox: anEmulator(),
    population,
    data: DATA,
    urls: () => ({ api: API, psu: PSU }),
    scaLink: () => 'discovery',
    dialect: dialectOf(),
    ids: { token: () => (++tokens).toString(16).padStart(96, '0'), authorisation: () => 'unused' },
    fingerprint,
    onNotification: () => null,
    notifies: () => false,
    scaLinkMs: 1_200_000,
  });

  let calls = 0;

  function ask(call: Call): Shown {
    const { answer, changes = [] } = bank.answer(
      call,
      aContext({ bank: state, now, ledger: createLedger() }),
    );
    applyBankChanges(state, changes);
    return shown(answer);
  }

  function send(method: string, target: string, body: string | null): Shown {
    calls += 1;
    const base = aCall({ id: `call-${calls}`, operation: 'oauth.authorize', at: now });
    const call = openCall(
      {
        ...{ id: base.id, session: base.session, at: now, listener: 'psu', connection: base.connection },
        ...{ certificate: 'absent', method, target },
        headers: body === null ? [] : [['Content-Type', 'application/x-www-form-urlencoded']],
        body: body === null ? null : { text: body, size: body.length },
      },
      dialectOf().recognise(method, target.split('?')[0] ?? ''),
    );
    return ask(call.with({ allow: undefined, nearest: undefined }));
  }

  return {
    state,
    visit: (path) => send('GET', path, null),
    open: (more, authorize = AUTHORIZE) => send('GET', `${authorize}?${requestQuery(more)}`, null),
    press: (page, button, filled = {}) => {
      const form = formWith(page.html, button);
      const fields = new URLSearchParams(form.fields.map(([name, value]) => [name, value]));
      for (const [name, value] of Object.entries(filled)) {
        fields.delete(name);
        for (const one of [value].flat()) fields.append(name, one);
      }
      return send('POST', form.action, fields.toString());
    },
    href,
    follow: (page, link) => send('GET', href(page, link), null),
    move: (ms) => {
      now += ms;
    },
    status: () => state.bankAuthorisations.get('authorisation-1')?.status,
  };
}

function href({ html }: Shown, link: string): string {
  const found = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${link}</a>`).exec(html)?.[1];
  if (found === undefined) throw new Error(`no link ${link}`);
  return unescaped(found);
}

function shown(answer: Answer): Shown {
  const html = answer.body?.text ?? '';
  const main = html.slice(html.indexOf('<main>'));
  const textOf = (markup: string) => unescaped(markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).trim();
  const first = (pattern: RegExp) => pattern.exec(main)?.[1];
  return {
    answer,
    status: answer.status,
    html,
    text: textOf(main),
    heading: textOf(first(/<h1>(.*?)<\/h1>/s) ?? ''),
    problem:
      first(/role="alert">(.*?)<\/p>/s) === undefined
        ? null
        : textOf(first(/role="alert">(.*?)<\/p>/s) ?? ''),
    location: answer.header.location ?? '',
  };
}

function formWith(html: string, button: string) {
  for (const [, action = '', body = ''] of html.matchAll(
    /<form method="post" action="([^"]*)">(.*?)<\/form>/gs,
  )) {
    const pressed = new RegExp(`<button[^>]*name="(\\w+)" value="(\\w+)"[^>]*>${button}</button>`).exec(body);
    if (pressed === null) continue;
    const fields: [string, string][] = [[pressed[1] ?? '', pressed[2] ?? '']];
    for (const [tag] of body.matchAll(/<input[^>]*>/g)) {
      const of = (name: string) => unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
      if (!/type="(?:checkbox|radio)"/.test(tag) || tag.includes(' checked'))
        fields.push([of('name'), of('value')]);
    }
    return { action: unescaped(action), fields };
  }
  throw new Error(`no form with the button ${button}`);
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
