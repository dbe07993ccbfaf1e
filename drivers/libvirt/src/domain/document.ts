import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { MachinePaths } from '../data/layout.ts'
import { nameInLibvirt, tapName } from '../network/names.ts'
import { type Element, element, write } from '../xml/element.ts'
import { type DiskPlaces, diskElement, mediumElement, seedElement } from './devices.ts'
import { type MachineRecord, recordElement } from './record.ts'

export interface DomainInput extends DiskPlaces {
  readonly name: string
  readonly record: MachineRecord
  readonly accelerator: 'kvm' | 'qemu'
  /** Path of the medium on this node, or null. */
  readonly mediumFile: string | null
  readonly hasSeed: boolean
  /** False where the kernel lacks CPU cgroups. */
  readonly cpuLimit: boolean
}

const CPU_PERIOD_MICROSECONDS = 100_000

/** The definition of a machine in libvirt's XML (libvirt.org/formatdomain.html). */
export function domainDocument(input: DomainInput): string {
  const { record, paths } = input
  const { spec } = record
  const { profile } = spec
  const order = (device: (typeof spec.bootOrder)[number]) => {
    const place = spec.bootOrder.indexOf(device)
    return place < 0 ? undefined : place + 1
  }
  return write(
    element(
      'domain',
      { type: input.accelerator },
      element('name', {}, input.name),
      element('uuid', {}, spec.uuid),
      element('metadata', {}, recordElement(record)),
      element('memory', { unit: 'MiB' }, spec.memoryMb),
      element('vcpu', {}, spec.vcpus),
      input.cpuLimit && cpuTune(spec),
      operatingSystem(spec, paths),
      element(
        'features',
        {},
        element('acpi'),
        element('apic'),
        profile.firmware.kind === 'uefi' &&
          profile.firmware.secureBoot &&
          element('smm', { state: 'on' }),
      ),
      cpu(spec, input.accelerator),
      element('clock', { offset: 'utc' }),
      element('on_poweroff', {}, 'destroy'),
      element('on_reboot', {}, 'restart'),
      // The agent decides on restarts.
      element('on_crash', {}, 'destroy'),
      element(
        'devices',
        {},
        element('controller', { type: 'scsi', index: 0, model: 'virtio-scsi' }),
        ...spec.disks.map((disk, index) =>
          diskElement(disk, index, profile.diskBus, input, index === 0 ? order('disk') : undefined),
        ),
        mediumElement(input.mediumFile, order('cdrom')),
        input.hasSeed && seedElement(paths.seed),
        networkCard(record, order('network')),
        ...consoles(paths),
        ...(profile.video === 'none' ? [] : screen(profile.video, paths)),
        profile.guestAgent &&
          element(
            'channel',
            { type: 'unix' },
            element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' }),
          ),
        profile.tpm &&
          element(
            'tpm',
            { model: 'tpm-crb' },
            element('backend', { type: 'emulator', version: '2.0' }),
          ),
        element('panic', { model: 'isa' }),
        element('watchdog', { model: 'i6300esb', action: 'poweroff' }),
        element('memballoon', { model: 'virtio' }, element('stats', { period: 5 })),
        element(
          'rng',
          { model: 'virtio' },
          element('backend', { model: 'random' }, '/dev/urandom'),
        ),
      ),
    ),
  )
}

function cpuTune({ cpuPercent, vcpus }: MachineSpec): Element | null {
  if (cpuPercent >= vcpus * 100) return null
  return element(
    'cputune',
    {},
    element('global_period', {}, CPU_PERIOD_MICROSECONDS),
    element('global_quota', {}, (CPU_PERIOD_MICROSECONDS * cpuPercent) / 100),
  )
}

function operatingSystem({ profile }: MachineSpec, paths: MachinePaths): Element {
  const { firmware } = profile
  return element(
    'os',
    {},
    element('type', { arch: 'x86_64', machine: profile.machine }, 'hvm'),
    firmware.kind === 'uefi' &&
      element(
        'loader',
        { readonly: 'yes', type: 'pflash', secure: firmware.secureBoot ? 'yes' : 'no' },
        firmware.loader.path,
      ),
    firmware.kind === 'uefi' && element('nvram', { template: firmware.vars.path }, paths.firmware),
  )
}

function cpu({ profile }: MachineSpec, accelerator: DomainInput['accelerator']): Element {
  const { cpuModel } = profile
  if (cpuModel === 'host' && accelerator === 'kvm')
    return element('cpu', { mode: 'host-passthrough', check: 'none', migratable: 'on' })
  // Emulation has no host CPU to pass through; the maximum model comes closest.
  if (cpuModel === 'host' || cpuModel === 'max')
    return element('cpu', { mode: 'maximum', check: 'none', migratable: 'on' })
  return element(
    'cpu',
    { mode: 'custom', match: 'exact', check: 'none' },
    element('model', { fallback: 'forbid' }, cpuModel),
  )
}

function networkCard({ scope, spec }: MachineRecord, bootOrder: number | undefined): Element {
  return element(
    'interface',
    { type: 'network' },
    element('mac', { address: spec.network.mac }),
    element('source', { network: nameInLibvirt(scope, spec.network) }),
    element('target', { dev: tapName(spec.network.mac) }),
    element('model', { type: spec.profile.nicModel }),
    element('port', { isolated: 'yes' }),
    // Skips the network boot ROM, which would delay each start by seconds.
    bootOrder === undefined && element('rom', { enabled: 'no' }),
    bootOrder !== undefined && element('boot', { order: bootOrder }),
  )
}

function consoles(paths: MachinePaths): readonly Element[] {
  const source = element('source', { mode: 'bind', path: paths.serialSocket })
  const log = element('log', { file: paths.serialLog, append: 'on' })
  return [element('serial', { type: 'unix' }, source, log, element('target', { port: 0 }))]
}

function screen(video: string, paths: MachinePaths): readonly Element[] {
  return [
    element(
      'graphics',
      { type: 'vnc', sharePolicy: 'force-shared' },
      element('listen', { type: 'socket', socket: paths.screenSocket }),
    ),
    element('video', {}, element('model', { type: video })),
    element('input', { type: 'tablet', bus: 'usb' }),
  ]
}
