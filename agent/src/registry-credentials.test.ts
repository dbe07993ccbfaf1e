import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkRegistryConfig, registryCredential } from './registry-credentials.ts'

describe('registry passwords', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-registry-'))
    file = join(folder, 'config.json')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const write = (value: unknown) => writeFile(file, JSON.stringify(value), { mode: 0o600 })

  it('are read from a docker login file by exact host', async () => {
    const auth = Buffer.from('me:it is:secret').toString('base64')
    await write({
      auths: {
        'https://index.docker.io/v1/': { auth },
        'registry.example:5000': { username: 'other', password: 'word' },
      },
    })
    const me = { username: 'me', password: 'it is:secret' }
    expect(await registryCredential(file, 'docker.io')).toEqual(me)
    expect(await registryCredential(file, 'registry.example:5000')).toEqual({
      username: 'other',
      password: 'word',
    })
    expect(await registryCredential(file, 'registry.example')).toBeUndefined()
    await write({ auths: {} })
    expect(await registryCredential(file, 'docker.io')).toBeUndefined()
  })

  it('are refused from a file that others may read, and never appear in errors', async () => {
    await write({ auths: { 'ghcr.io': { auth: 'bm9jb2xvbg==' } } })
    await expect(registryCredential(file, 'ghcr.io')).rejects.toThrow(/no usable password/)
    await chmod(file, 0o640)
    await expect(checkRegistryConfig(file)).rejects.toThrow(/chmod 600/)
    await chmod(file, 0o600)
    await writeFile(file, '{"auths": "hunter2"')
    await expect(checkRegistryConfig(file)).rejects.toThrow(
      `${file} is not a file as docker login writes it`,
    )
    await expect(checkRegistryConfig(join(folder, 'missing'))).rejects.toThrow(/cannot be read/)
  })
})
