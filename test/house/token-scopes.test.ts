import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TOKEN_SCOPES } from '../../web/src/command/token-scopes.ts'

interface Description {
  readonly paths: Record<string, Record<string, { 'x-access'?: { tokenScope?: string } }>>
}

test('the panel knows which endpoints API tokens reach', () => {
  const file = new URL('../../control-plane/openapi.json', import.meta.url)
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description
  const scopes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { 'x-access': access }]) =>
      access?.tokenScope === undefined
        ? []
        : [[`${method.toUpperCase()} ${path}`, access.tokenScope] as const],
    ),
  )
  expect(TOKEN_SCOPES).toEqual(Object.fromEntries(scopes))
})
