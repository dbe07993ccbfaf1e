import { driverSuite } from '@lodge/driver/suite.ts'
import { describe, expect, it } from 'vitest'
import { dockerdMissing } from './testing/dockerd.ts'
import { DOCKER_CAN, dockerFixture } from './testing/fixture.ts'

const missing = await dockerdMissing()

describe('the Docker driver', () => {
  it(missing === null ? 'finds an engine to test with' : `skipped: ${missing}`, () => {
    if (process.env.CI) expect(missing).toBeNull()
  })
})

if (missing === null) {
  driverSuite('the Docker driver', () => dockerFixture(), DOCKER_CAN)
}
