/**
 * The digits of a moment that is spelled `20260102030405` or `2026-01-02T03:04:05Z`. Undefined for other spellings and for
 * impossible dates: the wiki takes month 17 for May of the next year (ConvertibleTimestamp; measured on 1.39).
 */
export function timestampDigits(text: string): string | undefined {
  const digits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)
    ? text.replace(/\D/g, '')
    : text
  const parts = /^([12]\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const spelled = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const moment = new Date(`${spelled}Z`)
  const isPossible =
    !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(spelled)
  return isPossible ? digits : undefined
}
