/** What replay does with a request that nobody recorded: prove an answer from what was recorded, or say that it is missing. */
export const missPolicies = ['synthesize', 'error'] as const

export type MissPolicy = (typeof missPolicies)[number]

export const parseMissPolicy = (text: string): MissPolicy | undefined =>
  missPolicies.find((one) => one === text)
