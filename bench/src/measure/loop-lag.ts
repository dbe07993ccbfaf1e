import { createInterface } from 'node:readline'
import type { Program } from '../stage/program.ts'

/** How late an event loop was, in milliseconds. */
export interface LoopLag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Loaded into a process with `--import`, lets `loopLag` ask it. */
export const LOOP_LAG_MODULE = 'bench/src/measure/loop-lag.mjs'

/** How late the program's event loop was since it was last asked. */
export function loopLag({ child }: Program): Promise<LoopLag> {
  const { stdout } = child
  if (!stdout) throw new Error('the program says nothing')
  const lines = createInterface({ input: stdout })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (!line.startsWith('{"loopLagMs":')) return
      lines.close()
      // Closing pauses what others read, too.
      stdout.resume()
      resolve((JSON.parse(line) as { loopLagMs: LoopLag }).loopLagMs)
    })
    child.kill('SIGUSR2')
  })
}
