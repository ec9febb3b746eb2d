import { isAbsoluteHttpUri } from '../../spec/index.js';
import { bodyMember } from '../checks/request-body.js';
import { defineRule, violation } from '../rule.js';

export default defineRule({
  id: 'notifications/uri-allowed',
  statement: 'tppNotificationUri is within the configured allow list',
  sources: ['security'],
  appliesTo: ({ group }) => group === 'notifications',
  needs: ['json'],
  refusal: { code: 'FORMAT_ERROR' },
  why: 'Otherwise any caller could make the gateway call any address of its network.',
  fix: 'Receive the notification on this machine, or have the host added to the allow list of the gateway.',
  examples: {
    complies: '"tppNotificationUri":"http://localhost:9000/notify"',
    violates: '"tppNotificationUri":"http://169.254.169.254/latest/meta-data"',
  },
  check: ({ call, options }) => {
    const uri = bodyMember(call, 'tppNotificationUri');
    // Invalid addresses belong to notifications/simulation-body.
    if (typeof uri !== 'string' || !isAbsoluteHttpUri(uri)) return 'not-applicable';
    const { hostname } = new URL(uri);
    return (
      options.notificationHostAllowed(hostname) ||
      violation('body tppNotificationUri', 'a host of the allow list', hostname)
    );
  },
});
