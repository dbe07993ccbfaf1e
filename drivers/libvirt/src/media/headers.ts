import { open } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import type { MediumRef } from '@lodge/shared/machine-spec.ts'

/** Validates the start of an image before any other program opens it. */

/** The ISO 9660 or UDF identifier: in the first descriptor, after its type. */
const ISO_MARK = 16 * 2048 + 1
const HEAD_BYTES = 64 * 1024
const MIB = 1024 * 1024

/**
 * Incompatible qcow2 features that QEMU handles without other files: dirty, other compression,
 * extended L2.
 */
const HARMLESS_FEATURES = 0b11001n
const DATA_FILE_NAME = 0x44415441
const FEWEST_CLUSTER_BITS = 9
const MOST_CLUSTER_BITS = 21

/** Magic numbers of formats that are not raw. */
const FOREIGN = ['QFI\xfb', 'KDMV', 'vhdxfile', 'QED\0', 'LUKS\xba\xbe', '<<< ', 'conectix', 'COWD']

/**
 * Returns the virtual size in MiB. Throws `medium_invalid` when the file is not of the declared
 * type, or references other files that QEMU would open.
 */
export async function checkImage(path: string, kind: MediumRef['kind']): Promise<number> {
  const { head, bytes } = await beginning(path)
  if (kind === 'qcow2') return qcow2SizeMb(head)
  if (kind === 'iso') {
    const mark = head.toString('latin1', ISO_MARK, ISO_MARK + 5)
    if (mark !== 'CD001' && mark !== 'BEA01') throw invalid('This is no ISO image.')
  } else {
    const start = head.toString('latin1', 0, 16)
    if (bytes === 0) throw invalid('This image is empty.')
    if (FOREIGN.some((magic) => start.startsWith(magic)))
      throw invalid('This is an image of another kind and not a raw one.')
  }
  return Math.ceil(bytes / MIB)
}

/** Like `checkImage`, for a machine's own disk, in bytes. */
export async function diskSizeBytes(path: string): Promise<number> {
  return qcow2Bytes((await beginning(path)).head)
}

function qcow2SizeMb(head: Buffer): number {
  return Math.ceil(qcow2Bytes(head) / MIB)
}

/** Offsets as in QEMU's docs/interop/qcow2.txt. */
function qcow2Bytes(head: Buffer): number {
  if (head.length < 104 || head.toString('latin1', 0, 4) !== 'QFI\xfb')
    throw invalid('This is no qcow2 image.')
  const version = head.readUInt32BE(4)
  if (version !== 2 && version !== 3)
    throw invalid(`This is a qcow2 image of the unknown version ${version}.`)
  if (head.readBigUInt64BE(8) !== 0n) throw invalid('This image is based on another file.')
  const clusterBits = head.readUInt32BE(20)
  if (clusterBits < FEWEST_CLUSTER_BITS || clusterBits > MOST_CLUSTER_BITS)
    throw invalid('This qcow2 image has an impossible header.')
  if (head.readUInt32BE(32) !== 0) throw invalid('This image is encrypted.')
  if (version === 3) checkVersion3(head)
  const bytes = head.readBigUInt64BE(24)
  if (bytes === 0n || bytes > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalid('This qcow2 image has an impossible size.')
  return Number(bytes)
}

function checkVersion3(head: Buffer): void {
  if ((head.readBigUInt64BE(72) & ~HARMLESS_FEATURES) !== 0n)
    throw invalid('This image keeps its data elsewhere, is damaged or needs a newer QEMU.')
  const headerLength = head.readUInt32BE(100)
  if (headerLength < 104 || headerLength > head.length)
    throw invalid('This qcow2 image has an impossible header.')
  for (let at = headerLength; at + 8 <= head.length; ) {
    const [type, length] = [head.readUInt32BE(at), head.readUInt32BE(at + 4)]
    if (type === 0) return
    if (type === DATA_FILE_NAME) throw invalid('This image keeps its data in another file.')
    at += 8 + Math.ceil(length / 8) * 8
  }
}

async function beginning(path: string): Promise<{ head: Buffer; bytes: number }> {
  const file = await open(path, 'r')
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw invalid('This is no file.')
    const head = Buffer.alloc(Math.min(HEAD_BYTES, stats.size))
    await file.read(head, 0, head.length, 0)
    return { head, bytes: stats.size }
  } finally {
    await file.close()
  }
}

function invalid(message: string): DriverError {
  return new DriverError('medium_invalid', message)
}
