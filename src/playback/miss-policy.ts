/** What replay does with a request that was not recorded: synthesize an answer from recordings, or report a miss. (The HTTP status of a miss is `missStatus` in engine/engine-options.ts.) */
export const missPolicies = ['synthesize', 'error'] as const

export type MissPolicy = (typeof missPolicies)[number]

export const parseMissPolicy = (text: string): MissPolicy | undefined =>
  missPolicies.find((one) => one === text)
