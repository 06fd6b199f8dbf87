/** Numbers in parameters, as the wiki reads them. */

/**
 * The number that every version reads; undefined for what newer wikis refuse and older ones cut (`46.0`, ` 46`, `4.6e1`).
 * Source: IntegerDef::validate (1.35 to 1.43), intval of ApiBase::getParameterFromSettings (until 1.34).
 */
export const readInteger = (text: string): number | undefined =>
  /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined
