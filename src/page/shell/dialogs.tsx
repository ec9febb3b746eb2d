/** The dialogs of the session: a mark, and a new one. */
import { act } from '../api.js';
import { refreshInForce, session } from '../state/in-force.js';
import { doing } from '../state/said.js';
import { Dialog } from './dialog.js';

export function MarkDialog() {
  const set = async (form: FormData) => {
    const path = `/api/sessions/${encodeURIComponent(session.value ?? '')}/mark`;
    await doing(() => act('POST', path, { text: String(form.get('text') ?? '') }), 'The mark is set.');
    refreshInForce();
  };
  return (
    <Dialog title="Set a mark" verb="Set it" onSend={set}>
      <p class="soft">
        A line in the list of calls, from which findings are counted. It stays in the session.
      </p>
      <label>
        What happens now
        <input name="text" maxLength={500} autocomplete="off" />
      </label>
    </Dialog>
  );
}

export function SessionDialog() {
  const begin = async (form: FormData) => {
    const name = String(form.get('name') ?? '');
    await doing(
      () => act<{ session: string }>('POST', '/api/sessions', name === '' ? {} : { name }),
      (answer) => `Calls now go to the session ${answer.session}.`,
    );
    refreshInForce();
  };
  return (
    <Dialog title="New session" verb="Go on in it" onSend={begin}>
      <p class="soft">What was recorded stays; calls that name no session go to the new one.</p>
      <label>
        Name
        <input name="name" maxLength={64} autocomplete="off" placeholder="by its date" />
      </label>
    </Dialog>
  );
}
