import { constants } from 'node:os'
import type { Exit } from '@lodge/driver/driver.ts'
import { SIGNALS, type Signal } from '@lodge/shared/container-spec.ts'

const BY_NUMBER = new Map<number, Signal>(
  SIGNALS.map((name) => [constants.signals[name as keyof typeof constants.signals], name]),
)

/** Decodes a signal from the exit code: 128 plus the signal's number. */
export function exitOf(code: number, outOfMemory: boolean, at: Date): Exit {
  return { code, signal: BY_NUMBER.get(code - 128) ?? null, outOfMemory, at }
}
