import { basename } from 'node:path'
import { bytesOnDisk } from '../copies/file-bytes.ts'
import { bringBackFile, keepFile } from '../copies/kept-file.ts'
import { diskSizeBytes } from '../media/headers.ts'
import type { Disks } from './disks.ts'
import { copyImage, createDisk, growDisk } from './qemu-img.ts'

/** Disks that are qcow2 files. */
export const fileDisks: Disks = {
  ending: '.qcow2',
  sizeBytes: diskSizeBytes,
  create: createDisk,
  grow: growDisk,
  copyIn: copyImage,
  at: async (path) => ({ name: path, format: 'qcow2' }),
  copyOut: (path, ...rest) => copyImage(path, 'qcow2', ...rest),
  adopt: async (path) => basename(path),
  keep: keepFile,
  bringBack: bringBackFile,
  usedBytes: bytesOnDisk,
  claim: async () => {},
  sweep: async () => {},
  removeAll: async () => {},
}
