import type { TokenScope } from '@lodge/shared/permissions.ts'
import type { Key } from '../api.ts'
import type { TokenScopes } from './curl.ts'

/**
 * The endpoints that API tokens may call, with the required scope. A test compares this with the
 * description of the API, which is too large to load here.
 */
export const TOKEN_SCOPES: TokenScopes = {
  'GET /api/auth/me': 'read',
  'GET /api/customers': 'read',
  'POST /api/customers': 'provision',
  'GET /api/customers/{id}': 'read',
  'GET /api/customers/export': 'read',
  'GET /api/jobs': 'read',
  'GET /api/servers': 'read',
  'POST /api/servers': 'provision',
  'GET /api/servers/{id}': 'read',
  'GET /api/servers/export': 'read',
  'POST /api/servers/{id}/actions': 'suspend',
  'GET /api/templates': 'read',
} satisfies Partial<Record<Key, TokenScope>>
