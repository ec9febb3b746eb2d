/** Parameters of authorize that a client appended to the discovery link instead. */
import { OAUTH_PARAMETERS, OPERATIONS } from '../../spec/index.js';

const OF_AUTHORIZE = new Set<string>(OPERATIONS['oauth.authorize'].query);

/** For oauth/discovery-read-first to judge, and for no other rule: one fault, one finding. */
export function isAuthorizeParameter(name: string): boolean {
  return OF_AUTHORIZE.has(name) || OAUTH_PARAMETERS.has(name);
}
