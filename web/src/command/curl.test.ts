import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { callOf } from './call-of.ts'
import { curlOf, scopeOf } from './curl.ts'
import { madeCalls, rememberCall } from './made-calls.ts'

const SCOPES = {
  'POST /api/customers': 'provision',
  'POST /api/servers/{id}/actions': 'suspend',
}
const ID = '0190a5c8-0000-7000-8000-000000000001'

/** The arguments that a shell makes of a command. */
function wordsOf(command: string, environment: Record<string, string>): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  return execFileSync('sh', ['-c', script], { env: environment, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

test('a call that tokens may make becomes a command with the token in a variable', () => {
  const body = { email: "o'neil@example.com", name: '$(id) `id` "x"', password: 'a long secret' }
  const command = curlOf(
    callOf('POST /api/customers', { body }),
    'https://panel.example.com',
    SCOPES,
  )
  expect(wordsOf(command, { LODGE_TOKEN: 'T0KEN' })).toEqual([
    '-X',
    'POST',
    'https://panel.example.com/api/customers',
    '-H',
    'Authorization: Bearer T0KEN',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({ ...body, password: '<password>' }),
  ])
})

test('a call that only people may make sends the session and its origin', () => {
  const stop = callOf('POST /api/servers/{id}/actions', {
    params: { id: ID },
    body: { action: 'stop' },
  })
  const words = wordsOf(curlOf(stop, 'http://localhost:8080', SCOPES), { LODGE_SESSION: 'S' })
  expect(words).toContain('panel_session=S')
  expect(words).toContain('Origin: http://localhost:8080')
  expect(words).toContain(`http://localhost:8080/api/servers/${ID}/actions`)
  const suspend = { ...stop, body: { action: 'suspend' } }
  expect([scopeOf(stop, SCOPES), scopeOf(suspend, SCOPES)]).toEqual([undefined, 'suspend'])
})

test('changes are remembered without their secrets', () => {
  rememberCall({
    key: 'POST /api/auth/password',
    url: '/api/auth/password',
    body: { currentPassword: 'old old old old', newPassword: 'new new new new' },
  })
  expect(madeCalls()[0]?.body).toEqual({
    currentPassword: '<currentPassword>',
    newPassword: '<newPassword>',
  })
})
