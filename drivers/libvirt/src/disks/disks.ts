import type { KeptFile } from '../copies/kept-file.ts'

type Tell = (count: number) => void
type Locked = (work: () => Promise<void>) => Promise<void>

/** How QEMU's own programs open a disk. */
export interface DiskLocation {
  readonly name: string
  readonly format: 'qcow2' | 'raw'
}

/**
 * What is done with the disks of a machine, whatever they are. Each has a file in the machine's folder:
 * the disk itself, or the note of its image in an RBD pool. Either way, whoever renames or deletes that
 * file renames or deletes the disk.
 */
export interface Disks {
  /** How names of the files end. */
  readonly ending: '.qcow2' | '.rbd'
  /** @throws {DriverError} `disk_missing`, `medium_invalid` */
  sizeBytes(path: string): Promise<number>
  /** Makes an empty disk, readable by its owner only. */
  create(path: string, sizeMb: number): Promise<void>
  /** Grows the disk of a stopped machine. */
  grow(path: string, sizeMb: number): Promise<void>
  /** Makes a disk with the content of an image of a known format. */
  copyIn(
    from: string,
    format: 'qcow2' | 'raw',
    path: string,
    onPercent: (percent: number) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Where QEMU's own programs find a disk, for `copyIn` of others, too. */
  at(path: string): Promise<DiskLocation>
  /** Copies a disk to a standalone qcow2 file. */
  copyOut(
    path: string,
    to: string,
    onPercent: (percent: number) => void,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Makes a disk of a restored qcow2 file.
   * @param holding does work with the lock of the machine, so that nobody sweeps meanwhile
   * @returns its name in the same folder
   */
  adopt(path: string, holding: Locked, signal: AbortSignal): Promise<string>
  /** Copies a disk of a stopped machine for a snapshot. Not durable until synced. */
  keep(
    path: string,
    to: string,
    signal: AbortSignal,
    onBytes: Tell,
  ): Promise<Omit<KeptFile, 'name' | 'part'>>
  /** Copies a disk back from a snapshot, of which it proves what can be proven. */
  bringBack(
    kept: KeptFile,
    from: string,
    to: string,
    signal: AbortSignal,
    onBytes: Tell,
  ): Promise<void>
  /** Space that these disks take; missing ones take none. */
  usedBytes(paths: readonly string[]): Promise<number>
  /** Has whoever still writes to the disk write no more. The machine is not running, and placed here. */
  claim(path: string): Promise<void>
  /**
   * Deletes what no file names any more. Never throws: what cannot be deleted now is by the next one. The
   * caller holds the lock of the machine.
   */
  sweep(): Promise<void>
  /** Deletes every disk, before the folder goes. */
  removeAll(): Promise<void>
}
