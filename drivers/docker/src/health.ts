import type { Health } from '@lodge/driver/driver.ts'
import type { DriverWarning, DriverWarningCode } from '@lodge/shared/driver-warnings.ts'
import type { Parts } from './parts.ts'

const DEADLINE_MS = 4000

/** What the administrator is told, with the engine fact that triggers it. */
const ADVICE: readonly [DriverWarningCode, (info: EngineInfo) => boolean | undefined][] = [
  ['no_seccomp', (info) => !info.SecurityOptions?.some((option) => option.includes('seccomp'))],
  ['no_memory_limits', (info) => info.MemoryLimit === false],
  ['no_swap_limits', (info) => info.SwapLimit === false],
  ['no_process_limits', (info) => info.PidsLimit === false],
  ['no_live_restore', (info) => info.LiveRestoreEnabled === false],
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
    const [why, measured] = await Promise.all([parts.firewall.complaint(), parts.data.isMeasured()])
    const warnings: DriverWarning[] = [
      ...(why === null ? [] : [{ code: 'firewall', values: { why } } as const]),
      ...(measured ? [{ code: 'disks_measured', values: {} } as const] : []),
      ...ADVICE.filter(([, holds]) => holds(info)).map(([code]) => ({ code, values: {} })),
    ]
    return { ok: true, version: info.ServerVersion, warnings }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}
