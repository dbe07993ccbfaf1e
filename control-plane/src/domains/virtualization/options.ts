import { VirtualizationCatalogue } from '@lodge/shared/vms.ts'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { vmNodes } from '../nodes/index.ts'
import { describeMedium } from './media/media.ts'
import { describeNetwork } from './networks/networks.ts'
import { describeProfile } from './profiles/profiles.ts'
import { listMedia, listNetworks, listProfiles } from './store.ts'

/** The part of the catalogue for self-service creation of virtual machines, with locations. */
export const MachineOptions = VirtualizationCatalogue.extend({ locations: z.array(z.string()) })
export type MachineOptions = z.infer<typeof MachineOptions>

/**
 * Released profiles and networks, verified media, and the locations of nodes that take machines.
 * @param allowed profiles and locations that the customer's limits allow
 */
export async function machineOptions(
  db: Db,
  allowed: { profile: (id: string) => boolean; location: (name: string) => boolean },
): Promise<MachineOptions> {
  const [profiles, media, networks, nodes] = [
    await listProfiles(db),
    await listMedia(db),
    await listNetworks(db),
    await vmNodes(db),
  ]
  const released = (one: { enabled: boolean; customerVisible: boolean }) =>
    one.enabled && one.customerVisible
  const open = nodes.filter(({ cordoned }) => !cordoned).map(({ location }) => location)
  const locations = [...new Set(open)].filter(allowed.location).sort()
  return {
    profiles: profiles
      .filter((row) => released(row) && allowed.profile(row.id))
      .map(describeProfile),
    media: media
      .filter(({ enabled, state }) => enabled && state === 'ready')
      .map((row) => describeMedium(row, false)),
    networks: networks.filter(released).map((row) => describeNetwork(row, undefined)),
    locations,
    available: locations.length > 0,
  }
}
