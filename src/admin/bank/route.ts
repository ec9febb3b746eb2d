/** A route of the living bank: what it does, and how a group adds its own. */
import type { FastifyRequest } from 'fastify';
import type { BankView } from './port.js';

/** What is done for a request; its value is answered as JSON. */
export type BankRoute = (bank: BankView, request: FastifyRequest) => unknown;
/** Adds a route: the method is GET where it only reads. */
export type AddRoute = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, route: BankRoute) => void;
