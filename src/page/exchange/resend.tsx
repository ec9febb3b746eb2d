/** Sends a call again, mended and edited, with a certificate that is chosen. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Detail, Mended, ResendWanted } from '../../admin/index.js';
import { go } from '../address.js';
import { act, useGet } from '../api.js';
import { counted } from '../format.js';
import { Dialog } from '../shell/dialog.js';
import { showNewest } from '../state/calls.js';
import { certificates } from '../state/in-force.js';
import { doing } from '../state/said.js';
import { Part } from '../view.js';

const AS_RECORDED = '';
const NONE = '-';
const FINGERPRINT = /\bfp_/;

/** The newest call that was sent from here, and the one that it came from. */
export const resent = signal<{ readonly id: string; readonly from: string } | null>(null);

const pathOf = (id: string): string => `/api/exchanges/${encodeURIComponent(id)}`;

export function ResendDialog({ exchange }: { readonly exchange: Detail }) {
  const { findings, refusal } = exchange;
  const advice = refusal ?? findings[0]?.fix;
  const mend = useGet<Mended>(`${pathOf(exchange.id)}/mend`);
  const [isMended, setMended] = useState(true);
  const send = async (form: FormData) => {
    const recorded = mend.value?.recorded;
    if (recorded === undefined) return;
    const sent = await doing(
      () => act<{ exchange: string }>('POST', `${pathOf(exchange.id)}/resend`, wantedOf(form, recorded)),
      'It was sent again: this is the new call.',
    );
    if (sent === undefined) return;
    resent.value = { id: sent.exchange, from: exchange.id };
    showNewest();
    go({ open: sent.exchange });
  };
  return (
    <Dialog title="Send again" verb="Send" onSend={send}>
      {advice === undefined ? null : <p>{advice}</p>}
      <p class="soft">Through the gateway’s own listener: it is judged, answered and recorded as any call.</p>
      <Part asked={mend}>
        {(mended) => (
          <>
            <Changes mended={mended} isMended={isMended} onToggle={() => setMended(!isMended)} />
            <Fields
              key={isMended}
              request={isMended ? mended : mended.recorded}
              open={mended.open[0]?.part}
            />
          </>
        )}
      </Part>
    </Dialog>
  );
}

type Request = Mended['recorded'];

interface ChangesParts {
  readonly mended: Mended;
  readonly isMended: boolean;
  readonly onToggle: () => void;
}

function Changes({ mended: { changes, open }, isMended, onToggle }: ChangesParts) {
  return (
    <>
      {changes.length === 0 ? null : (
        <>
          <label class="check">
            <input type="checkbox" checked={isMended} onChange={onToggle} /> Mended in{' '}
            {counted(changes.length, 'place')}
          </label>
          <ul class="mends" aria-label="What was changed">
            {changes.map(({ place, was, now, note }) => (
              <li key={place}>
                <span class="mono">{place}</span>{' '}
                {was === null ? null : <del class="mono">{was === '' ? 'empty' : was}</del>}{' '}
                {now === null ? 'taken away' : <ins class="mono">{now}</ins>}
                {note === null ? null : <span class="soft"> {note}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {open.length === 0 ? null : (
        <ul class="mends" aria-label="Left to you">
          {open.map(({ rule, sentence, note }) => (
            <li key={rule}>
              <span class="badge should">yours</span> {sentence}
              {note === null ? null : <span class="soft"> {note}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The field in which a part of the request is edited. */
const FIELD_OF: Readonly<Partial<Record<Mended['open'][number]['part'], string>>> = {
  certificate: 'certificate',
  method: 'method',
  path: 'target',
  query: 'target',
  header: 'headers',
  body: 'body',
};

interface FieldsParts {
  readonly request: Request;
  /** The part that is left to the user gets the focus. */
  readonly open: Mended['open'][number]['part'] | undefined;
}

function Fields({ request: { certificate, method, target, headers, body }, open }: FieldsParts) {
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = FIELD_OF[open ?? 'whole'];
    const field = name === undefined ? null : box.current?.querySelector(`[name=${name}]`);
    // The changes stand above it, and stay in sight.
    if (field instanceof HTMLElement) field.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={box}>
      {FINGERPRINT.test(`${lines} ${body}`) ? (
        <p class="hint">
          What begins with <code>fp_</code> is the fingerprint of a secret: put the token or code itself
          there.
        </p>
      ) : null}
      {lines.includes('{token}') ? (
        <p class="soft">
          The gateway puts the token in as it sends the call. To issue one, the emulator lets the PSU agree to
          a consent that still waits.
        </p>
      ) : null}
      <div class="fields">
        <label>
          Certificate
          <select name="certificate">
            <option value={AS_RECORDED}>as recorded</option>
            <option value={NONE}>none</option>
            <CertificateOptions chosen={certificate} />
          </select>
        </label>
        <label>
          Method
          <input name="method" required maxLength={20} value={method} />
        </label>
      </div>
      <label>
        Path and query
        <input name="target" class="mono" required value={target} />
      </label>
      <label>
        Headers
        <textarea name="headers" class="mono" rows={8} value={lines} />
      </label>
      <label>
        Body
        <textarea name="body" class="mono" rows={10} value={body ?? ''} />
      </label>
    </div>
  );
}

/** A component of its own: when certificates change, the edited fields stay. The chosen one is sent before others are known. */
function CertificateOptions({ chosen }: { readonly chosen: string | null }) {
  const sendable = certificates.value.filter(({ canResend, name }) => canResend && name !== null);
  const isKnown = chosen === null || sendable.some(({ name }) => name === chosen);
  return (
    <>
      {isKnown ? null : <option selected>{chosen}</option>}
      {sendable.map(({ name, flaw }) => (
        <option key={name} value={name ?? ''} selected={name === chosen}>
          {flaw === null ? name : `${name}: ${flaw}`}
        </option>
      ))}
    </>
  );
}

/** Members of the form that differ from the recorded call. */
function wantedOf(form: FormData, recorded: Request): ResendWanted {
  const text = (name: string) => String(form.get(name) ?? '');
  const certificate = text('certificate');
  return {
    ...(certificate === AS_RECORDED ? {} : { certificate: certificate === NONE ? null : certificate }),
    ...(text('method') === recorded.method ? {} : { method: text('method') }),
    ...(text('target') === recorded.target ? {} : { target: text('target') }),
    headers: changedHeaders(recorded.headers, text('headers')),
    ...(sameText(text('body'), recorded.body ?? '') ? {} : { body: text('body') || null }),
  };
}

/** A form sends line breaks as CRLF. */
const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');

function changedHeaders(before: Request['headers'], text: string): Record<string, string | null> {
  const lines = text
    .split(/\r?\n/)
    .map(
      (line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()] as const,
    )
    .filter(([name]) => name !== '');
  const after = new Map(lines.map(([name, value]) => [name.toLowerCase(), value]));
  const changed: Record<string, string | null> = {};
  for (const [name] of before) if (!after.has(name.toLowerCase())) changed[name] = null;
  for (const [name, value] of lines) {
    const known = before.find(([one]) => one.toLowerCase() === name.toLowerCase());
    if (known?.[1] !== value) changed[name] = value;
  }
  return changed;
}
