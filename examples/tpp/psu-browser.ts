/** The PSU's browser in a test: no pages, the sandbox is told at once how the SCA ends. */
import { type Dispatcher, fetch } from 'undici';

/** Gives the address at which the bank sends the PSU back to the TPP. */
export async function authoriseAs(scenario: string, url: URL, dispatcher: Dispatcher): Promise<URL> {
  const decided = new URL(url);
  decided.searchParams.set('scenario', scenario);
  const response = await fetch(decided, { dispatcher, redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status !== 302 || location === null)
    throw new Error(`The bank did not send the PSU back: ${response.status} ${await response.text()}`);
  return new URL(location);
}
