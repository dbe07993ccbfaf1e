import { CreateServer } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { TemplateRow } from '../../templates/index.ts'
import { Created, createServer } from './create.ts'

/** How long a trial server is kept, unless the request says otherwise. */
const MINUTES = 15

export const TryTemplate = CreateServer.pick({ nodeId: true, image: true, variables: true }).extend(
  {
    minutes: z.int().min(1).max(120).default(MINUTES).describe('it is deleted after these minutes'),
  },
)

export const Tried = Created.extend({ deleteAt: z.iso.datetime() })

const NAME_MAX = 64

/**
 * Creates a server of the newest version as a trial for its maintainer. Its deletion is scheduled
 * from the start, so it is deleted even if nobody looks or Lodge restarts meanwhile.
 */
export async function tryTemplate(
  ctx: Ctx<User>,
  template: Pick<TemplateRow, 'id' | 'name'>,
  { minutes, ...given }: z.infer<typeof TryTemplate>,
): Promise<z.input<typeof Tried>> {
  const deleteAt = new Date(ctx.now.getTime() + minutes * 60_000)
  const made = await createServer(
    ctx,
    {
      ...given,
      name: `Try ${template.name}`.slice(0, NAME_MAX).trim(),
      ownerId: ctx.actor.id,
      templateId: template.id,
      start: true,
    },
    { deleteAt },
  )
  return { ...made, deleteAt: deleteAt.toISOString() }
}
