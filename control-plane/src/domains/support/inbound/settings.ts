import { randomBytes } from 'node:crypto'
import type { EditInboundSettings, InboundSettings } from '@lodge/shared/support/inbound.ts'
import { z } from 'zod'
import type { Area } from '../../../catalogue.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { lockSettings, readSettings, writeSettings } from '../../settings/index.ts'

/** How long the former secret stays valid, so that a bridge can be switched over. */
const OVERLAP_MS = 24 * 3_600_000

const Stored = z.strictObject({
  enabled: z.boolean(),
  address: z.string().nullable(),
  opensTickets: z.boolean(),
  /** Encrypted. */
  secret: z.string().nullable(),
  former: z.strictObject({ secret: z.string(), until: z.iso.datetime() }).nullable(),
})
type Stored = z.infer<typeof Stored>

export const inboundArea: Area<Stored> = {
  name: 'inbound_mail',
  schema: Stored,
  initial: { enabled: false, address: null, opensTickets: true, secret: null, former: null },
}

const place = { table: 'settings', id: inboundArea.name, column: 'secret' }
const seal = (vault: Vault, secret: string) => vault.seal(secret, place).toString('base64')
const open = (vault: Vault, sealed: string) => vault.open(Buffer.from(sealed, 'base64'), place)

export const describeInbound = (
  { smtp, now }: Pick<Ctx, 'smtp' | 'now'>,
  { enabled, address, opensTickets, secret, former }: Stored,
): InboundSettings => ({
  ...{ enabled, address, opensTickets },
  hasSecret: secret !== null,
  formerSecretUntil: former && new Date(former.until) > now ? former.until : null,
  smtpPort: smtp.port,
})

/** The settings of incoming mail. */
export const inboundSettings = async (ctx: Ctx): Promise<InboundSettings> =>
  describeInbound(ctx, await readSettings(ctx.db, inboundArea))

export async function changeInboundSettings(
  ctx: Ctx,
  given: EditInboundSettings,
): Promise<InboundSettings> {
  const present = await lockSettings(ctx.db, inboundArea)
  const { enabled, address = present.address, opensTickets = present.opensTickets } = given
  if (enabled && address === null)
    throw invalid([{ pointer: '/address', detail: 'is needed: name the address people write to' }])
  const changed = { ...present, enabled, address, opensTickets }
  return describeInbound(ctx, await writeSettings(ctx.db, inboundArea, changed))
}

/** Creates a new secret for the bridge. The former one stays valid for a day. */
export async function rotateSecret(
  ctx: Ctx,
): Promise<{ secret: string; formerUntil: string | null }> {
  const present = await lockSettings(ctx.db, inboundArea)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const until = new Date(ctx.now.getTime() + OVERLAP_MS).toISOString()
  const former = present.secret === null ? null : { secret: present.secret, until }
  await writeSettings(ctx.db, inboundArea, { ...present, secret: seal(ctx.vault, secret), former })
  return { secret, formerUntil: former && until }
}

/** The valid secrets, the newest first. */
export const secretsOf = ({ vault, now }: Pick<Ctx, 'vault' | 'now'>, stored: Stored): string[] => {
  const { secret, former } = stored
  const valid = former && new Date(former.until) > now ? [former.secret] : []
  return [...(secret === null ? [] : [secret]), ...valid].map((sealed) => open(vault, sealed))
}
