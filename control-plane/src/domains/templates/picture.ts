import { pictureOf } from '@lodge/shared/templates/icon.ts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { digestOf } from './icon.ts'
import { findTemplate } from './store.ts'

/**
 * Sends a template's own picture. Its URL cannot be guessed and is sent only to those who see the
 * template or a server of it.
 */
export async function sendIcon(
  ctx: Ctx,
  { id, digest }: { readonly id: string; readonly digest: string },
  reply: FastifyReply,
): Promise<void> {
  const row = z.uuid().safeParse(id).success ? await findTemplate(ctx.db, id) : undefined
  const icon = row?.document.icon
  const picture = icon === undefined ? undefined : pictureOf(icon)
  if (icon === undefined || !picture || digestOf(icon) !== digest) throw notFound('icon')
  reply
    .type(picture.type)
    .header('cache-control', 'private, max-age=31536000, immutable')
    // Opened at the top level, it must not run anything.
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .send(Buffer.from(picture.base64, 'base64'))
}
