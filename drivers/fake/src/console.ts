import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { FakeKnobs } from './knobs.ts'
import { programOf } from './program.ts'
import type { FakeRuntime } from './runtime.ts'

/** Input and output of workloads that are entries of a map. */
export const fakeConsole = (runtime: FakeRuntime, knobs: FakeKnobs): Console => ({
  follow: (serverId, onOutput, signal) => runtime.broadcaster.follow(serverId, onOutput, signal),
  async write(serverId, bytes) {
    runtime.check()
    const workload = runtime.servers.get(serverId)?.workload
    if (!workload?.running) throw new DriverError('not_running', 'The server is not running.')
    const text = new TextDecoder().decode(bytes)
    workload.inputs.push(...text.split('\n').filter((line) => line !== ''))
    if (programOf(workload.spec)?.kind === 'echo') runtime.print(serverId, text)
    if (knobs.exitOnInput !== null && text.trim() === knobs.exitOnInput)
      runtime.end(serverId, { code: 0 })
  },
  async tail(serverId, lines, source) {
    const kept = runtime.servers.get(serverId)?.lines[source] ?? []
    return lines > 0 ? kept.slice(-lines) : []
  },
})
