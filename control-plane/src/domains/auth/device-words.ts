import { UNKNOWN_DEVICE } from '@lodge/shared/device.ts'
import type { Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

/** A device, e.g. `Firefox on Linux`, as a person reads it. */
export function deviceFor(device: string, reader: Reader): string {
  const words = wordsFor(t, reader)
  if (device === UNKNOWN_DEVICE) return words.unknownDevice
  const [browser = device, system] = device.split(' on ')
  return system === undefined ? device : words.browserOn({ browser, system })
}
