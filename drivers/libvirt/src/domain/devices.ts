import type { MachineDisk, MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { MachinePaths } from '../data/layout.ts'
import type { ImageSource } from '../disks/ceph-key.ts'
import type { DiskCache } from '../disks/disk-cache.ts'
import { type Element, element } from '../xml/element.ts'

/** The disks and drives of a machine. */

const LETTERS = 'abcdefgh'
/** The media drive and the cloud-init seed use names after those of eight disks. */
const MEDIUM_TARGET = 'sdy'
const SEED_TARGET = 'sdz'
const SATA_DISKS_PER_CONTROLLER = 5
const SEED_SCSI_TARGET = 15

type Bus = MachineSpec['profile']['diskBus']

/** `vda` for a virtio disk, `sda` for others. */
export function targetOf(bus: Bus, index: number): string {
  return `${bus === 'virtio' ? 'vd' : 'sd'}${LETTERS[index] ?? 'h'}`
}

export interface DiskPlaces {
  readonly paths: MachinePaths
  readonly diskCache: DiskCache
  /** Of disks that are images in a pool, by id. */
  readonly images?: ReadonlyMap<string, ImageSource>
}

export function diskElement(
  disk: MachineDisk,
  index: number,
  bus: Bus,
  { paths, diskCache, images }: DiskPlaces,
  bootOrder: number | undefined,
): Element {
  const { limits } = disk
  const image = images?.get(disk.id)
  const limited = Object.values(limits).some((value) => value > 0)
  return element(
    'disk',
    { type: image ? 'network' : 'file', device: 'disk' },
    // Always explicit: with format probing, a guest could write another format's header to its disk
    // and have QEMU open files of the node.
    element('driver', {
      ...{ name: 'qemu', type: image ? 'raw' : 'qcow2', cache: diskCache, discard: 'unmap' },
    }),
    image ? imageElement(image) : element('source', { file: paths.disk(disk.id) }),
    element('target', { dev: targetOf(bus, index), bus }),
    limited &&
      element(
        'iotune',
        {},
        element('read_iops_sec', {}, limits.readIops),
        element('write_iops_sec', {}, limits.writeIops),
        element('read_bytes_sec', {}, limits.readBytesPerSecond),
        element('write_bytes_sec', {}, limits.writeBytesPerSecond),
      ),
    element('serial', {}, disk.id),
    bootOrder !== undefined && element('boot', { order: bootOrder }),
    diskAddress(bus, index),
  )
}

/** The monitors are in Ceph's own configuration; QEMU has the key from libvirt. */
const imageElement = ({ pool, image, user, configFile, secretUuid }: ImageSource): Element =>
  element(
    'source',
    { protocol: 'rbd', name: `${pool}/${image}` },
    element('config', { file: configFile }),
    element('auth', { username: user }, element('secret', { type: 'ceph', uuid: secretUuid })),
  )

function diskAddress(bus: Bus, index: number): Element | null {
  if (bus === 'virtio') return null
  const place =
    bus === 'scsi'
      ? { controller: 0, target: index, unit: 0 }
      : {
          controller: Math.floor(index / SATA_DISKS_PER_CONTROLLER),
          target: 0,
          unit: index % SATA_DISKS_PER_CONTROLLER,
        }
  return element('address', { type: 'drive', bus: 0, ...place })
}

/**
 * The drive for installation media, empty without a file. On SATA, which every firmware can read.
 */
export function mediumElement(file: string | null, bootOrder?: number): Element {
  return element(
    'disk',
    { type: 'file', device: 'cdrom' },
    element('driver', { name: 'qemu', type: 'raw' }),
    // The file is shared by machines and belongs to the agent, so libvirt must not change its
    // owner.
    file !== null &&
      element('source', { file }, element('seclabel', { model: 'dac', relabel: 'no' })),
    element('target', { dev: MEDIUM_TARGET, bus: 'sata' }),
    element('readonly'),
    bootOrder !== undefined && element('boot', { order: bootOrder }),
    element('address', { type: 'drive', controller: 0, bus: 0, target: 0, unit: 5 }),
  )
}

/** The seed of a cloud image, on virtio-scsi, which kernels of cloud images support. */
export function seedElement(file: string): Element {
  return element(
    'disk',
    { type: 'file', device: 'cdrom' },
    element('driver', { name: 'qemu', type: 'raw' }),
    element('source', { file }),
    element('target', { dev: SEED_TARGET, bus: 'scsi' }),
    element('readonly'),
    element('address', {
      type: 'drive',
      controller: 0,
      bus: 0,
      target: SEED_SCSI_TARGET,
      unit: 0,
    }),
  )
}
