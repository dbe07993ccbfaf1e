import type { Firmware } from '@lodge/shared/machine-profile.ts'
import { t } from '../words.ts'

/** A machine's firmware in words. */
export function firmwareWords(firmware: Firmware): string {
  if (firmware.kind === 'bios') return t.bios
  return firmware.secureBoot ? t.secureBoot : t.uefi
}
