import { randomUUID } from 'node:crypto'
import { MachineSpec } from '@lodge/shared/machine-spec.ts'

const FIRMWARE = '/usr/share/OVMF/OVMF_CODE_4M.fd'

/**
 * The document of a machine with firmware variables and a TPM that prints `ready` on its serial
 * line.
 */
export function machineText(change: Record<string, unknown> = {}): string {
  return JSON.stringify(
    MachineSpec.parse({
      kind: 'machine',
      uuid: randomUUID(),
      ownerId: randomUUID(),
      hostname: 'a-machine',
      emulationAllowed: true,
      profile: {
        machine: 'q35',
        firmware: {
          kind: 'uefi',
          secureBoot: false,
          loader: { path: FIRMWARE },
          vars: { path: FIRMWARE.replace('CODE', 'VARS') },
        },
        tpm: true,
        cpuModel: 'max',
        diskBus: 'virtio',
        nicModel: 'virtio',
        video: 'virtio',
        guestAgent: false,
      },
      vcpus: 1,
      memoryMb: 128,
      cpuPercent: 100,
      disks: [{ id: 'system', sizeMb: 64 }],
      medium: null,
      bootOrder: ['disk'],
      source: { kind: 'blank' },
      network: {
        mode: 'nat',
        name: 'lodge-test',
        bridge: 'ldgvm0',
        mac: '52:54:00:00:00:01',
        address: '10.77.0.10',
        prefixLength: 24,
        gateway: '10.77.0.1',
        dns: [],
      },
      natRules: [],
      stop: { by: 'acpi', timeoutSeconds: 5 },
      proofOfLife: { patterns: [{ kind: 'text', value: 'ready' }] },
      ...change,
    }),
  )
}
