/** Ids and dates of a cassette that get other values may have been signed: then nobody can verify the signature again. */
import { readBody, readHeaders } from '../cassette/cassette-body.js';
import type { CassetteExchange } from '../cassette/cassette-schema.js';
import { Request } from '../message.js';
import { isSealKept } from '../sealed.js';

const requestOf = ({ request }: CassetteExchange): Request =>
  new Request(request.method, request.target, readHeaders(request.headers), readBody(request));

export const stillSealed = (is: CassetteExchange, written: CassetteExchange): CassetteExchange =>
  isSealKept(requestOf(is), requestOf(written)) ? written : { ...written, seal: 'not-observed' };
