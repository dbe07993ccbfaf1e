import { rm } from 'node:fs/promises'
import { mayDelete, requireFiles, takeFiles } from '@lodge/driver/storage/holder.ts'
import { imagePrefix, removeImagesOf } from '@lodge/driver/storage/images.ts'
import { type SharedStorages, sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Config } from '../config.ts'

/** What is to run, or has run, under one placement. */
export interface PlacedServer {
  readonly serverId: string
  readonly placementGeneration: number
  readonly spec: WorkloadSpec | null
}

/**
 * Which node has the files of servers on shared storages. Leases and fencing keep a server from running
 * twice; that a node starts it only on files that it has is the second safety, which lies with the files
 * themselves. All of it does nothing for servers on the node's own disk.
 */
export interface StorageHolds {
  /** Those of the configuration. */
  readonly all: SharedStorages
  /**
   * Before anything runs on the files.
   * @throws {DriverError} not_permitted: another node has them since; storage_away
   */
  take(server: PlacedServer): Promise<void>
  /** The same before files are copied there, which the server does not run on yet. */
  takeOn(storageId: string, server: Omit<PlacedServer, 'spec'>): Promise<void>
  /**
   * Of a server that another node has, or had.
   * @throws {DriverError} disk_missing, storage_away
   */
  require(serverId: string, spec: WorkloadSpec): Promise<void>
  /**
   * Whether the files go with the server.
   * @throws {DriverError} storage_away
   */
  mayDelete(server: PlacedServer): Promise<boolean>
  /**
   * The same of a server that lies elsewhere by now.
   * @throws {DriverError} storage_away
   */
  mayDeleteFrom(
    storageId: string,
    server: Pick<PlacedServer, 'serverId' | 'placementGeneration'>,
  ): Promise<boolean>
  /**
   * Deletes what lies there of a server, also where no driver knows of it yet.
   * @throws {DriverError} storage_away
   */
  clear(storageId: string, serverId: string): Promise<void>
}

export function storageHolds(
  nodeId: string,
  { sharedStorages: places, rbdPools }: Pick<Config, 'sharedStorages' | 'rbdPools'>,
): StorageHolds {
  const storages = sharedStorages(places, rbdPools)
  const storageOf = async (spec: WorkloadSpec | null) =>
    spec?.storage === undefined ? undefined : await storages.find(spec.storage)
  const mayDeleteFrom: StorageHolds['mayDeleteFrom'] = async (
    storageId,
    { serverId, placementGeneration },
  ) => {
    const storage = await storages.find(storageId)
    if (!(await exists(storage.folder(serverId)))) return true
    return await mayDelete(storage, serverId, { nodeId, placementGeneration })
  }
  return {
    all: storages,
    async take({ serverId, placementGeneration, spec }) {
      const storage = await storageOf(spec)
      if (storage) await takeFiles(storage, serverId, { nodeId, placementGeneration })
    },
    async takeOn(storageId, { serverId, placementGeneration }) {
      await takeFiles(await storages.find(storageId), serverId, { nodeId, placementGeneration })
    },
    async require(serverId, spec) {
      const storage = await storageOf(spec)
      if (storage) await requireFiles(storage, serverId)
    },
    async mayDelete({ spec, ...server }) {
      return spec?.storage === undefined || (await mayDeleteFrom(spec.storage, server))
    },
    mayDeleteFrom,
    async clear(storageId, serverId) {
      const storage = await storages.find(storageId)
      const { pool } = storage
      if (pool) await removeImagesOf(pool, imagePrefix(storageId, serverId))
      await rm(storage.folder(serverId), { recursive: true, force: true })
    },
  }
}
