import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../../run/lengths.ts'
import { killedRun } from './after-killed-run.ts'
import { deskAt } from './desk.ts'
import { consoleJourney } from './journeys/console.ts'
import { containerServer, website } from './journeys/container-server.ts'
import { customer } from './journeys/customer.ts'
import { mails } from './journeys/mails.ts'
import { reboot } from './journeys/reboot.ts'
import { secondFactor } from './journeys/second-factor.ts'
import { secondNode } from './journeys/second-node.ts'
import { selfService } from './journeys/self-service.ts'
import { setUp } from './journeys/set-up.ts'
import { share } from './journeys/share.ts'
import { uninstall } from './journeys/uninstall.ts'
import { update } from './journeys/update.ts'
import { machineAtWork, virtualMachine } from './journeys/virtual-machine.ts'
import { machineAt } from './machine.ts'
import { serveRepository } from './repository.ts'
import { GATEWAY, openStreet, streetMissing } from './street.ts'
import { CLONE, npmStart, type Person, type World } from './world.ts'

const missing = await streetMissing()
/** The version to update from while there is no release. */
const BEFORE_RELEASES = 'd139504eaf734bfa037a1d598d45c464da1f5303'
/** For each journey; most of it is waiting on a busy machine. */
const timeout = 420_000

// In this file, because there is only one test network and files may run at the same time.
test.skipIf(missing)(
  'the test network belongs to a running run, and is cleared of a killed one',
  killedRun,
)

/** Checks out an earlier version, which the journey `update` replaces by this one. */
async function goBack(machine: World['machine']): Promise<void> {
  const before = await machine.shell(
    `git checkout --quiet "$(git describe --tags --abbrev=0 HEAD^ 2>/dev/null || echo ${BEFORE_RELEASES})"`,
    CLONE,
  )
  expect(before.code, before.said).toBe(0)
}

// One first day, in order: each journey continues where the previous one ended. It imports nothing
// that other tests use but their length, and does nothing that a person would not do.
describe.skipIf(missing)('the first day of a newcomer', () => {
  const open = new AsyncDisposableStack()
  let world: World
  let isWhole = true

  beforeAll(async () => {
    open.use(await openStreet())
    const repository = open.use(await serveRepository(GATEWAY))
    const machine = open.use(await machineAt('first', '10.97.0.11'))
    const desk = open.use(await deskAt('10.97.0.50'))
    const person = async (name: string): Promise<Person> => ({
      email: `${name}@example.com`,
      password: 'a quiet evening at the lake',
      page: await desk.person(),
    })
    const cloned = await machine.shell(`git clone --quiet ${repository.url} lodge`)
    expect(cloned.code, cloned.said).toBe(0)
    const [admin, invited, friend] = await Promise.all(['host', 'customer', 'friend'].map(person))
    world = {
      ...{ machine, desk, panel: '', npm: machine.start('true') },
      ...{ admin: admin!, customer: invited!, friend: friend! },
    }
    if (isLong) await goBack(machine)
    await npmStart(world)
  })

  afterAll(() => open.disposeAsync())

  const journey = (name: string, walk: (world: World) => Promise<void>, tags: 'long' | [] = []) =>
    // Once only: a journey begins where the previous one ended, not in the middle of itself.
    test(name, { timeout, tags, retry: 0 }, async (context) => {
      if (!isWhole) return context.skip('an earlier journey failed')
      isWhole = false
      await walk(world)
      isWhole = true
    })

  journey('set-up: at the address of the banner the first administrator is made', setUp)
  journey('update: this version goes on with the data of the one before', update, 'long')
  journey('container server: a website is made from its template', containerServer)
  journey('virtual machine: an image that is uploaded becomes one', virtualMachine)
  journey('customer: somebody is invited by mail and chooses a password', customer)
  journey(
    'mails: a forgotten password, a changed address and one taken back, by their links',
    mails,
  )
  journey('second factor: an authenticator is set up and asked for', secondFactor)
  journey('container server: the website is opened by a visitor', website)
  journey('virtual machine: it is typed to, looked at and stopped by its button', machineAtWork)
  journey('console: output is seen as it is said, and a command is answered', consoleJourney)
  journey('self-service: a customer makes a server alone', selfService)
  journey('share: a friend accepts a server by the link of the mail', share)
  journey('second node: another machine joins by the pasted line', secondNode)
  journey('reboot: after a power cut the servers run again', reboot, 'long')
  journey('uninstall: nothing of it is left on the machine', uninstall)

  test('no page failed on the way', { retry: 0 }, () => {
    expect(isWhole).toBe(true)
    expect(world.desk.faults).toEqual([])
  })
})
