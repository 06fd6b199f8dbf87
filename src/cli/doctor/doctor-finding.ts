/** The result of one check of `wikitape doctor`, as `--json` prints it. */
export interface DoctorFinding {
  /** What was checked, in a word or two. */
  readonly about: string
  readonly state: 'fine' | 'warning' | 'wrong'
  readonly says: string
  /** What to do, unless it is fine. */
  readonly next?: string
}

type FaultMaker = (about: string, says: string, next: string) => DoctorFinding

export const fine = (about: string, says: string): DoctorFinding => ({ about, state: 'fine', says })
export const warning: FaultMaker = (about, says, next) => ({ about, state: 'warning', says, next })
export const wrong: FaultMaker = (about, says, next) => ({ about, state: 'wrong', says, next })
