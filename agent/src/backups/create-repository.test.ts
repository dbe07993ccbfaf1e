import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chunkerPolynomial, isIrreducible } from './chunker-polynomial.ts'
import { createRepository } from './create-repository.ts'
import { poly1305Aes } from './restic-cipher.ts'

const able = existsSync('/usr/bin/restic')

test.runIf(able)(
  'restic finds nothing wrong with a repository that it did not create',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'lodge-repository-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const repository = join(root, 'repository')
    const password = randomBytes(32).toString('base64url')
    const restic = (...args: string[]) =>
      execFileSync('restic', ['--no-cache', '--repo', repository, ...args], {
        env: { ...process.env, RESTIC_PASSWORD: password },
        encoding: 'utf8',
      })
    // A creation that was interrupted, whose key opens nothing.
    await createRepository(repository, password)
    await rm(join(repository, 'config'))
    await createRepository(repository, password)
    await mkdir(join(root, 'data'))
    await writeFile(join(root, 'data', 'world'), randomBytes(3_000_000))
    restic('backup', join(root, 'data'))
    expect(restic('check', '--read-data')).toContain('no errors were found')
    expect(JSON.parse(restic('cat', 'config'))).toMatchObject({ version: 2 })
  },
)

test('authenticates as Poly1305-AES is published', () => {
  const hex = (text: string) => Buffer.from(text, 'hex')
  const k = hex('ec074c835580741701425b623235add6')
  const r = hex('851fc40c3467ac0be05cc20404f3f700')
  const nonce = hex('fb447350c4e868c52ac3275cf9d4327e')
  expect(poly1305Aes({ k, r }, nonce, hex('f3f6')).toString('hex')).toBe(
    'f4c633c3044fc145f84f335cb81953de',
  )
})

test('cuts files by polynomials that nothing divides', () => {
  // Taken from restic.
  expect(isIrreducible(0x3da3358b4dc173n)).toBe(true)
  const three = 0b111n
  let product = 0n
  for (let at = 0n; at < 52n; at++) if ((0x8000000000065n >> at) & 1n) product ^= three << at
  expect(product.toString(2)).toHaveLength(54)
  expect(isIrreducible(product)).toBe(false)
  expect(isIrreducible(chunkerPolynomial())).toBe(true)
  expect(chunkerPolynomial()).not.toBe(chunkerPolynomial())
})
