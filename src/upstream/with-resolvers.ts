/** `Promise.withResolvers`, which Node.js has from 22 on. */
export function withResolvers<T>(): {
  readonly promise: Promise<T>
  readonly resolve: (value: T | PromiseLike<T>) => void
  readonly reject: (error: unknown) => void
} {
  let [resolve, reject]: [(value: T | PromiseLike<T>) => void, (error: unknown) => void] = [
    () => {},
    () => {},
  ]
  const promise = new Promise<T>((yes, no) => {
    ;[resolve, reject] = [yes, no]
  })
  return { promise, resolve, reject }
}
