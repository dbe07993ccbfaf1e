import { createInterface } from 'node:readline'
import type { Program } from '../stage/program.ts'

/** How late an event loop was, in milliseconds. */
export interface LoopLag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Preloaded with `--import`, makes `loopLag` work for a process. */
export const LOOP_LAG_MODULE = 'bench/src/measure/loop-lag.mjs'

/** The lag of the program's event loop since the last call. */
export function loopLag({ child }: Program): Promise<LoopLag> {
  const { stdout } = child
  if (!stdout) throw new Error('the program says nothing')
  const lines = createInterface({ input: stdout })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (!line.startsWith('{"loopLagMs":')) return
      lines.close()
      // Closing the reader pauses the stream for others, too.
      stdout.resume()
      resolve((JSON.parse(line) as { loopLagMs: LoopLag }).loopLagMs)
    })
    child.kill('SIGUSR2')
  })
}
