#!/bin/sh
# The whole way to a PSU's accounts, with nothing but sh, curl and sed:
# consent, discovery, authorisation, token, accounts, balances, transactions, refresh, end of the consent.
#
#   sandgate serve                          in one terminal
#   sh account-information.sh               in another
#
# API   the API listener      (default https://localhost:8443)
# CERTS the certificates      (default certs)
set -eu

API=${API:-https://localhost:8443}
CERTS=${CERTS:-certs}
BASE=$API/stdgroup/v1
CLIENT_ID=VALID_CLIENT_ID
REDIRECT_URI=https://tpp.example/back

# A verifier with its challenge (RFC 7636, appendix B). A real TPP makes new ones for each authorisation.
VERIFIER=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
CHALLENGE=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM

fail() { printf '%s\n' "$*" >&2; exit 1; }

# A UUID, new for each call: of the system where it gives one, else of the process and a counter.
count=0
next_id() {
  count=$((count + 1))
  { read -r id < /proc/sys/kernel/random/uuid; } 2> /dev/null ||
    id=$(printf '5a9d6a7e-0000-4000-8000-%06d%06d' "$(($$ % 1000000))" "$count")
}

# call METHOD URL [curl options]: sets `body`; ends the script where the bank says no.
call() {
  method=$1
  url=$2
  shift 2
  next_id
  answer=$(curl -sS --cacert "$CERTS/ca.pem" --cert "$CERTS/tpp.pem" --key "$CERTS/tpp.key" \
    -X "$method" -H "X-Request-ID: $id" -H 'Accept: application/json' -w '\n%{http_code}' "$@" "$url")
  status=${answer##*
}
  body=${answer%
*}
  printf '%s %s %s\n' "$status" "$method" "${url#"$API"}" >&2
  case $status in 2??) ;; *) fail "$body" ;; esac
}

# text NAME: the first member of that name in `body`, a string.
text() {
  rest=${body#*\"$1\"}
  printf '%s\n' "$rest" | sed -n 's/^ *: *"\([^"]*\)".*/\1/p'
}

# link NAME: the address of that link.
link() {
  rest=${body#*\"$1\"}
  printf '%s\n' "$rest" | sed -n 's/^ *: *{ *"href" *: *"\([^"]*\)".*/\1/p'
}

# 1. A consent of the PSU, who is at 192.0.2.1, for as long as the bank allows.
call POST "$BASE/consents" -H 'Content-Type: application/json' -H "TPP-Redirect-URI: $REDIRECT_URI" \
  -H 'TPP-Explicit-Authorisation-Preferred: false' -H 'PSU-IP-Address: 192.0.2.1' \
  -d '{
    "access": { "allPsd2": "allAccounts" },
    "recurringIndicator": true,
    "validUntil": "9999-12-31",
    "frequencyPerDay": 4,
    "combinedServiceIndicator": false
  }'
consent=$(text consentId)
sca=$(link scaOAuth)

# 2. The link leads to a discovery document, that to the page where the PSU authorises.
call GET "$sca"
authorize=$(text authorization_endpoint)

# 3. The PSU. A person would see the bank's page; the sandbox is told at once how it ends: scenario=SCA_OK.
state=$consent-$$
returned=$(curl -sS --cacert "$CERTS/ca.pem" -o /dev/null -w '%{redirect_url}' -G "$authorize" \
  --data-urlencode "scope=AIS:$consent" --data-urlencode "client_id=$CLIENT_ID" \
  --data-urlencode "state=$state" --data-urlencode "redirect_uri=$REDIRECT_URI" \
  --data-urlencode "code_challenge=$CHALLENGE" -d code_challenge_method=S256 -d response_type=code \
  -d scenario=SCA_OK)
printf '302 to %s\n' "${returned%%\?*}" >&2
case $returned in *"state=$state"*) ;; *) fail "The state did not come back: $returned" ;; esac
code=$(printf '%s\n' "$returned" | sed -n 's/.*[?&]code=\([^&]*\).*/\1/p')

# 4. The code for a token.
call POST "$BASE/token" -d grant_type=authorization_code -d "client_id=$CLIENT_ID" -d "code=$code" \
  -d "code_verifier=$VERIFIER" --data-urlencode "redirect_uri=$REDIRECT_URI"
token=$(text access_token)
refresh=$(text refresh_token)

# 5. The accounts. The transactions since today, which is the day of the consent's last action.
call GET "$BASE/consents/$consent"
today=$(text lastActionDate)
read_account() {
  call GET "$BASE/$1" -H "Authorization: Bearer $token" -H "Consent-Id: $consent" -H 'PSU-IP-Address: 192.0.2.1'
}
read_account accounts
account=$(text resourceId)
printf 'account %s\n' "$account"
read_account "accounts/$account/balances"
printf 'balances %s\n' "$body"
read_account "accounts/$account/transactions?dateFrom=$today&bookingStatus=booked"
printf 'transactions %s\n' "$body"

# 6. A new token for the old one.
call POST "$BASE/token" -d grant_type=refresh_token -d "client_id=$CLIENT_ID" -d "refresh_token=$refresh"
token=$(text access_token)
read_account accounts

# 7. Done: the consent is no longer needed.
call DELETE "$BASE/consents/$consent"
printf 'done\n'
