/** What the doctor says of one thing. */
export interface DoctorFinding {
  /** What was looked at, in a word or two. */
  readonly about: string
  readonly state: 'fine' | 'warning' | 'wrong'
  readonly says: string
  /** What to do; where nothing is wrong there is nothing to do. */
  readonly next?: string
}

export const fine = (about: string, says: string): DoctorFinding => ({ about, state: 'fine', says })
export const warning = (about: string, says: string, next: string): DoctorFinding => ({
  about,
  state: 'warning',
  says,
  next,
})
export const wrong = (about: string, says: string, next: string): DoctorFinding => ({
  about,
  state: 'wrong',
  says,
  next,
})
