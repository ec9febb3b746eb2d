/** Takes the animated picture of README: a read of accounts breaks, and is mended from the live page. */
import { crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { playBrokenRead, type Stage } from './picture-session.js';

export const FRAME = { width: 1000, height: 640 };

interface Frame {
  readonly png: Buffer;
  readonly ms: number;
}

/** Every frame says by itself what happens, so that the picture needs no text beside it. */
export async function takeAnimation(
  page: Page,
  gateway: Stage & { readonly admin: string },
): Promise<Buffer> {
  const frames: Frame[] = [];
  const take = async (ms: number, caption: string) => {
    await page.evaluate(showCaption, caption);
    frames.push({ png: await page.screenshot({ animations: 'disabled' }), ms });
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const calls = page.getByRole('option');
  const readBroken = await playBrokenRead(gateway);
  await page.goto(gateway.admin);
  await calls.filter({ hasText: 'token' }).first().waitFor();
  await take(1_600, 'The live page: a TPP has a consent, and a token for it.');
  await readBroken();
  const broken = calls.filter({ hasText: 'accounts' }).first();
  await broken.locator('.badge.must').waitFor();
  await page.getByRole('button', { name: /^must\s*1/ }).waitFor();
  await take(2_200, 'It reads the accounts, and gets 400. The row says why, as it happens.');
  await broken.click();
  await button('Send again').waitFor();
  await take(2_600, 'Opened: what was sent, what is wrong with it, and what to send instead.');
  await button('Send again').click();
  const dialog = page.getByRole('dialog', { name: 'Send again' });
  await dialog.getByRole('listitem').first().waitFor();
  await take(2_600, 'Send again has the mend in it: the header is added, and a token is put in.');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('status')
    .getByText(/sent again/)
    .waitFor();
  await page.getByRole('link', { name: 'Open full page' }).click();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByText('The other answer').waitFor();
  await comparison.evaluate((one) => one.scrollIntoView());
  await take(2_600, 'Both answers side by side: 200 now, 400 before.');
  await page.goto(gateway.admin);
  await calls.filter({ hasText: 'accounts' }).nth(1).waitFor();
  await page.getByText('server certificate').waitFor();
  await take(3_000, 'The call is green. Sandgate has recorded both, for tests and for the report.');
  return animate(frames);
}

/** Runs in the page. */
function showCaption(text: string): void {
  const id = 'caption';
  const box = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
  box.id = id;
  box.textContent = text;
  Object.assign(box.style, {
    ...{ position: 'fixed', inset: 'auto 0 0', zIndex: '99', padding: '11px 20px', textAlign: 'center' },
    ...{ background: '#12333c', color: '#fff', font: '600 17px/1.3 system-ui, sans-serif' },
  });
  // A modal dialog is above everything else but what it holds.
  (document.querySelector('dialog[open]') ?? document.body).append(box);
}

const SIGNATURE = 8;
/** Length and type before the content of a chunk, and its checksum after it. */
const [BEFORE, AFTER] = [8, 4];

/** One PNG that shows these for ever, each so many ms; all are of one size and colour type. */
function animate(frames: readonly Frame[]): Buffer {
  const first = frames[0]?.png;
  if (first === undefined) throw new Error('There is no frame.');
  let sequence = 0;
  const parts = [
    first.subarray(0, SIGNATURE),
    chunk('IHDR', contentsOf(first, 'IHDR')),
    chunk('acTL', numbers(frames.length, 0)),
  ];
  for (const [index, { png, ms }] of frames.entries()) {
    const size = [contentsOf(png, 'IHDR').readUInt32BE(0), contentsOf(png, 'IHDR').readUInt32BE(4)];
    const delay = Buffer.from([ms >> 8, ms & 0xff, 1_000 >> 8, 1_000 & 0xff, 0, 0]);
    parts.push(chunk('fcTL', Buffer.concat([numbers(sequence++, ...size, 0, 0), delay])));
    const pixels = contentsOf(png, 'IDAT');
    parts.push(
      index === 0 ? chunk('IDAT', pixels) : chunk('fdAT', Buffer.concat([numbers(sequence++), pixels])),
    );
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

function contentsOf(png: Buffer, type: string): Buffer {
  const found: Buffer[] = [];
  for (let at = SIGNATURE; at < png.length; at += BEFORE + png.readUInt32BE(at) + AFTER)
    if (png.toString('latin1', at + 4, at + BEFORE) === type)
      found.push(png.subarray(at + BEFORE, at + BEFORE + png.readUInt32BE(at)));
  return Buffer.concat(found);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return Buffer.concat([numbers(content.length), named, numbers(crc32(named))]);
}

function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}
