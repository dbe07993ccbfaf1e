import { expect, test } from 'vitest'
import { safeFields } from './safe-fields.ts'

test('keeps short scalars and leaves out what is secret by its name', () => {
  const body = {
    name: 'One',
    memoryMb: 512,
    force: true,
    owner: null,
    password: 'p',
    newPassword: 'p',
    apiToken: 't',
    recoveryCode: 'c',
    command: 'op me',
    dkim: { domain: 'example.com', privateKey: 'k' },
    hasPassword: true,
    permissions: ['servers.view'],
    variables: { API: 'x' },
  }
  expect(safeFields(body)).toEqual({
    name: 'One',
    memoryMb: 512,
    force: true,
    owner: null,
    password: '[left out]',
    newPassword: '[left out]',
    apiToken: '[left out]',
    recoveryCode: '[left out]',
    command: '[left out]',
    dkim: { domain: 'example.com', privateKey: '[left out]' },
    hasPassword: true,
    permissions: ['servers.view'],
    variables: '[left out]',
  })
})

test('leaves out what an endpoint says is secret, at any depth', () => {
  const body = { name: 'One', url: 'https://a.test/x', to: { url: 'https://a.test/y' } }
  expect(safeFields(body, ['url'])).toEqual({
    name: 'One',
    url: '[left out]',
    to: { url: '[left out]' },
  })
})

test('stays small, however large and deep the body is', () => {
  const deep = {
    a: { b: { c: { d: 1 } } },
    list: Array.from({ length: 1000 }, () => 1),
    text: '𝒳'.repeat(500),
  }
  expect(JSON.stringify(safeFields(deep)).length).toBeLessThan(600)
})
