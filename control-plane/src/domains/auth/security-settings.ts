import { addressSet } from '@lodge/shared/addresses.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { type SecuritySettings, securitySettings, writeSettings } from '../settings/index.ts'

/**
 * Takes effect on every instance immediately; administrators at other addresses lose their open
 * connections.
 */
export async function changeSecuritySettings(
  ctx: Ctx<User>,
  wanted: SecuritySettings,
): Promise<SecuritySettings> {
  const { administratorAddresses: addresses } = wanted
  if (addresses.length > 0 && !addressSet(addresses)(ctx.actor.address)) {
    throw new Problem(
      'conflict',
      `This would shut you out: you come from ${ctx.actor.address}, so name that address too`,
    )
  }
  return ctx.transaction(async (ctx) => {
    const written = await writeSettings(ctx.db, securitySettings, wanted)
    await ctx.live.announce(ctx.db, { kind: 'settings', id: securitySettings.name })
    return written
  })
}
