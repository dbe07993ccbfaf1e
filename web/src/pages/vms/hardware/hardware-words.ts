import type { Firmware } from '@lodge/shared/machine-profile.ts'

/** A machine's firmware in words. */
export function firmwareWords(firmware: Firmware): string {
  if (firmware.kind === 'bios') return 'BIOS'
  return firmware.secureBoot ? 'UEFI with Secure Boot' : 'UEFI'
}
