import type { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import type { Db } from '../../../db/database.ts'
import { insertProfile } from '../store.ts'

const firmware = (loader: string, vars: string, secureBoot: boolean) => ({
  kind: 'uefi' as const,
  secureBoot,
  loader: { path: `/usr/share/OVMF/${loader}`, sha256: null },
  vars: { path: `/usr/share/OVMF/${vars}`, sha256: null },
})

const LINUX: HardwareProfile = {
  machine: 'q35',
  firmware: firmware('OVMF_CODE_4M.fd', 'OVMF_VARS_4M.fd', false),
  tpm: false,
  cpuModel: 'host',
  diskBus: 'virtio',
  nicModel: 'virtio',
  video: 'virtio',
  guestAgent: true,
  minimum: { vcpus: 1, memoryMb: 128, diskMb: 64 },
}

/** The requirements of Windows 11 setup, with devices it has drivers for. */
export const WINDOWS_11: HardwareProfile = {
  machine: 'q35',
  firmware: firmware('OVMF_CODE_4M.ms.fd', 'OVMF_VARS_4M.ms.fd', true),
  tpm: true,
  cpuModel: 'host',
  diskBus: 'sata',
  nicModel: 'e1000e',
  video: 'vga',
  guestAgent: true,
  minimum: { vcpus: 2, memoryMb: 4096, diskMb: 65_536 },
}

const BUILT_IN = [
  {
    id: '01939a3e-6b5c-7000-8000-4c6f64676501',
    name: 'Linux',
    description: 'UEFI and virtio: what every Linux of the last ten years knows',
    hardware: LINUX,
  },
  {
    id: '01939a3e-6b5c-7000-8000-4c6f64676502',
    name: 'Windows 11',
    description: 'UEFI with Secure Boot and a TPM 2.0, as the setup of Windows 11 asks for',
    hardware: WINDOWS_11,
  },
] as const

/** Installs the built-in profiles; existing ones are left alone. */
export async function seedBuiltInProfiles({ db }: { readonly db: Db }): Promise<void> {
  for (const profile of BUILT_IN) await insertProfile(db, { ...profile, builtIn: true })
}
