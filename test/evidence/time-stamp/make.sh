#!/bin/sh
# Makes the recorded answer of this folder again, with openssl as the authority: an authority, its CA, and its stamp over
# statement.jws. By hand, where openssl is: sh test/evidence/time-stamp/make.sh
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -days 20000 -config openssl.cnf -extensions v3_ca -out ca.pem
openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out authority.key
openssl req -new -key authority.key -subj "/CN=Test TSA" -config openssl.cnf -out "$work/authority.csr"
openssl x509 -req -in "$work/authority.csr" -CA ca.pem -CAkey "$work/ca.key" -CAcreateserial -CAserial "$work/ca.srl" -days 20000 \
  -extfile openssl.cnf -extensions v3_tsa -out authority.pem
printf '%s\n' 'eyJ0eXAiOiJleGFtcGxlIn0.e30.c2lnbmF0dXJl' > statement.jws
npx tsx request.ts > "$work/request.tsq"
echo 01 > "$work/serial"
sed "s#@work#$work#" openssl.cnf > "$work/openssl.cnf"
openssl ts -reply -queryfile "$work/request.tsq" -inkey authority.key -signer authority.pem \
  -config "$work/openssl.cnf" -section tsa1 -out response.tsr
openssl ts -verify -in response.tsr -queryfile "$work/request.tsq" -CAfile ca.pem
