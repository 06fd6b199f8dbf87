/** Which names of cassettes are addresses of servers, and not folders. */

export const isStoreAddress = (text: string): boolean => /^(?:rediss?|valkeys?)(?:\+\w+)?:/.test(text)

/** An address without user and password, for messages. */
export const withoutCredentials = (address: string): string =>
  address.replace(/^((?:[a-z+]+:\/\/)?)[^#?]*@/i, '$1')
