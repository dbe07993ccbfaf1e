import { z } from 'zod'

/** A shared storage as one node sees it: a file system of the operator that several nodes have mounted. */
export const StorageReport = z.object({
  name: z.string().max(64),
  path: z.string().max(255),
  /** What tells it from others, wherever it is mounted; null while it is not there. */
  id: z.uuid().nullable(),
  /** Why it is not there; null while it is. */
  why: z.string().max(500).nullable(),
  /** What to do about that. */
  remedy: z.string().max(500).nullable(),
  sizeBytes: z.int().min(0),
  freeBytes: z.int().min(0),
  /** The RBD pool with the disks of its virtual machines; absent without one. */
  pool: z
    .object({
      name: z.string().max(255),
      /** Null where Ceph does not say. */
      sizeBytes: z.int().min(0).nullable(),
      freeBytes: z.int().min(0).nullable(),
    })
    .optional(),
})
export type StorageReport = z.infer<typeof StorageReport>

/** Most storages that a node may have. */
export const MOST_STORAGES = 16

/** Beyond the user ids of people, of most subordinate ranges, and of servers on the nodes' own disks. */
export const FIRST_STORAGE_UID = 0x4000_0000

/** What the first node writes into a storage, and proves it from then on. */
export const StorageMark = z.object({
  id: z.uuid(),
  /** The first user id of its servers. */
  uidBase: z.int().min(FIRST_STORAGE_UID).max(0x7fff_0000),
  /** The RBD pool of Ceph that has the disks of its virtual machines; absent: they are files. */
  pool: z.string().optional(),
})
export type StorageMark = z.infer<typeof StorageMark>

/** Which node has a server's files on a storage, and since which placement. */
export const StorageHolder = z.object({ nodeId: z.uuid(), placementGeneration: z.int().min(0) })
export type StorageHolder = z.infer<typeof StorageHolder>

/** In the spec of a server, so that it goes wherever the server goes. */
export const OnSharedStorage = z
  .uuid()
  .optional()
  .describe('the shared storage that its files lie on; absent: the disk of its node')
