/** Numbers, sizes and times as text. */
export const number = (value: number): string => value.toLocaleString('en-US')

export const plural = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

export const clock = (at: number): string => new Date(at).toLocaleTimeString('en-GB')

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC'
})

/** A timestamp of the wiki as a date; undefined for any other text. */
export const dateText = (text: string): string | undefined =>
  timestamp.test(text) && !Number.isNaN(Date.parse(text))
    ? `${dateFormat.format(Date.parse(text))} UTC`
    : undefined
