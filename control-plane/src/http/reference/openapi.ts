import { PROBLEMS } from '@lodge/shared/problems.ts'
import { z } from 'zod'
import type { Access } from '../access.ts'
import { httpBudgets } from '../budgets.ts'
import type { Declared } from '../endpoint.ts'
import { takesKey } from '../idempotency.ts'
import { isRaw } from '../raw-body.ts'
import { isCounted } from '../throttle.ts'
import { type ApiHeading, describedHeadings, headingOf } from './api-headings.ts'

/**
 * Values that the domains declare, by the name of their list. A schema that is `listed` (in its
 * `meta`) is described as one of them.
 */
export type Lists = Readonly<Record<string, readonly string[]>>

/** The OpenAPI 3.1 document, derived from the declarations. */
export function openapi(
  routes: Readonly<Record<string, Declared>>,
  headings: readonly ApiHeading[],
  lists: Lists = {},
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [operationId, spec] of Object.entries(routes)) {
    paths[spec.path] = {
      ...paths[spec.path],
      [spec.method.toLowerCase()]: operation(operationId, spec, { headings, lists }),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Panel API',
      version: '1',
      description: `Hosting of container servers and virtual machines. Sizes named \`…Mb\` are MiB; 100 % CPU is one core. \
Later versions add fields, and values where a list of them is given, so take those that you do not know. An account makes up to ${httpBudgets.change.burst} changes at once and half as many a minute after that, in the panel and by all \
its API tokens together, unless the operator has set another number; reading is not counted.`,
    },
    tags: describedHeadings(headings),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { Problem: problemSchema },
      responses: { TooManyRequests: tooManyRequests },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'panel_session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

const jsonContent = (schema: z.ZodType, io: 'input' | 'output', lists: Lists) => ({
  'application/json': {
    schema: z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        const { listed } = jsonSchema
        if (typeof listed !== 'string') return
        delete jsonSchema.listed
        jsonSchema.enum = [...(lists[listed] ?? [])]
      },
    }),
  },
})

function operation(
  operationId: string,
  spec: Declared,
  { headings, lists }: { readonly headings: readonly ApiHeading[]; readonly lists: Lists },
): object {
  const status = spec.status ?? (spec.reply ? 200 : spec.streams ? 200 : 204)
  const success = {
    description: spec.summary,
    ...(spec.reply && { content: jsonContent(spec.reply, 'output', lists) }),
    ...(spec.streams && { content: { [spec.streams]: {} } }),
  }
  const access = accessOf(spec.access)
  return {
    operationId,
    tags: [headingOf(headings, spec.path)],
    summary: spec.summary,
    'x-access': access,
    ...(access.principal !== 'none' && {
      security: [{ session: [] }, ...(access.tokenScope ? [{ token: [access.tokenScope] }] : [])],
    }),
    ...parameters(spec),
    ...(spec.body && { requestBody: requestBody(spec.body, lists) }),
    responses: {
      [status]: success,
      ...(spec.mayContinue && { 202: { ...success, description: 'It goes on as a job' } }),
      ...(isLimited(spec) && { 429: { $ref: '#/components/responses/TooManyRequests' } }),
      default: {
        description: 'A refusal',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  }
}

function requestBody(body: NonNullable<Declared['body']>, lists: Lists): object {
  if (!isRaw(body)) return { required: true, content: jsonContent(body, 'input', lists) }
  const { maxBytes, contentTypes } = body
  const schema = { type: 'string', format: 'binary', maxLength: maxBytes }
  return {
    required: true,
    description: `Taken as it is sent, at most ${maxBytes} bytes`,
    content: Object.fromEntries(contentTypes.map((name) => [name, { schema }])),
  }
}

/** Whether requests may be rate-limited by account or address. */
const isLimited = (spec: Declared): boolean =>
  spec.access.throttle !== undefined || (spec.access.who !== 'anyone' && isCounted(spec))

const tooManyRequests = {
  description: 'Too many requests of this kind, or too many changes by this account',
  headers: {
    'Retry-After': {
      description: 'Seconds after which the same request is let in',
      schema: { type: 'integer', minimum: 1 },
    },
  },
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller, for example a UUID. The same request under the same key is done once: for a day it is answered as it was the first time.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}

function parameters(spec: Declared): object {
  const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const query = spec.query && z.toJSONSchema(spec.query, { io: 'input', unrepresentable: 'any' })
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    schema,
  }))
  const all = [...inPath, ...inQuery, ...(takesKey(spec) ? [IDEMPOTENCY_KEY] : [])]
  return all.length > 0 ? { parameters: all } : {}
}

const PRINCIPALS = { anyone: 'none', user: 'user', admin: 'admin', agent: 'agent' } as const

/** The access rules in the terms of the published description. */
export function accessOf(access: Access): {
  principal: string
  tokenScope?: string
  permission?: string
} {
  const permission =
    access.who === 'admin'
      ? access.may
      : access.who === 'user'
        ? (access.admin ?? access.may)
        : undefined
  const tokenScope = 'token' in access ? access.token : undefined
  return {
    principal: PRINCIPALS[access.who],
    ...(tokenScope && { tokenScope }),
    ...(permission && { permission }),
  }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(PROBLEMS).toSorted() },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'id of the request, to find it in the log' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
}
