import { ApiToken, CreateToken } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { del, get, post } from '../../../http/endpoint.ts'
import * as tokens from '../tokens/tokens.ts'

export const listTokens = get('/api/tokens', {
  summary: 'List API tokens',
  access: { who: 'admin', may: 'tokens.manage' },
  reply: z.object({ items: z.array(ApiToken) }),
  handle: ({ ctx }) => tokens.listTokens(ctx.db),
})

export const createToken = post('/api/tokens', {
  summary: 'Create an API token; its secret is returned once',
  access: { who: 'admin', may: 'tokens.manage', stepUp: true },
  body: CreateToken,
  reply: ApiToken.extend({ secret: z.string() }),
  status: 201,
  shownOnce: true,
  recorded: 'created the API token {target}',
  handle: ({ ctx, body }) => tokens.createToken(ctx, body),
})

export const revokeToken = del('/api/tokens/{id}', {
  summary: 'Revoke an API token',
  access: { who: 'admin', may: 'tokens.manage' },
  recorded: 'revoked the API token {target}',
  handle: ({ ctx, params }) => tokens.revokeToken(ctx, params.id),
})
