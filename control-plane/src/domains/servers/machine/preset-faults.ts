import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { Db } from '../../../db/database.ts'
import { havingStorage } from '../../nodes/index.ts'
import { findMedium, findNetwork, findProfile, whyNotMedium } from '../../virtualization/index.ts'
import { tooSmall } from './shape.ts'

interface Fault {
  readonly pointer: string
  readonly detail: string
}

/** Validates the server of a plan; faults by field. */
export async function presetFaults(db: Db, preset: ServerPreset): Promise<Fault[]> {
  const { storageId } = preset
  const faults = await machineFaults(db, preset)
  if (storageId === undefined || (await havingStorage(db, storageId)).length > 0) return faults
  const detail = 'is not a shared storage that a node has now'
  return [...faults, { pointer: '/preset/storageId', detail }]
}

/** Those of its virtual machine, none for a container. */
async function machineFaults(
  db: Db,
  { templateIds, vm, memoryMb, diskMb }: ServerPreset,
): Promise<Fault[]> {
  if (!vm) return []
  const { vcpus, mediaIds, networkId } = vm
  const faults: Fault[] = []
  for (const [at, id] of templateIds.entries()) {
    const profile = await findProfile(db, id)
    if (!profile?.enabled)
      faults.push({
        pointer: `/preset/templateIds/${at}`,
        detail: profile ? 'is not enabled for new machines' : 'is not a hardware profile',
      })
    else
      for (const { pointer, detail } of tooSmall(profile, { vcpus, memoryMb, diskMb }))
        faults.push({ pointer: `/preset${pointer}`, detail })
  }
  for (const [at, id] of mediaIds.entries()) {
    const medium = await findMedium(db, id)
    const why = whyNotMedium(medium)
    if (why) faults.push({ pointer: `/preset/vm/mediaIds/${at}`, detail: why })
    const leastMb = medium?.virtualSizeMb ?? 0
    if (leastMb > diskMb)
      faults.push({
        pointer: '/preset/diskMb',
        detail: `must be ${leastMb} at least: ${medium?.name} is that large`,
      })
  }
  const network = networkId === null ? undefined : await findNetwork(db, networkId)
  if (networkId !== null && !network?.enabled)
    faults.push({
      pointer: '/preset/vm/networkId',
      detail: network ? 'is not enabled for new machines' : 'is not a network',
    })
  return faults
}
