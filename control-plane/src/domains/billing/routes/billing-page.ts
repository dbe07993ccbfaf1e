import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Ctx } from '../../../context.ts'
import { panelSettings, readSettings } from '../../settings/index.ts'

/** The URL of the panel's billing page, to which providers send people back. */
export async function billingPage(
  ctx: Ctx,
  { protocol, host }: { readonly protocol: string; readonly host: string },
): Promise<string> {
  const { origin } = await readSettings(ctx.db, panelSettings)
  return (origin ?? `${protocol}://${host}`) + panelPath('billing')
}
