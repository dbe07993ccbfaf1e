import { statfs } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import type { ProgramResult } from '@lodge/driver/run-program.ts'
import { isFull } from './copying.ts'

/** With less than this, a disk that others fill fails in ways that do not say why. */
const CROWDED_BYTES = 8 * 1024 * 1024

/** A program failed in a way that does not pass: this machine cannot do it. */
export class ProgramFailed extends Error {}

/** What to throw for a program that failed: retryable for what passes, such as a full disk. */
export function failureOf(file: string, { code, output }: ProgramResult): Error {
  const cause = `${file} failed: ${output.trim().slice(-500)}`
  if (isFull(output)) return machineFull(cause)
  const isMissing = /^spawn \S+ (ENOENT|EACCES)$/.test(output)
  if (code === null && !isMissing)
    return new DriverError('runtime_unavailable', 'The disk of the server was not ready in time.', {
      retryable: true,
      cause,
    })
  return new ProgramFailed(cause)
}

export const machineFull = (cause: unknown): DriverError =>
  new DriverError('disk_full', 'The disk of this machine is full.', { retryable: true, cause })

/** Whether the disk with this folder has next to no room. */
export async function isCrowded(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < CROWDED_BYTES
}
