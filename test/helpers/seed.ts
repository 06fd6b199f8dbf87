/** Set up where WIKITAPE_SEED is set: every property draws from that seed, as the failure that printed it did. */
import fc from 'fast-check'

/** @throws Error where it is no seed */
export function useSeed(text: string): void {
  const seed = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new Error(
      `WIKITAPE_SEED is ${JSON.stringify(text)}; expected the seed of a failure, a whole number`
    )
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}

const { WIKITAPE_SEED: given } = process.env
if (given !== undefined) useSeed(given)
