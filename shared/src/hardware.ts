import { z } from 'zod'
import { MOST_STORAGES, StorageReport } from './shared-storage.ts'

const bytes = z.int().min(0)

/** A disk or a network interface of the machine itself, not one that an engine made. */
const Disk = z.object({
  name: z.string().max(64),
  model: z.string().max(128),
  sizeBytes: bytes,
  kind: z.enum(['ssd', 'hdd']),
})
const NetworkInterface = z.object({
  name: z.string().max(64),
  mac: z.string().max(32),
  /** Null while it has no link, and where the driver does not know. */
  speedMbit: z.int().positive().nullable(),
  up: z.boolean(),
  addresses: z.array(z.string().max(64)).max(32),
})

/** What a machine consists of, as its agent found. */
export const HardwareReport = z.object({
  cpu: z.object({
    model: z.string().max(128),
    /** What the scheduler has: the unit of capacity. */
    threads: z.int().min(1).max(100_000),
    /** Null where the kernel does not say. */
    cores: z.int().min(1).max(100_000).nullable(),
    sockets: z.int().min(1).max(1_000).nullable(),
    architecture: z.string().max(32),
  }),
  memoryBytes: bytes,
  swapBytes: bytes,
  /** The file system that holds the servers' data. */
  data: z.object({ path: z.string().max(255), sizeBytes: bytes }),
  disks: z.array(Disk).max(64),
  /** Absent from agents that know of none. */
  storages: z.array(StorageReport).max(MOST_STORAGES).optional(),
  interfaces: z.array(NetworkInterface).max(64),
  system: z.object({
    name: z.string().max(128),
    kernel: z.string().max(128),
    hostname: z.string().max(253),
    /** The machine is a guest itself. */
    virtualized: z.boolean(),
  }),
})
export type HardwareReport = z.infer<typeof HardwareReport>
