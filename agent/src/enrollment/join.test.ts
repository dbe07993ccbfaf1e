import { createHash, X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataFolder } from '../data-folder.ts'
import { testAuthority } from '../testing/authority.fixture.ts'
import { FleetFixture, ONE_TIME_TOKEN } from '../testing/fleet.fixture.ts'
import { loadIdentity, saveIdentity } from './identity.ts'
import { join } from './join.ts'

describe('joining', () => {
  let fleet: FleetFixture
  let folder: string

  beforeEach(async () => {
    fleet = await FleetFixture.open()
    folder = await mkdtemp(joinPath(tmpdir(), 'lodge-join-'))
  })
  afterEach(async () => {
    await fleet.vanish()
    await rm(folder, { recursive: true, force: true })
  })

  const token = (change: Record<string, unknown>) => {
    const content = {
      u: `https://127.0.0.1:${fleet.port}`,
      t: ONE_TIME_TOKEN,
      f: fleet.authority.fingerprint,
      ...change,
    }
    return `lodge1.${Buffer.from(JSON.stringify(content)).toString('base64url')}`
  }

  it('stores the identity of the node for its owner only, and joining again replaces it', async () => {
    const identity = await join(fleet.joinToken)
    expect(identity).toEqual(fleet.identity)
    await saveIdentity(folder, identity)
    expect((await stat(joinPath(folder, 'node.json'))).mode & 0o777).toBe(0o600)
    expect(await loadIdentity(folder)).toEqual(identity)
    await saveIdentity(folder, { ...identity, nodeId: 'another' })
    expect((await loadIdentity(folder))?.nodeId).toBe('another')
    expect(await readFile(joinPath(folder, 'node.json'), 'utf8')).toContain('another')
  })

  it('leaves a folder that the users of servers and machines can traverse', async () => {
    const data = joinPath(folder, 'agent')
    const mode = async () => (await stat(data)).mode & 0o777
    const before = process.umask(0o077)
    try {
      await saveIdentity(data, fleet.identity)
    } finally {
      process.umask(before)
    }
    expect(await mode()).toBe(0o711)
    // As an earlier version left it.
    await chmod(data, 0o700)
    await openDataFolder(data)
    expect(await mode()).toBe(0o711)
  })

  it('sends nothing to a server with another authority', async () => {
    const other = await testAuthority()
    await expect(join(token({ f: other.fingerprint }))).rejects.toThrow(
      /does not have the certificate/,
    )
  })

  it('does not accept the fingerprint of the server certificate in place of that of the authority', async () => {
    const leaf = new X509Certificate(fleet.authority.leaf.cert)
    const fingerprint = createHash('sha256').update(leaf.raw).digest('hex')
    await expect(join(token({ f: fingerprint }))).rejects.toThrow(/does not have the certificate/)
  })

  it('reports why a used token is refused', async () => {
    await expect(join(token({ t: 'a-token-that-was-used' }))).rejects.toThrow(
      'The token was used already',
    )
  })

  it('reports that the pasted text is not a token', async () => {
    for (const text of ['', 'lodge1.', 'lodge1.e30', 'hello', token({ u: 'http://127.0.0.1' })]) {
      await expect(join(text)).rejects.toThrow(/copy the whole line/)
    }
  })

  it('reports that the control plane does not answer', async () => {
    await fleet.vanish()
    await expect(join(fleet.joinToken)).rejects.toThrow(/cannot be reached/)
    await fleet.listen()
  })

  it('finds no identity before joining, and refuses a damaged one', async () => {
    expect(await loadIdentity(folder)).toBeUndefined()
    await writeFile(joinPath(folder, 'node.json'), '{"nodeId":"half"}')
    await expect(loadIdentity(folder)).rejects.toThrow(/join this node again/)
  })
})
