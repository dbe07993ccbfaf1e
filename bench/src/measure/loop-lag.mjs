// Preloaded into a process to measure its event loop: on SIGUSR2 it prints the lag since the last
// time, and resets it.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

/** The histogram contains the interval between two ticks of its timer. */
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
