import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNoKvm } from '@lodge/driver/kvm.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { settingsOf } from '../options.ts'
import { LibvirtUnavailable } from '../port/fault.ts'
import { type LibvirtPort, openPort } from '../port/port.ts'
import { libvirtMissing, startTestNode } from '../testing/node.ts'
import { acceleration } from './kvm.ts'

/** Without the device nothing is tried. */
const cannotTry = (await libvirtMissing()) ?? ((await whyNoKvm())?.certain ? 'no KVM' : null)
const { signal } = new AbortController()

test.skipIf(cannotTry !== null)(
  'that KVM does not work is found anew after a while, on request and by the next agent, and never when libvirt was away',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodge-kvm-'))
    const node = await startTestNode(join(folder, 'node'))
    const port = openPort({ uri: node.uri, connections: 1 })
    onTestFinished(async () => {
      await port.close()
      await node.stop()
      await rm(folder, { recursive: true, force: true })
    })
    let tries = 0
    let isDying = false
    const watched: LibvirtPort = {
      ...port,
      call(name, ...args) {
        const ask = () => port.call(name, ...args)
        if (name !== 'domainCapabilities') return ask()
        tries += 1
        return isDying ? node.killLibvirtd().then(ask) : ask()
      },
    }
    const dataRoot = join(folder, 'data')
    await mkdir(dataRoot)
    const kept = join(dataRoot, 'kvm.json')
    const options = { dataRoot, mediaFolder: folder, probeKernel: join(folder, 'no-kernel') }
    const agent = () => acceleration(settingsOf(options), watched)

    isDying = true
    const first = agent()
    await expect(first.kvm(signal)).rejects.toThrow(LibvirtUnavailable)
    isDying = false
    await node.startLibvirtd()
    await vi.waitFor(() => port.call('versions'), { timeout: 60_000, interval: 50 })
    const found = await first.kvm(signal)
    expect(found).toMatchObject({ works: false, remedy: expect.stringMatching(/./) })
    expect(tries).toBe(2)
    expect(await exists(kept)).toBe(false)
    expect([await first.kvm(signal), tries]).toEqual([found, 2])
    expect([await first.kvm(signal, true), tries]).toEqual([found, 3])
    expect([await agent().kvm(signal), tries]).toEqual([found, 4])

    // What an earlier version kept, and what says that it works.
    const [device, { hypervisor }] = await Promise.all([stat('/dev/kvm'), port.call('versions')])
    const key = JSON.stringify([2, release(), hypervisor, [device.mode, device.uid, device.gid]])
    const earlier = { works: false, why: 'There is no kernel in /boot.', remedy: 'Install one.' }
    await writeFile(kept, JSON.stringify({ key, verdict: earlier }))
    expect([await agent().kvm(signal), tries]).toEqual([found, 5])
    const works = { works: true, why: '', remedy: '' }
    await writeFile(kept, JSON.stringify({ key, verdict: works }))
    expect([await agent().kvm(signal), tries]).toEqual([works, 5])
  },
)
