import { PROBLEMS, type ProblemCode, type ProblemDocument } from '@lodge/shared/problems.ts'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { fingerprint } from './fingerprint.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Internals must not leak: no files, no queries, no stack. */
const INSIDES =
  /node_modules|file:\/\/|\.ts\b|\bselect\b.*\bfrom\b|insert into|update .* set |\n\s+at /i

/** The problem in a response; fails unless it matches the catalogue. */
export function refusalOf(response: LightMyRequestResponse): ProblemDocument {
  const { statusCode, headers, body } = response
  expect(statusCode, body).toBeGreaterThanOrEqual(400)
  expect(headers['content-type'], body).toBe('application/problem+json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  const problem = JSON.parse(body) as ProblemDocument
  const known = PROBLEMS[problem.code]
  expect(known, `${problem.code} is in the catalogue`).toBeDefined()
  expect(problem).toMatchObject({
    type: `/problems/${problem.code}`,
    title: known.title,
    status: known.status,
    detail: expect.stringMatching(/./),
    instance: expect.stringMatching(UUID),
  })
  expect(statusCode).toBe(known.status)
  expect(headers['x-request-id']).toBe(problem.instance)
  expect(body).not.toMatch(INSIDES)
  return problem
}

/** A problem with this code. */
export function expectRefusal(
  response: LightMyRequestResponse,
  ...codes: readonly ProblemCode[]
): ProblemDocument {
  const problem = refusalOf(response)
  expect(codes, response.body).toContain(problem.code)
  return problem
}

/** Sends a request that must be refused with one of these codes and must not change a row. */
export async function refusedUnchanged(
  lodge: Lodge,
  by: Caller,
  request: Parameters<Caller['send']>[0],
  codes: ProblemCode | readonly ProblemCode[],
): Promise<ProblemDocument> {
  const before = await fingerprint(lodge.database.pool)
  const response = await by.send(request)
  const problem = expectRefusal(response, ...[codes].flat())
  expect(await fingerprint(lodge.database.pool)).toEqual(before)
  return problem
}
