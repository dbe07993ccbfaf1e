import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'

const known = new Map<string, { key: string; sha256: string }>()

/** SHA-256 of a firmware image, cached until the file changes. */
export async function firmwareFingerprint(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path)
  const key = `${mtimeMs} ${size} ${ino}`
  const before = known.get(path)
  if (before?.key === key) return before.sha256
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  known.set(path, { key, sha256 })
  return sha256
}

/**
 * Throws `unsupported` when the node lacks the firmware of the machine's profile or has a different
 * version of it.
 */
export async function requireFirmware({ profile }: MachineSpec): Promise<void> {
  if (profile.firmware.kind === 'bios') return
  for (const { path, sha256 } of [profile.firmware.loader, profile.firmware.vars]) {
    const own = await firmwareFingerprint(path).catch(() => null)
    if (own === null) throw new DriverError('unsupported', `This node has no firmware ${path}.`)
    if (sha256 !== null && own !== sha256)
      throw new DriverError(
        'unsupported',
        `This node has another version of the firmware ${path} than the machine needs.`,
      )
  }
}
