/** True in continuous integration, where no live wiki is asked: systems set `CI` to `true`, `1`, `True`, or their own name. */
export const isInCi = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !/^(?:|0|false|no)$/i.test(env['CI']?.trim() ?? '')
