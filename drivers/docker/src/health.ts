import type { Health } from '@lodge/driver/driver.ts'
import type { Parts } from './parts.ts'

const DEADLINE_MS = 4000

/** Advice for the administrator, with the engine fact that triggers it. */
const ADVICE: readonly [string, (info: EngineInfo) => boolean | undefined][] = [
  [
    'Docker runs containers without a seccomp filter.',
    (info) => !info.SecurityOptions?.some((option) => option.includes('seccomp')),
  ],
  ['The kernel does not keep memory limits.', (info) => info.MemoryLimit === false],
  [
    'The kernel does not count swap: servers may use more than their memory.',
    (info) => info.SwapLimit === false,
  ],
  ['The kernel does not keep process limits.', (info) => info.PidsLimit === false],
  [
    'A restart of Docker ends all servers; "live-restore": true in its configuration prevents that.',
    (info) => info.LiveRestoreEnabled === false,
  ],
]

interface EngineInfo {
  readonly ServerVersion: string
  readonly SecurityOptions?: readonly string[]
  readonly MemoryLimit?: boolean
  readonly SwapLimit?: boolean
  readonly PidsLimit?: boolean
  readonly LiveRestoreEnabled?: boolean
}

/** Checks the engine's health, and restores the firewall rules if they were removed. */
export async function probe(parts: Parts, signal: AbortSignal): Promise<Health> {
  try {
    const info: EngineInfo = await parts.engine.call(() => parts.engine.docker.info(), {
      signal,
      deadlineMs: DEADLINE_MS,
    })
    const own = await Promise.all([parts.firewall.complaint(), parts.data.warning()])
    const advised = ADVICE.filter(([, holds]) => holds(info)).map(([advice]) => advice)
    const warnings = [...own.filter((text) => text !== null), ...advised]
    return { ok: true, version: info.ServerVersion, warnings }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}
