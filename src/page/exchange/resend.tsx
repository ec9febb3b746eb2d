/** Sends a call again, edited, with a certificate that is chosen. */
import type { Detail, ResendWanted } from '../../admin/index.js';
import { go } from '../address.js';
import { act } from '../api.js';
import { Dialog } from '../shell/dialog.js';
import { showNewest } from '../state/calls.js';
import { certificates } from '../state/in-force.js';
import { doing } from '../state/said.js';

const AS_RECORDED = '';
const NONE = '-';
const FINGERPRINT = /\bfp_/;

export function ResendDialog({ exchange }: { readonly exchange: Detail }) {
  const { findings, refusal } = exchange;
  const advice = refusal ?? findings[0]?.fix;
  const { request } = exchange.call;
  const target = request.target.replace(/^https?:\/\/[^/]*/i, '');
  const headers = request.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  const body = request.body?.base64 === true ? null : (request.body?.text ?? '');
  const send = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const wanted: ResendWanted = {
      ...certificateOf(text('certificate')),
      ...(text('method') === request.method ? {} : { method: text('method') }),
      ...(text('target') === target ? {} : { target: text('target') }),
      headers: changedHeaders(request.headers, text('headers')),
      // A form sends line breaks as CRLF.
      ...(body === null || sameText(text('body'), body) ? {} : { body: text('body') }),
    };
    const sent = await doing(
      () =>
        act<{ exchange: string }>('POST', `/api/exchanges/${encodeURIComponent(exchange.id)}/resend`, wanted),
      'It was sent again: this is the new call.',
    );
    if (sent === undefined) return;
    showNewest();
    go({ open: sent.exchange });
  };
  return (
    <Dialog title="Send again" verb="Send" onSend={send}>
      {advice === undefined ? null : <p>{advice}</p>}
      <p class="soft">Through the gateway’s own listener: it is judged, answered and recorded as any call.</p>
      {FINGERPRINT.test(`${headers} ${body}`) ? (
        <p class="hint">
          What begins with <code>fp_</code> is the fingerprint of a secret: put the token or code itself
          there.
        </p>
      ) : null}
      <div class="fields">
        <label>
          Certificate
          <select name="certificate">
            <option value={AS_RECORDED}>as recorded</option>
            <option value={NONE}>none</option>
            <CertificateOptions />
          </select>
        </label>
        <label>
          Method
          <input name="method" required maxLength={20} value={request.method} />
        </label>
      </div>
      <label>
        Path and query
        <input name="target" class="mono" required value={target} />
      </label>
      <label>
        Headers
        <textarea name="headers" class="mono" rows={8} value={headers} />
      </label>
      {body === null ? null : (
        <label>
          Body
          <textarea name="body" class="mono" rows={10} value={body} />
        </label>
      )}
    </Dialog>
  );
}

/** A component of its own: when certificates change, the edited fields stay. */
function CertificateOptions() {
  return (
    <>
      {certificates.value
        .filter(({ canResend, name }) => canResend && name !== null)
        .map(({ name, flaw }) => (
          <option key={name} value={name ?? ''}>
            {flaw === null ? name : `${name}: ${flaw}`}
          </option>
        ))}
    </>
  );
}

function certificateOf(chosen: string): Pick<ResendWanted, 'certificate'> {
  return chosen === AS_RECORDED ? {} : { certificate: chosen === NONE ? null : chosen };
}

const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');

function changedHeaders(
  before: Detail['call']['request']['headers'],
  text: string,
): Record<string, string | null> {
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
