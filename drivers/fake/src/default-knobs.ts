import type { FakeKnobs } from './knobs.ts'
import { FIT } from './machines.ts'

/** A driver that does everything at once and without a fault. */
export const defaultKnobs = (): FakeKnobs => ({
  startError: null,
  startDelayMs: 0,
  applyError: null,
  applyDelayMs: 0,
  installError: null,
  installDelayMs: 0,
  installOutput: [],
  output: [],
  exitAfterMs: null,
  exitCode: 0,
  deaf: false,
  exitOnInput: null,
  diskLimit: 'measured',
  cpuPercent: 1,
  memoryBytes: 32 * 1024 * 1024,
  diskBytes: 0,
  virtualization: FIT,
  copyError: null,
  removeError: null,
  copyDelayMs: 0,
  backupError: null,
  backupDelayMs: 0,
  backupBytes: null,
  backupIsLost: false,
  mediumError: null,
  images: { count: 0, bytes: 0, unusedCount: 0, unusedBytes: 0 },
})
