import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Ctx } from '../../../context.ts'
import { panelSettings, readSettings } from '../../settings/index.ts'

/** The address of the panel's page of billing, where providers lead people back to. */
export async function billingPage(
  ctx: Ctx,
  { protocol, host }: { readonly protocol: string; readonly host: string },
): Promise<string> {
  const { origin } = await readSettings(ctx.db, panelSettings)
  return (origin ?? `${protocol}://${host}`) + panelPath('billing')
}
