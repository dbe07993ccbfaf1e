import { statfsSync } from 'node:fs'
import type { Quota } from '../quota.ts'
import type { Tree } from '../tree.ts'
import { field } from './packets.ts'

const BLOCK_BYTES = 4096
const MAX_NAME_BYTES = 255

/** The disk of the server as clients show it: its limit, not the disk of the node. */
export function volumeOf(tree: Tree, quota: Quota): Buffer {
  const { usedBytes, limitBytes } = quota.usage()
  const disk = statfsSync(`/proc/self/fd/${tree.fd}`)
  const blocks = Math.floor((limitBytes ?? disk.blocks * disk.bsize) / BLOCK_BYTES)
  const freeOfLimit = limitBytes === null ? Infinity : Math.max(0, limitBytes - (usedBytes ?? 0))
  const free = Math.floor(Math.min(freeOfLimit, disk.bavail * disk.bsize) / BLOCK_BYTES)
  const facts = [BLOCK_BYTES, BLOCK_BYTES, blocks, free, free, disk.files, disk.ffree, disk.ffree]
  return Buffer.concat([...facts, 0, 0, MAX_NAME_BYTES].map(field.uint64))
}
