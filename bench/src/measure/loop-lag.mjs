// Loaded into a process whose event loop is watched: on SIGUSR2 it tells how late the loop was since the
// last time, and begins anew.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

/** The histogram holds the time from one look to the next one. */
const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

process.on('SIGUSR2', () => {
  const lag = {
    p50: late(delay.percentile(50)),
    p99: late(delay.percentile(99)),
    max: late(delay.max),
  }
  process.stdout.write(`${JSON.stringify({ loopLagMs: lag })}\n`)
  delay.reset()
})
