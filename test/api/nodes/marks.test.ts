import { expect, test } from 'vitest'
import {
  hasBeenSetBack,
  keepMark,
  lookAtDatabase,
} from '../../../control-plane/src/domains/nodes/set-back/watch.ts'
import { startLodge } from '../../support/stack.ts'

const ROUNDS = 60

test('the database is never mistaken for an older one while its mark grows, however many read it', async () => {
  await using lodge = await startLodge()
  await using beside = await lodge.beside()
  const both = [lodge.controlPlane.services, beside.controlPlane.services]
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(
      both.flatMap((services) => [
        ...Array.from({ length: 6 }, () => lookAtDatabase(services)),
        keepMark(services),
        keepMark(services),
      ]),
    )
  expect(both.map((services) => hasBeenSetBack(services))).toEqual([false, false])
})
