// Empties dist/ before a build, so that a file renamed in src/ does not live on in the package.
import { rmSync } from 'node:fs'

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
