/** Runs vitest in one project after another in one process, told by messages, so that vitest is loaded once. */
import process from 'node:process'
import { parseCLI, startVitest } from 'vitest/node'

process.on('message', async ({ folder, env, args, end }) => {
  process.chdir(folder)
  const before = { ...process.env }
  Object.assign(process.env, env)
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest('test', filter, options)
  await vitest.close()
  process.env = before
  const code = Number(process.exitCode ?? 0)
  process.exitCode = 0
  // Behind everything else that the run had to say there.
  process.stderr.write(end, () => process.send(code))
})

process.on('disconnect', () => process.exit())
