import { MachineSpec } from '@lodge/shared/machine-spec.ts'

/** A machine spec for tests that start no machine. */
export function exampleSpec(change: Partial<Record<keyof MachineSpec, unknown>> = {}): MachineSpec {
  return MachineSpec.parse({
    kind: 'machine',
    uuid: '0191d3a4-0000-7000-8000-000000000001',
    ownerId: '0191d3a4-0000-7000-8000-000000000002',
    hostname: 'example',
    emulationAllowed: true,
    profile: {
      machine: 'q35',
      firmware: { kind: 'bios' },
      tpm: false,
      cpuModel: 'host',
      diskBus: 'virtio',
      nicModel: 'virtio',
      video: 'virtio',
      guestAgent: true,
    },
    vcpus: 2,
    memoryMb: 2048,
    cpuPercent: 200,
    disks: [{ id: 'system', sizeMb: 10_240 }],
    medium: null,
    bootOrder: ['disk', 'cdrom'],
    source: { kind: 'blank' },
    network: {
      mode: 'nat',
      name: 'lodge0',
      bridge: 'lgbr0',
      mac: '52:54:00:0a:0b:0c',
      address: '10.77.0.11',
      prefixLength: 24,
      gateway: '10.77.0.1',
      dns: ['10.77.0.1'],
    },
    natRules: [],
    stop: { by: 'acpi', timeoutSeconds: 60 },
    proofOfLife: { stayUpSeconds: 0 },
    ...change,
  })
}
