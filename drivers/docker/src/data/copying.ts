import type { SandboxOptions } from '@lodge/driver/sandbox.ts'

/** Space that a copy or a restore always leaves free on a disk that others share. */
export const RESERVE_BYTES = 256 * 1024 * 1024

/** What programs may do that copy files of any server with their owners and modes. */
export const COPYING_RIGHTS: SandboxOptions['rights'] = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
]

/** The bytes that `du -sB1` tells of one path, or `du -csB1` of all. */
export const bytesTold = (output: string): number =>
  Number(/^(\d+)\ttotal$/m.exec(output)?.[1] ?? /^(\d+)\t/m.exec(output)?.[1] ?? 0)

/** Whether a program has failed for want of room. */
export const isFull = (output: string): boolean => /no space left|quota exceeded/i.test(output)
