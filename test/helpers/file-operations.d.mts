/** One operation of node:fs with its arguments applied. */
type Operation = (...args: readonly unknown[]) => unknown

export function hookFileOperations(
  folder: string,
  act: (name: string, args: readonly unknown[], original: Operation) => unknown
): () => void
