/** What programs send where a value should stand: what their language calls nothing, or a template that nobody filled in. */
const NOTHING = /^(?:undefined|null|none|nil|nan)$/i;
const TEMPLATE = /^(?:\[object \w{1,20}\]|<[^<>]{1,40}>|\$?\{{1,2}[a-z_]\w{0,39}\}{1,2})$/i;

export const isNothing = (text: string): boolean => NOTHING.test(text);

/** Not of a token: one between brackets may be real. */
export const isPlaceholder = (text: string): boolean => isNothing(text) || TEMPLATE.test(text);
