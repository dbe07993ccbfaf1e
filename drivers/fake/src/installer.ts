import type { Installer } from '@lodge/driver/capabilities/installer.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { makeDataFolder } from './files.ts'
import type { FakeKnobs } from './knobs.ts'
import { installMachine, type Remember } from './machines.ts'
import { pause } from './pause.ts'
import { play } from './play.ts'
import { programNamed } from './program.ts'
import type { FakeRuntime } from './runtime.ts'
import { checkSpec } from './spec.ts'

/** Installations that play what their script names, and can be ended from outside. */
export function fakeInstalls(given: {
  runtime: FakeRuntime
  knobs: FakeKnobs
  remember: Remember
  folder: (serverId: string) => string
  /** The data folders are real. */
  hasFolders: boolean
  /** Notes where its data lie. */
  place: (serverId: string, spec: WorkloadSpec) => Promise<void>
}) {
  const { runtime, knobs, remember, folder, hasFolders, place } = given
  const running = new Map<string, AbortController>()
  const installer: Installer<WorkloadSpec> = {
    async install(server, spec, onProgress, signal) {
      runtime.check()
      checkSpec(server.serverId, spec)
      if (!isMachine(spec) && !spec.install) return
      const { serverId } = server
      const own = new AbortController()
      const ending = AbortSignal.any([signal, own.signal])
      running.set(serverId, own)
      const entry = remember(server, specFingerprint(spec))
      entry.lines.install = []
      const print = (text: string) => {
        const logLines = text.split('\n').slice(0, -1)
        entry.lines.install.push(...logLines)
        onProgress({ step: 'install', percent: null, detail: 'Installing', logLines })
      }
      try {
        await place(serverId, spec)
        if (hasFolders) await makeDataFolder(folder(serverId))
        for (const line of knobs.installOutput) print(`${line}\n`)
        await pause(knobs.installDelayMs, ending)
        if (knobs.installError) throw knobs.installError
        if (isMachine(spec)) return installMachine(runtime, knobs, serverId, spec)
        if (!spec.install) return
        const { interpreter, script, environment } = spec.install
        const program = programNamed([...interpreter, script])
        if (!program) return
        await play(program, { print, environment, folder: folder(serverId) })
        if (program.kind === 'exit' && program.code === 0) return
        if (program.kind === 'exit') {
          throw new DriverError(
            'install_failed',
            `The installer ended with exit code ${program.code}.`,
          )
        }
        await new Promise<never>((_, reject) => {
          ending.addEventListener('abort', () => reject(ending.reason), { once: true })
          if (ending.aborted) reject(ending.reason)
        })
      } catch (error) {
        if (ending.aborted) throw ending.reason
        throw error
      } finally {
        running.delete(serverId)
      }
    },
  }
  return {
    installer,
    end(serverId: string): void {
      running
        .get(serverId)
        ?.abort(new DriverError('install_failed', 'Ended on request.', { retryable: true }))
    },
  }
}
