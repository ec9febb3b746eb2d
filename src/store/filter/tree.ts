/** A filter as data: `matches` holds it against records in memory, and the driver of a store makes a query of it. */
export type FilterTree =
  | { readonly and: readonly FilterTree[] }
  | { readonly or: readonly FilterTree[] }
  | { readonly not: FilterTree }
  | FilterTerm;

/** Holds where one of the values that an exchange has under the field fits; where it has none, it does not hold. */
export interface FilterTerm {
  readonly field: FilterField;
  readonly operator: '=' | '>' | '>=' | '<' | '<=';
  /** Behind `=`, `*` is any text and letter case does not count. Values that are numbers are compared as numbers. */
  readonly value: string;
}

export type FilterField =
  | (
      | 'id'
      | 'status'
      | 'method'
      | 'path'
      | 'operation'
      | 'listener'
      | 'source'
      | 'tpp'
      | 'sender'
      | 'journey'
      | 'consent'
    )
  | (
      | 'payment'
      | 'account'
      | 'request-id'
      | 'ms'
      | 'at'
      | 'recorded'
      | 'fault'
      | 'injected'
      | 'rule'
      | 'severity'
      | 'worst'
      | 'judges'
      | 'text'
    );

/** Whether bodies are looked at for it. */
export function hasText(tree: FilterTree): boolean {
  if ('not' in tree) return hasText(tree.not);
  if ('and' in tree) return tree.and.some(hasText);
  return 'or' in tree ? tree.or.some(hasText) : tree.field === 'text';
}
