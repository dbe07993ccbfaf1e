import type { VirtualizationCatalogue } from '@lodge/shared/vms.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { vmNodes } from '../nodes/index.ts'
import { arrivingFile, sizeOf } from './media/folder.ts'
import { describeMedium } from './media/media.ts'
import { describeNetwork } from './networks/networks.ts'
import { describeProfile } from './profiles/profiles.ts'
import { leaseCounts } from './questions.ts'
import { listMedia, listNetworks, listProfiles } from './store.ts'
import type { MediumRow } from './tables.ts'

/** The parts of machines: for customers those enabled and checked, for the host all of them. */
export async function catalogue(ctx: Ctx<User>): Promise<VirtualizationCatalogue> {
  const { db } = ctx
  const host = hasPermission(ctx.actor, 'virtualization.manage')
  const [profiles, media, networks] = [
    await listProfiles(db),
    await listMedia(db),
    await listNetworks(db),
  ]
  const leased = host ? await ctx.catalogue.answers.to(leaseCounts)(db) : undefined
  const uploaded = async (row: MediumRow) =>
    host && row.state === 'uploading' ? await sizeOf(arrivingFile(ctx, row.id)) : null
  const shown = (one: { enabled: boolean }) => host || one.enabled
  return {
    profiles: profiles.filter(shown).map(describeProfile),
    media: await Promise.all(
      media
        .filter((row) => shown(row) && (host || row.state === 'ready'))
        .map(async (row) => describeMedium(row, host, await uploaded(row))),
    ),
    networks: networks
      .filter(shown)
      .map((row) => describeNetwork(row, leased && (leased.get(row.id) ?? 0))),
    available: (await vmNodes(db)).some((node) => !node.cordoned),
  }
}
