import { createHash } from 'node:crypto'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { isMachine, type MachineSpec, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'

/**
 * Fingerprint of the part of a spec that a workload is created from. Specs with equal fingerprints
 * need no new workload: limits that change live, the stop chain, readiness probes, config files and
 * the installer are excluded; for a machine also its medium, NAT rules and installation source.
 */
export function specFingerprint(spec: WorkloadSpec): string {
  return createHash('sha256')
    .update(canonical(isMachine(spec) ? ofMachine(spec) : ofContainer(spec)))
    .digest('hex')
}

function ofContainer(spec: ContainerSpec): unknown {
  const { proofOfLife: _1, stop: _2, configFiles: _3, install: _4, limits, ...made } = spec
  const { memoryMb: _5, cpuPercent: _6, diskMb: _7, pids: _8, ...fixedLimits } = limits
  return { ...made, limits: fixedLimits }
}

function ofMachine(spec: MachineSpec): unknown {
  const { proofOfLife: _1, stop: _2, natRules: _3, medium: _4, source: _5, ...rest } = spec
  const { cpuPercent: _6, ownerId: _7, disks, ...made } = rest
  return { ...made, disks: disks.map(({ id, sizeMb }) => ({ id, sizeMb })) }
}

/** JSON with sorted keys, so that equal documents serialize equally. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
  return `{${entries.join(',')}}`
}
