/** Takes the pictures of the documentation from the program as it is, after a build: `npx tsx scripts/pictures.ts`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { ensureCertificates, loadConfig, startSandgate, systemParts } from '../src/app/index.js';
import { FRAME, takeAnimation } from './animation.js';
import { playSession } from './picture-session.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');
/** The pictures show one day, whenever they are taken. */
const LIVE = { width: 1440, height: 780 };
const DAY = Date.UTC(2026, 5, 15, 8, 0, 0);

async function takePictures(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandgate-pictures-'));
  const browser = await playwright.launch({
    args: chromium.args.filter((arg) => arg !== '--single-process'),
    executablePath: await chromium.executablePath(),
    headless: true,
  });
  const shoot = async (
    name: string,
    options: BrowserContextOptions,
    open: (page: Page) => Promise<unknown>,
  ) => {
    const context = await browser.newContext({ colorScheme: 'light', ...options });
    const page = await context.newPage();
    await open(page);
    await page.screenshot({ path: join(IMAGES, name) });
    await context.close();
  };
  try {
    mkdirSync(IMAGES, { recursive: true });
    const gateway = await openGateway(folder, join(folder, 'sandgate.db'));
    await playSession(gateway);
    for (const colorScheme of ['light', 'dark'] as const)
      await shoot(`live-${colorScheme}.png`, { viewport: LIVE, colorScheme }, async (one) => {
        await one.goto(gateway.admin);
        await one.locator('.row:has(.badge.must)', { hasText: 'payments' }).first().click();
        await one.locator('.detail').waitFor();
      });
    await gateway.close();
    const mended = await openGateway(folder, ':memory:');
    const context = await browser.newContext({ viewport: FRAME, colorScheme: 'light' });
    writeFileSync(join(IMAGES, 'mend.png'), await takeAnimation(await context.newPage(), mended));
    await context.close();
    await mended.close();
    const bank = await openGateway(folder, ':memory:');
    await shoot('sca-page.png', { viewport: { width: 860, height: 780 }, ignoreHTTPSErrors: true }, (one) =>
      one.goto(authorizePage(bank)),
    );
    await bank.close();
    const store = ['--store', join(folder, 'sandgate.db')];
    const report = made(join(folder, 'report.html'), [
      'report',
      'integration-june',
      '--profile',
      'production',
      ...store,
    ]);
    await shoot('report.png', { viewport: { width: 1280, height: 1000 } }, (one) => one.goto(report));
    const plan = 'examples/rehearsal/imports-twice.json';
    const certs = ['--certs', join(folder, 'certs-of-today')];
    const grid = made(join(folder, 'grid.html'), ['rehearse', plan, ...certs], 1);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 400])
        await shoot(
          `rehearsal-${width}-${colorScheme}.png`,
          { viewport: { width, height: 1000 }, colorScheme },
          (one) => one.goto(grid),
        );
  } finally {
    await browser.close();
    if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(folder);
  }
}

async function openGateway(folder: string, store: string) {
  let now = DAY;
  const certs = join(folder, 'certs');
  await ensureCertificates(certs, DAY);
  const { config } = loadConfig({
    file: null,
    flags: {
      listen: '127.0.0.1:0',
      psuListen: '127.0.0.1:0',
      adminListen: '127.0.0.1:0',
      store,
      session: 'integration-june',
      stance: 'observe',
      certs,
    },
  });
  const app = await startSandgate(
    config,
    systemParts(
      'error',
      (line) => console.error(line),
      () => now,
    ),
  );
  return {
    ...app.urls,
    certs,
    now: () => now,
    move: (ms: number) => {
      now += ms;
    },
    close: app.close,
  };
}

/** Where a browser authorises the sandbox's payment. */
function authorizePage({ psu }: { psu: string }): string {
  const query = new URLSearchParams({
    scope: 'PIS:PAYMENT_ID_RCVD_SCT',
    client_id: 'VALID_CLIENT_ID',
    state: 'S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw',
    redirect_uri: 'https://tpp.example/back',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    response_type: 'code',
  });
  return `${psu}/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111?${query}`;
}

/** By the command, as a user makes it. */
function made(out: string, args: readonly string[], wanted = 0): string {
  const main = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, 'src/cli/main.ts')];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...main, ...args, '--format', 'html', '--out', out],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== wanted) throw new Error(`${out} was not made: ${stderr}`);
  return pathToFileURL(out).href;
}

await takePictures();
