import { CAPABILITIES } from '@lodge/driver/capabilities.ts'
import { machineSuite } from '@lodge/driver/suite/machines.ts'
import { describe, expect, it } from 'vitest'
import { machineFixture } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()

describe('the libvirt driver', () => {
  it(missing === null ? 'finds a libvirt to test with' : `skipped: ${missing}`, () => {
    if (process.env.CI) expect(missing).toBeNull()
  })
})

if (missing === null)
  machineSuite('the libvirt driver', machineFixture, {
    guests: true,
    has: CAPABILITIES.filter((name) => !['images', 'files'].includes(name)),
  })
