import { createHash } from 'node:crypto'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'

/**
 * Names the part of a spec that a workload is made from. Two specs with the same fingerprint need no
 * new workload: limits that change live, the stop chain, proofs of life, configuration files and the
 * installer are not part of it.
 */
export function specFingerprint(spec: ContainerSpec): string {
  const { proofOfLife: _1, stop: _2, configFiles: _3, install: _4, limits, ...made } = spec
  const { memoryMb: _5, cpuPercent: _6, diskMb: _7, pids: _8, ...fixedLimits } = limits
  return createHash('sha256')
    .update(canonical({ ...made, limits: fixedLimits }))
    .digest('hex')
}

/** JSON with sorted keys, so that equal documents have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
  return `{${entries.join(',')}}`
}
