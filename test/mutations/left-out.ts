/** What the bank profiles leave out on purpose: rules with a change that is no mistake at that bank, or that nobody can see there. */
const ANY_TOKEN = {
  'accounts/token-belongs-to-consent': 'Tokens name no consent.',
  'accounts/token-present': 'Certificate and consent give access without a token.',
};
const NO_BEARER = {
  ...ANY_TOKEN,
  'accounts/token-known': 'Reads need no token, so nobody asks whose it is.',
};
const NO_RETURN = { 'requests/redirect-uri-present': 'Creations need no return address of the PSU.' };
const NO_PSU_IP = { 'requests/psu-ip-address-present': 'Creations need no address of the PSU.' };
const OTHER_PRODUCT = {
  'payments/product-matches-payment':
    'The bank has no cross-border product: payments/product-known names the change.',
};
const MORE_PAYMENTS = {
  'payments/product-known': 'The change asks for a service or product that this bank offers.',
};
const NO_UUID = {
  'requests/id-form': 'The ids of authorisations are no UUIDs, or stand in no path of authorize.',
};
const NO_TOKENS = {
  'accounts/history-within-90-days': 'No token tells when the SCA was.',
  'accounts/token-belongs-to-tpp': 'Tokens come from elsewhere.',
  'accounts/token-not-expired': 'Tokens come from elsewhere.',
  'oauth/refresh-token-as-bearer': 'Tokens come from elsewhere.',
  'requests/known-path': 'The change is in a path of OAuth, which is elsewhere.',
};
/** One address for every authorisation, and scopes that name services, or resources in another spelling. */
const ONE_AUTHORIZE = {
  'accounts/token-belongs-to-consent': 'The scope of the token is another one.',
  'certificate/role-covers-operation': 'The scope does not tell the role.',
  'oauth/redirect-uri-matches-creation': 'The address of authorize does not tell what is authorised.',
  'oauth/scope-names-created-resource': 'The scope of the change is none of this bank.',
  'oauth/client-id': 'The address of authorize does not tell whose authorisation it is.',
  'oauth/discovery-read-first': 'There is no document to read first.',
  'oauth/scope-form': 'Scopes are others.',
  'oauth/scope-matches-authorisation': 'Scopes are others.',
  'requests/known-path': 'The change is in a part of the path that authorize does not have.',
};

export const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  adorsys: { ...NO_BEARER, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_RETURN },
  consorsbank: { ...NO_BEARER, ...OTHER_PRODUCT },
  dab: { ...NO_BEARER, ...OTHER_PRODUCT },
  'deutsche-bank': { ...NO_BEARER, ...MORE_PAYMENTS, ...OTHER_PRODUCT },
  dkb: { ...NO_BEARER, ...NO_TOKENS, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_RETURN },
  fiducia: { ...NO_BEARER, ...NO_UUID, ...NO_PSU_IP, ...NO_RETURN },
  ing: {
    ...MORE_PAYMENTS,
    ...OTHER_PRODUCT,
    'accounts/booking-status': 'The bank has no bookingStatus.',
    'accounts/consent-id-present': 'The bank has no consents.',
    'accounts/consent-known': 'The bank has no consents.',
    'accounts/consent-not-ended': 'The bank has no consents.',
    'accounts/token-belongs-to-consent': 'The bank has no consents.',
    'certificate/role-covers-operation': 'The scope does not tell the role.',
    'accounts/history-within-90-days': 'The bank has no consents that tell when the SCA was.',
    'oauth/grant-type': 'The client has a token of its own.',
    'oauth/authorize-parameters': 'The page asks for neither state nor PKCE.',
    'oauth/client-id': ONE_AUTHORIZE['oauth/client-id'],
    'oauth/discovery-read-first': ONE_AUTHORIZE['oauth/discovery-read-first'],
    'oauth/redirect-uri-matches-creation': ONE_AUTHORIZE['oauth/redirect-uri-matches-creation'],
    'oauth/scope-form': ONE_AUTHORIZE['oauth/scope-form'],
    'oauth/scope-matches-authorisation': ONE_AUTHORIZE['oauth/scope-matches-authorisation'],
    'oauth/scope-names-created-resource': ONE_AUTHORIZE['oauth/scope-names-created-resource'],
    'requests/id-form': NO_UUID['requests/id-form'],
    'oauth/token-parameters': 'The token address asks for neither client_id nor PKCE.',
    'payments/body-well-formed': 'A payment need not name the account that pays.',
  },
  n26: {
    ...ONE_AUTHORIZE,
    ...MORE_PAYMENTS,
    ...OTHER_PRODUCT,
    ...NO_UUID,
    ...NO_PSU_IP,
    ...NO_RETURN,
    'consents/body-well-formed': 'A consent need not say combinedServiceIndicator.',
    'consents/valid-until-within-90-days': 'A consent may last 180 days.',
    'oauth/authorize-parameters': 'The change is in the scope, which has another form.',
    'oauth/token-parameters': 'The token address asks for no client_id.',
    'payments/body-well-formed': 'A payment need not name the account that pays.',
  },
  obp: { ...NO_BEARER, ...NO_TOKENS, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_PSU_IP, ...NO_RETURN },
  olb: { ...NO_BEARER, ...OTHER_PRODUCT },
  santander: {
    ...OTHER_PRODUCT,
    ...NO_RETURN,
    'oauth/discovery-parameters': 'One document is for every authorisation.',
    'oauth/discovery-read-first': 'One document is for every authorisation.',
    'oauth/grant-type': 'The client has a token of its own.',
  },
  seeliger: { ...NO_BEARER, ...OTHER_PRODUCT },
  sparda: { ...ONE_AUTHORIZE, ...ANY_TOKEN, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_UUID },
  sparkasse: { ...NO_BEARER, ...OTHER_PRODUCT, ...NO_RETURN },
  triodos: OTHER_PRODUCT,
  unicredit: { ...NO_BEARER, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_UUID, ...NO_RETURN },
  verlag: { ...NO_BEARER, ...MORE_PAYMENTS, ...OTHER_PRODUCT, ...NO_RETURN },
  wso2: {
    ...ONE_AUTHORIZE,
    ...MORE_PAYMENTS,
    ...OTHER_PRODUCT,
    ...NO_UUID,
    'oauth/grant-type': 'The client has a token of its own.',
  },
};
