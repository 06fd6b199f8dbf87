/** Preload (`node --import`): tells the parent how long the longest turn of the event loop was, and how high the memory rose. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const every = 2
/** Milliseconds that this thread has been on a processor (Linux; elsewhere those of the process). */
function processor() {
  try {
    return (
      Number(
        readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]
      ) / 1e6
    )
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

if (isMainThread && process.send !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  let longest = 0
  let last = processor()
  setInterval(() => {
    const now = processor()
    longest = Math.max(longest, now - last)
    last = now
  }, every).unref()
  let idle = process.memoryUsage().rss
  process.on('message', () => {
    // The system's own mark of the highest; it is set back with the figures.
    const { VmHWM = 0 } = Object.fromEntries(
      [
        ...readFileSync('/proc/self/status', 'latin1').matchAll(/^(VmHWM):\s+(\d+)/gm)
      ].map(([, name, kilobytes]) => [name, Number(kilobytes) * 1024])
    )
    process.send?.({ clock: delays.max / 1e6, processor: longest, peak: VmHWM, idle })
    globalThis.gc?.()
    idle = process.memoryUsage().rss
    delays.reset()
    longest = 0
    last = processor()
  })
  process.channel?.unref()
}
