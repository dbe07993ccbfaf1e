import { expect, test } from 'vitest'
import { Problem } from './problem.ts'

test('extensions of a problem never override its standard members', () => {
  // @ts-expect-error: the type refuses it already
  const problem = new Problem('invalid_state', 'It runs', { fields: { status: 'running', a: 1 } })
  expect(problem.document('request-1')).toEqual({
    type: '/problems/invalid_state',
    title: expect.any(String),
    status: 409,
    code: 'invalid_state',
    detail: 'It runs',
    instance: 'request-1',
    a: 1,
  })
})
