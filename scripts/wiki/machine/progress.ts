/** Tells on stderr what the lab is doing, with the seconds since it began; stdout is for results. */

export interface Progress {
  say(text: string): void
  seconds(): number
}

export function startProgress(write: (line: string) => void): Progress {
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000
  return {
    say: (text) => write(`[${seconds().toFixed(1).padStart(5)} s] ${text}\n`),
    seconds
  }
}
